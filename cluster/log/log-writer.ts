/**
 * The side of a replicated log that appends, from a claim until another node claims. Invariants: an
 * entry is reported as committed only if it is in the log, once, at its number; after another
 * node's claim nothing is appended; `deposed` or `failed` is reported once, and nothing after it.
 * Bound: one append and one beat wait.
 *
 * An append compares three things in the transaction that puts the entry: that the epoch is this
 * claim's, that the head is the entry before, and that there is no entry with this number. The same
 * bytes are sent again until there is an answer. What the answer can be:
 *
 * - The compares hold: the entry is in the log now, and was not before.
 * - They do not, and the epoch is this claim's, and the entry is there with these bytes: an earlier
 *   attempt put it there. When is unknown, so for freshness the entry counts as old as its first
 *   attempt: a standby counts the silence of the log from the entry, and not from this answer.
 * - They do not, and another node has a newer epoch: this node is deposed. If the entry is not in
 *   the log now, it never will be, because the epoch's value never comes back. If it is, its
 *   commands happened, and their senders learn that from the new holder.
 * - They do not for any other reason: someone restored etcd from older data, or wrote there. To
 *   append to that would make two logs of one, so this node stops.
 *
 * An attempt that arrives late, after its retry has succeeded, changes nothing: the head is not the
 * entry before any more.
 */
import { strict as assert } from 'node:assert';
import { STORE_PACE, StoreError } from '../../persistence/shared/index.ts';
import type { LogEvent, LogHolder, LogPart } from './command-log.ts';
import { type EncodedEntry, encodeEntry } from './entry-codec.ts';
import type { LogClock, NoAnswerError, Transaction, TransactionResult } from './key-value-store.ts';
import { differs, type LogPlace, readTransaction, stateOf, stateReads } from './log-reading.ts';
import { encodeRecord, type LogHead } from './log-records.ts';
import { transactUntilAnswered } from './retry.ts';

export interface LogWriterOptions {
  readonly place: LogPlace;
  readonly clock: LogClock;
  /** This node, as its claim wrote it. */
  readonly holder: LogHolder;
  /** The newest entry when it claimed. */
  readonly head: LogHead;
  readonly onEvent: (event: LogEvent) => void;
  /** Whether to write a beat that is due. */
  readonly mayBeat: () => boolean;
}

interface Attempt {
  readonly kind: 'committed' | 'beat';
  readonly encoded: EncodedEntry;
  readonly head: LogHead;
  readonly startedMs: number;
}

export class LogWriter {
  readonly #options: LogWriterOptions;
  readonly #holderValue: Buffer;
  #head: LogHead;
  #isSending = false;
  #isAppending = false;
  #waiting: LogPart | undefined;
  #isOpen = true;
  #isOut = false;
  #cancelBeat: () => void = () => undefined;

  constructor(options: LogWriterOptions) {
    this.#options = options;
    this.#holderValue = encodeRecord(options.holder);
    this.#head = options.head;
    this.#beat();
  }

  get holder(): LogHolder {
    return this.#options.holder;
  }

  append(part: LogPart): void {
    if (!this.#isOpen) return;
    assert(!this.#isAppending, 'one append is in flight');
    this.#isAppending = true;
    if (this.#isSending) this.#waiting = part;
    else this.#send('committed', part);
  }

  /** An entry that is not committed yet may be in the log or not. */
  close(): void {
    this.#isOpen = false;
    this.#cancelBeat();
  }

  #beat(): void {
    if (!this.#options.mayBeat()) {
      this.#armBeat();
      return;
    }
    const firstSeq = this.#head.lastSeq + 1;
    this.#send('beat', {
      firstSeq,
      timesMs: [],
      kinds: [],
      payloads: [],
      content: [],
      digest: null,
    });
  }

