/**
 * Reads of a log, each in a transaction that also writes. Some versions of etcd have read from a
 * node that had lost its leadership; a write needs a majority. Invariant: what they return
 * continues what the reader knows, or they throw `log_differs`.
 */
import { PROGRAM_VERSION, STORE_BOUNDS, StoreError } from '../../persistence/shared/index.ts';
import type { LogEntry, LogHolder, LogPosition } from './command-log.ts';
import { decodeEntry } from './entry-codec.ts';
import type { FoundKeys, KeyValueStore, Operation } from './key-value-store.ts';
import type { LogKeys } from './log-keys.ts';
import {
  decodeHead,
  decodeHolder,
  decodePruned,
  type LogHead,
  type LogPruned,
  NO_HOLDER,
} from './log-records.ts';

/** Where a log is, and the node that uses it: its name and the rules of its engine. */
export interface LogPlace {
  readonly store: KeyValueStore;
  readonly keys: LogKeys;
  readonly node: string;
  readonly rules: number;
}

/** The state of a log, with the values to compare in a later transaction. */
export interface LogState {
  readonly holder: LogHolder;
  readonly head: LogHead;
  readonly pruned: LogPruned;
  /** undefined if no core has ever started. */
  readonly holderValue: Uint8Array | undefined;
  readonly headValue: Uint8Array;
  readonly prunedValue: Uint8Array;
}

/** What a transaction reads for `stateOf`. */
export function stateReads(keys: LogKeys): readonly Operation[] {
  return [
    { kind: 'get', key: keys.epoch },
    { kind: 'get', key: keys.head },
    { kind: 'get', key: keys.pruned },
  ];
}

export function stateOf(keys: LogKeys, [epoch, head, pruned]: readonly FoundKeys[]): LogState {
  const holderValue = epoch?.[0]?.value;
  const headValue = head?.[0]?.value;
  const prunedValue = pruned?.[0]?.value;
  if (headValue === undefined || prunedValue === undefined) throw lost(keys);
  return {
    holder: holderValue === undefined ? NO_HOLDER : decodeHolder(keys.epoch, holderValue),
    head: decodeHead(keys.head, headValue),
    pruned: decodePruned(keys.pruned, prunedValue),
    holderValue,
    headValue,
    prunedValue,
  };
}

/** A transaction that reads, and writes who did. */
export function readTransaction({ keys, node }: LogPlace, reads: readonly Operation[]) {
  const note: Operation = { kind: 'put', key: keys.look, value: Buffer.from(node) };
  return { compares: [], success: [...reads, note], failure: [] };
}

/** Rejects with NoAnswerError, `log_differs` or `log_newer`. */
export async function lookAt(place: LogPlace, known: LogPosition): Promise<LogState> {
  const { store, keys } = place;
  const next: Operation = { kind: 'get', key: keys.entry(known.number + 1) };
  const reads = [...stateReads(keys), next];
  const { found } = await store.transact(readTransaction(place, reads));
  const state = stateOf(keys, found);
  checkRules(state.holder, place.rules);
  checkKnown(keys, state, known);
  if (known.number < state.head.number && known.number + 1 >= state.pruned.below) {
    entriesOf(keys, { known, head: state.head, found: found.at(3) });
  }
  return state;
}

/** Rejects with NoAnswerError, `log_differs`, `log_damaged` or `log_pruned`. */
export async function readEntries(
  place: LogPlace,
  known: LogPosition,
): Promise<readonly LogEntry[]> {
  const { store, keys } = place;
  const reads = [...stateReads(keys), keys.entriesAfter(known.number, STORE_BOUNDS.entriesARead)];
  const { found } = await store.transact(readTransaction(place, reads));
  const state = stateOf(keys, found);
  checkKnown(keys, state, known);
  checkNotPruned(state, known);
  return entriesOf(keys, { known, head: state.head, found: found.at(3) });
}

/** The entries that a range found, which must continue the known one without a gap. */
export function entriesOf(
  keys: LogKeys,
  read: { known: LogPosition; head: LogHead; found: FoundKeys | undefined },
): readonly LogEntry[] {
  const { known, head, found = [] } = read;
  if (found.length === 0 && known.number < head.number) {
    throw differs(`etcd has no entry ${known.number + 1}, although its log ends at ${head.number}`);
  }
  let before = known;
  return found.map(({ key, value }) => {
    const entry = decodeEntry(key, value);
    if (entry.number !== before.number + 1 || key !== keys.entry(entry.number)) {
      throw differs(`after entry ${before.number}, etcd has entry ${entry.number} as ${key}`);
    }
    if (entry.previous !== before.check) {
      throw differs(`entry ${entry.number} in etcd does not continue this node's log`);
    }
    before = entry;
    return entry;
  });
}

/** Refuses a log that ends before the known entry, or has another one in its place. */
export function checkKnown(keys: LogKeys, { head }: LogState, known: LogPosition): void {
  if (head.number < known.number) {
    throw differs(
      `the log in etcd below ${keys.prefix} ends at entry ${head.number}, but this node has ` +
        `entry ${known.number}`,
    );
  }
  if (head.number === known.number && head.check !== known.check) {
    throw differs(`entry ${known.number} in etcd is another one than this node's`);
  }
}

export function checkNotPruned({ pruned }: LogState, known: LogPosition): void {
  if (known.number + 1 >= pruned.below) return;
  throw new StoreError(
    'log_pruned',
    `this node needs entry ${known.number + 1} of the log, and etcd has entries from ` +
      `${pruned.below} on: the node was away too long. It gets the commands from a core that runs`,
  );
}

/** Refuses to follow a core with newer rules than this program knows. */
export function checkRules({ node, program, rules }: LogHolder, known: number): void {
  if (rules <= known) return;
  throw new StoreError(
    'log_newer',
    `the core ${node} runs ${program}, whose engine has rules ${rules}. This program, ` +
      `${PROGRAM_VERSION}, knows rules up to ${known}: start the newer program here`,
  );
}

export function differs(what: string): StoreError {
  return new StoreError(
    'log_differs',
    `${what}: etcd was restored from older data, or --etcd-prefix names another log. Point this ` +
      'node to the etcd that has its log, or give it a new data folder if the log in etcd is right',
  );
}

function lost(keys: LogKeys): StoreError {
  return differs(`the log below ${keys.prefix} in etcd has no head`);
}
