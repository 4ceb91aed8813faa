/**
 * Removes entries that nobody needs, at the node that holds the log. Invariants: an entry that the
 * holder has not synced in its own journal stays; so does the newest one. Others that lag are
 * waited for up to the bound of the log, logBytes of STORE_BOUNDS; beyond it they replay the core's
 * journal.
 */
import { STORE_BOUNDS, StoreError } from '../../persistence/shared/index.ts';
import type { LogHolder, LogPosition, RegisteredNode } from './command-log.ts';
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
import { decodeReplica, encodeRecord, type LogReplica } from './log-records.ts';

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
  const below = pruneLimit(state, nodes, {
    own: nodes.find(({ node }) => node === holder.node)?.number ?? 0,
    entry,
    keptBytes,
  });
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
  nodes: readonly RegisteredNode[],
  { own, entry, keptBytes }: { own: number; entry: FoundKeys; keptBytes: number },
): number {
  const oldest = entry[0];
  if (oldest === undefined) return pruned.below; // the log has no entry
  const kept = head.bytes - decodeEntry(oldest.key, oldest.value).bytesBefore;
  const isTooLarge = kept > keptBytes;
  const synced = isTooLarge ? own : Math.min(own, ...nodes.map(({ number }) => number));
  const most = pruned.below + STORE_BOUNDS.entriesPruned;
  return Math.min(synced + 1, head.number, most);
}

export function registeredOf(keys: LogKeys, found: FoundKeys): RegisteredNode[] {
  return found.map(({ key, value }) => ({ node: keys.nodeOf(key), ...decodeReplica(key, value) }));
}

const UNSOUGHT = { feedAddress: '', isSought: false };

/** Refuses more nodes than the log keeps entries for. Returns the other ones. */
export async function registerNode(
  place: LogPlace,
  replica: LogPosition & Partial<LogReplica>,
): Promise<readonly RegisteredNode[]> {
  const { keys, node, store } = place;
  const limit = STORE_BOUNDS.registeredNodes;
  const { found } = await store.transact({
    compares: [],
    success: [
      { kind: 'put', key: keys.replica(node), value: encodeRecord({ ...UNSOUGHT, ...replica }) },
      keys.replicas(limit + 1),
    ],
    failure: [],
  });
  const nodes = registeredOf(keys, found[1] ?? []);
  if (nodes.length <= limit) return nodes.filter((one) => one.node !== node);
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
