/**
 * Removes entries that nobody needs, at the node that holds the log. Invariants: an entry that the
 * holder has not synced in its own journal stays; so does the newest one. Others that lag are
 * waited for up to the bound of the log, logBytes of STORE_BOUNDS; beyond it they need a snapshot.
 */
import { STORE_BOUNDS, StoreError } from '../../persistence/shared/index.ts';
import type { LogHolder } from './command-log.ts';
import { decodeEntry } from './entry-codec.ts';
import type { FoundKeys } from './key-value-store.ts';
import type { LogKeys } from './log-keys.ts';
import {
  type LogPlace,
  type LogState,
  readTransaction,
  stateOf,
  stateReads,
} from './log-reading.ts';
import { decodePosition, encodeRecord } from './log-records.ts';

/** Registered nodes, with the number of the entry that each has synced. */
export type RegisteredNodes = ReadonlyMap<string, number>;

export interface PruneRequest {
  readonly holder: LogHolder;
  /** By default logBytes of STORE_BOUNDS. */
  readonly keptBytes?: number;
}

export interface Pruned {
  readonly hasPruned: boolean;
  /** The store's revision: values that were replaced or removed before it are history. */
  readonly revision: number;
}

/** Prunes once: entriesPruned of STORE_BOUNDS at most. Rejects with NoAnswerError. */
export async function pruneLog(
  place: LogPlace,
  { holder, keptBytes = STORE_BOUNDS.logBytes }: PruneRequest,
): Promise<Pruned> {
  const { store, keys } = place;
  const first = await store.transact(readTransaction(place, stateReads(keys)));
  const state = stateOf(keys, first.found);
  const second = await store.transact(
    readTransaction(place, [
      keys.replicas(STORE_BOUNDS.registeredNodes + 1),
      { kind: 'get', key: keys.entry(state.pruned.below) },
    ]),
  );
  const [replicas = [], entry = []] = second.found;
  const nodes = registeredOf(keys, replicas);
  const below = pruneLimit(state, nodes, { own: nodes.get(holder.node) ?? 0, entry, keptBytes });
  if (below <= state.pruned.below) return { hasPruned: false, revision: second.revision };
  const { succeeded, revision } = await store.transact({
    compares: [
      { kind: 'value', key: keys.epoch, value: encodeRecord(holder) },
      { kind: 'value', key: keys.pruned, value: state.prunedValue },
    ],
    success: [
      { kind: 'remove', from: keys.entry(state.pruned.below), to: keys.entry(below) },
      { kind: 'put', key: keys.pruned, value: encodeRecord({ below }) },
    ],
    failure: [],
  });
  return { hasPruned: succeeded, revision };
}

/** The number of the first entry that stays. */
function pruneLimit(
  { head, pruned }: LogState,
  nodes: RegisteredNodes,
  { own, entry, keptBytes }: { own: number; entry: FoundKeys; keptBytes: number },
): number {
  const oldest = entry[0];
  if (oldest === undefined) return pruned.below; // the log has no entry
  const kept = head.bytes - decodeEntry(oldest.key, oldest.value).bytesBefore;
  const isTooLarge = kept > keptBytes;
  const synced = isTooLarge ? own : Math.min(own, ...nodes.values());
  const most = pruned.below + STORE_BOUNDS.entriesPruned;
  return Math.min(synced + 1, head.number, most);
}

export function registeredOf(keys: LogKeys, found: FoundKeys): RegisteredNodes {
  const nodes = found.map(
    ({ key, value }) => [keys.nodeOf(key), decodePosition(key, value).number] as const,
  );
  return new Map(nodes);
}

/** Refuses more nodes than the log keeps entries for. */
export async function registerNode(
  place: LogPlace,
  position: { readonly number: number; readonly check: string },
): Promise<void> {
  const { keys, node } = place;
  const limit = STORE_BOUNDS.registeredNodes;
  const { number, check } = position;
  const { store } = place;
  const { found } = await store.transact({
    compares: [],
    success: [
      { kind: 'put', key: keys.replica(node), value: encodeRecord({ number, check }) },
      keys.replicas(limit + 1),
    ],
    failure: [],
  });
  if ((found[1]?.length ?? 0) <= limit) return;
  await forgetNode(place, node);
  throw new StoreError(
    'log_refused',
    `${limit} nodes are registered below ${keys.prefix}, which is the limit: remove those that ` +
      'will not come back',
  );
}

export async function forgetNode({ store, keys }: LogPlace, node: string): Promise<void> {
  const key = keys.replica(node);
  await store.transact({
    compares: [],
    success: [{ kind: 'remove', from: key, to: `${key}\0` }],
    failure: [],
  });
}
