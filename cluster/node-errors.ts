/** Why a node of a cluster does not answer, waits or ends. */

import { StoreError } from '../persistence/shared/index.ts';
import type { ClusterOptions } from './cluster.ts';
import type { LogHolder } from './log/index.ts';

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
    `the clock of this node is ${Math.round(leadMs / 1_000)} seconds ahead of the last core's, and ` +
      `${Math.round(mostMs / 1_000)} are allowed: it does not take over. Set its clock right`,
  );
}

/** An entry was written under rules that this node does not know. */
export function unknownRules(entry: number): StoreError {
  return new StoreError(
    'log_differs',
    `entry ${entry} of the log was written under rules that this node does not know: start ` +
      'another node as the core, and this one as its standby',
  );
}