  #send(kind: Attempt['kind'], part: LogPart): void {
    const { clock, holder } = this.#options;
    this.#cancelBeat();
    this.#isSending = true;
    const before = this.#head;
    const number = before.number + 1;
    assert(part.firstSeq === before.lastSeq + 1, 'the commands of a log have no gap');
    const encoded = encodeEntry({
      ...part,
      number,
      epoch: holder.epoch,
      previous: before.check,
      bytesBefore: before.bytes,
    });
    const head = {
      number,
      check: encoded.check,
      lastSeq: before.lastSeq + part.payloads.length,
      bytes: before.bytes + encoded.bytes.length,
    };
    const attempt = { kind, encoded, head, startedMs: clock.now() };
    this.#attempt(attempt).catch((error: unknown) => this.#fail(error));
  }

  async #attempt(attempt: Attempt): Promise<void> {
    const { place, clock } = this.#options;
    const retry = {
      store: place.store,
      clock,
      onOutage: ({ message }: NoAnswerError) => {
        this.#isOut = true;
        this.#report({ kind: 'outage', message });
      },
      isClosed: () => !this.#isOpen,
    };
    const answered = await transactUntilAnswered(retry, this.#transaction(attempt));
    if (!this.#isOpen) return;
    if (this.#isOut) this.#report({ kind: 'answering' });
    this.#isOut = false;
    const { result, sentAtMs } = answered;
    if (result.succeeded) this.#commit(attempt, sentAtMs);
    else this.#examine(attempt, result);
  }

  #transaction({ encoded, head }: Attempt): Transaction {
    const { place } = this.#options;
    const { keys } = place;
    const key = keys.entry(head.number);
    return {
      compares: [
        { kind: 'value', key: keys.epoch, value: this.#holderValue },
        { kind: 'value', key: keys.head, value: encodeRecord(this.#head) },
        { kind: 'absent', key },
      ],
      success: [
        { kind: 'put', key, value: encoded.bytes },
        { kind: 'put', key: keys.head, value: encodeRecord(head) },
      ],
      failure: readTransaction(place, [...stateReads(keys), { kind: 'get', key }]).success,
    };
  }

  /** `sentAtMs`: no later than the entry was put. */
  #commit({ kind, encoded, head, startedMs }: Attempt, sentAtMs: number): void {
    const { clock, holder } = this.#options;
    this.#head = head;
    this.#isSending = false;
    if (kind === 'committed') this.#isAppending = false;
    const { number, check, lastSeq: seq } = head;
    const { epoch } = holder;
    const tookMs = clock.now() - startedMs;
    this.#report({
      kind,
      seq,
      entry: { number, check, epoch, encoded: encoded.bytes, tookMs, sentAtMs },
    });
    const next = this.#waiting;
    this.#waiting = undefined;
    if (!this.#isOpen || this.#isSending) return; // the listener closed it or appended
    if (next !== undefined) this.#send('committed', next);
    else this.#armBeat();
  }

  #armBeat(): void {
    this.#cancelBeat();
    this.#cancelBeat = this.#options.clock.after(STORE_PACE.beatMs, () => this.#beat());
  }

  /** The compares did not hold: why? */
  #examine(attempt: Attempt, result: TransactionResult): void {
    const { holder } = this.#options;
    const { state, entry } = this.#failingBranch(result);
    const isHolder = state.holder.claimId === holder.claimId;
    const isThere = entry !== undefined && attempt.encoded.bytes.equals(entry);
    if (isHolder && isThere) {
      this.#commit(attempt, attempt.startedMs);
    } else if (state.holder.epoch > holder.epoch) {
      this.#end({ kind: 'deposed', by: state.holder });
    } else if (isHolder) {
      const { number } = attempt.head;
      throw differs(`entry ${number} can't follow what etcd has, up to ${state.head.number}`);
    } else {
      throw differs(`etcd has epoch ${state.holder.epoch}, but this node holds ${holder.epoch}`);
    }
  }

  #failingBranch({ found }: TransactionResult) {
    const state = stateOf(this.#options.place.keys, found);
    return { state, entry: found.at(3)?.[0]?.value };
  }

  #fail(error: unknown): void {
    if (!(error instanceof StoreError)) throw error;
    this.#end({ kind: 'failed', error });
  }

  #end(event: LogEvent): void {
    if (!this.#isOpen) return;
    this.close();
    this.#report(event);
  }

  #report(event: LogEvent): void {
    this.#options.onEvent(event);
  }
}
