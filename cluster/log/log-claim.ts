/**
 * How a node becomes the one that appends: it raises the epoch if nobody else has since it looked.
 *
 * Why at most one node appends, and why the tail that a claim reads is complete:
 *
 * 1. Each append compares the epoch's value with that of its own claim, in the transaction that
 *    puts the entry. A claim replaces this value, and no value ever comes back, because each claim
 *    has an id of its own. The store puts all transactions in one order. So every entry of an old
 *    epoch stands before the claim in that order, and none comes after it, however late the request
 *    of the deposed node arrives.
 * 2. The claim reads the head in its own transaction. Therefore this head is the last entry of the
 *    epochs before, for ever.
 * 3. Pages of the tail up to that head may be read later, in transactions of their own: entries are
 *    never changed, the old epochs can't add any (1), and only the holder prunes, which is this
 *    node, and below what is synced in its own journal.
 * 4. `pruned` is compared too. So nothing that this node lacks was pruned between look and claim.
 * 5. `head` is compared too. So the silence that the claimer saw lasted until the claim, and the
 *    second in which the old core answers reads after its last commit is over. Without it, a core
 *    that appends again between a slow look and the claim would show older state than the new one.
 * 6. If the answer is lost, the same claim is sent again. It can't succeed twice. If it happened,
 *    the failing branch finds this claim's id: it counts as if it had been answered at once, unless
 *    yet another node has claimed meanwhile, and then the claim is lost.
 *
 * A holder that stops resigns: it appends nothing more, shows nothing more, and then replaces its
 * own value of the epoch. A node that sees that need not wait for a silence, because there is no
 * second in which the old core answers reads. A resignation that arrives late changes nothing: the
 * epoch's value is another one after the next claim. If it is lost, the log falls silent, as after
 * a crash.
 */
import { STORE_BOUNDS } from '../../persistence/shared/index.ts';
import type { LogEntry, LogHolder, LogPosition } from './command-log.ts';
import type { Compare, Operation } from './key-value-store.ts';
import {
  checkKnown,
  checkNotPruned,
  checkRules,
  entriesOf,
  type LogPlace,
  type LogState,
  readTransaction,
  stateOf,
  stateReads,
} from './log-reading.ts';
import { encodeRecord } from './log-records.ts';
import { type RetryOptions, transactUntilAnswered } from './retry.ts';

export interface Claimed {
  readonly state: LogState;
  /** The first ones after the known position. */
  readonly entries: readonly LogEntry[];
}

export interface ClaimRequest {
  readonly known: LogPosition;
  /** What the node saw when it looked. */
  readonly seen: LogState;
  readonly holder: LogHolder;
}

/**
 * Returns undefined if another node has claimed since the look, or the log has grown or was pruned.
 * Rejects as `readEntries`, before the claim changes anything; after it only with `log_differs` and
 * `log_damaged`.
 */
export async function claimLog(
  place: LogPlace,
  retry: RetryOptions,
  request: ClaimRequest,
): Promise<Claimed | undefined> {
  const { keys } = place;
  const { known, seen, holder } = request;
  checkRules(seen.holder, place.rules);
  // The core's feed brought an entry since the look.
  if (known.number > seen.head.number) return undefined;
  checkKnown(keys, seen, known);
  checkNotPruned(seen, known);
  const value = encodeRecord(holder);
  const reads: readonly Operation[] = [
    ...stateReads(keys),
    keys.entriesAfter(known.number, STORE_BOUNDS.entriesARead),
  ];
  const { result } = await transactUntilAnswered(retry, {
    compares: [
      holderCompare(keys.epoch, seen.holderValue),
      { kind: 'value', key: keys.head, value: seen.headValue },
      { kind: 'value', key: keys.pruned, value: seen.prunedValue },
    ],
    success: [{ kind: 'put', key: keys.epoch, value }, ...reads],
    failure: readTransaction(place, reads).success,
  });
  const found = result.succeeded ? result.found.slice(1) : result.found;
  const state = stateOf(keys, found);
  if (state.holder.claimId !== holder.claimId) return undefined;
  checkKnown(keys, state, known);
  return { state, entries: entriesOf(keys, { known, head: state.head, found: found.at(3) }) };
}

/**
 * Gives the log away. The holder must have stopped to append and to show its state. Rejects with
 * NoAnswerError if the store does not answer: then it may have happened or not.
 */
export async function resignLog({ store, keys }: LogPlace, holder: LogHolder): Promise<void> {
  const value = encodeRecord({ ...holder, hasResigned: true });
  await store.transact({
    compares: [{ kind: 'value', key: keys.epoch, value: encodeRecord(holder) }],
    success: [{ kind: 'put', key: keys.epoch, value }],
    failure: [],
  });
}

function holderCompare(key: string, seen: Uint8Array | undefined): Compare {
  return seen === undefined ? { kind: 'absent', key } : { kind: 'value', key, value: seen };
}
