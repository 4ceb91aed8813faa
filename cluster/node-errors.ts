/** Why a node of a cluster does not answer, waits or ends. */

import { STORE_PACE, StoreError } from '../persistence/shared/index.ts';
import type { ClusterOptions } from './cluster.ts';
import type { LogEntry, LogHolder } from './log/index.ts';

type NodeRole = ClusterOptions['role'];

/** After these refusals, the node tries again. */
const PASSING: ReadonlySet<string> = new Set([
  'no_core',
  'overloaded',
  'reader_unavailable',
  'stopping',
]);

export function isPassing(error: Error): boolean {
  return error instanceof StoreError && PASSING.has(error.code);
}

/** etcd does not answer. */
export function isOutage(error: unknown): error is StoreError {
  return error instanceof StoreError && error.code === 'log_unavailable';
}

export function noCore(why: string): StoreError {
  return new StoreError('no_core', `the core of the cluster can't be reached: ${why}`);
}

export function deposed({ node, epoch }: LogHolder): StoreError {
  return new StoreError(
    'deposed',
    `the node ${node} has become the core with epoch ${epoch}, because this one was silent for ` +
      'too long. This process ends: start it again with --role standby',
  );
}

export function aliveCore({ node }: LogHolder): StoreError {
  return new StoreError(
    'log_refused',
    `the node ${node} is the core of this cluster, and it is alive: start this node with ` +
      '--role standby, or stop that one first',
  );
}

export function lacksContent(role: NodeRole): StoreError {
  const remedy =
    role === 'core'
      ? 'start another node with --role core, and this one with --role standby'
      : 'it does not take over. Start the last core again, or another standby';
  return new StoreError(
    'log_refused',
    'the catalog of this node lacks comments or other content that the log has, because the ' +
      `node lost its core before it had copied them: ${remedy}`,
  );
}

/** Orders would expire early, and no clock would bring them back. */
export function clockAhead(leadMs: number, mostMs: number): StoreError {
  return new StoreError(
    'log_refused',
    `the clock of this node is ${Math.round(leadMs / 1_000)} seconds ahead of the last core's, ` +
      `and ${Math.round(mostMs / 1_000)} are allowed: it does not take over. Set its clock right`,
  );
}

export function diskHangs(): StoreError {
  return new StoreError(
    'disk_failed',
    'the disk of this node has not answered a write of its journal for ' +
      `${STORE_PACE.hangMs / 1_000} seconds: ` +
      'it is not the core. Repair the disk, and start the node with --role standby',
  );
}

/** Another node can serve them. */
export function noGateways(): StoreError {
  return new StoreError(
    'deposed',
    'no gateway reaches this core, and gateways reach a standby: it gives its place away and ' +
      'ends. Start it again with --role standby, and look at the network between it and ' +
      'the gateways',
  );
}

interface EpochRules {
  readonly epoch: number;
  readonly rules: number;
}

/**
 * An entry does not say under which rules it was applied; those of an epoch are known. `before`:
 * the holder before a claim; `known`: what this node applied last.
 */
export function rulesOf(
  { number, epoch }: LogEntry,
  before: EpochRules,
  known: EpochRules,
): number {
  if (epoch === before.epoch || known.rules === before.rules) return before.rules;
  if (epoch === known.epoch) return known.rules;
  throw new StoreError(
    'log_differs',
    `entry ${number} of the log was written under rules that this node does not know: start ` +
      'another node as the core, and this one as its standby',
  );
}
