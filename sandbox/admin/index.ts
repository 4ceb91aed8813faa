/**
 * The operator's endpoints of the sandbox. The server refuses all of them where real money is at
 * stake.
 *
 * Invariant: every route here has `sandbox: true`.
 */
import type { RouteDefinition } from '../../http/api/index.ts';
import {
  deleteCheckpoint,
  getCheckpoints,
  postCheckpoint,
  restoreCheckpoint,
} from './checkpoints.ts';
import { getCrowd, postCrowd } from './crowd.ts';
import { deleteFault, deleteFaults, getFaults, postFault } from './faults.ts';
import { getExchangeTime, postTime } from './time.ts';

export { CheckpointRecord } from './checkpoints.ts';
export { CrowdReport } from './crowd.ts';
export type { SandboxServices } from './services.ts';
export { ExchangeTime } from './time.ts';

export const SANDBOX_ACTIONS = [
  postCrowd,
  postFault,
  deleteFault,
  deleteFaults,
  postTime,
  postCheckpoint,
  restoreCheckpoint,
  deleteCheckpoint,
] as const satisfies readonly RouteDefinition[];
export const SANDBOX_READS = [
  getCrowd,
  getFaults,
  getExchangeTime,
  getCheckpoints,
] as const satisfies readonly RouteDefinition[];
