/** The services that only routes of the sandbox name. */
import { definerOf, type Services } from '../../http/services/index.ts';
import type { Crowd } from '../crowd/index.ts';
import type { FaultRegistry } from '../faults/registry.ts';
import type { Checkpoints } from '../saved-states/checkpoints.ts';

export interface SandboxServices extends Services {
  /** States of the whole exchange to return to. */
  readonly checkpoints: Checkpoints;
  /** The simulated participants; outside the sandbox they do nothing. */
  readonly crowd: Crowd;
  /** Failures on demand; none fires outside the sandbox. */
  readonly faults: FaultRegistry;
}

export const defineSandboxRoute = definerOf<SandboxServices>();
