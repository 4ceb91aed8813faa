/**
 * A node while it is the core: its sequencer, the appends to the log, and the feed. Invariants:
 * what the log has committed goes to replicas, then into the journal and to those who wait for it,
 * and nothing does before; answers from the state alone are given only while the log was this
 * node's within the last second. Bounds: one append is in flight; nothing is appended while the
 * journal is too far behind.
 */

import type { Engine } from '../engine/index.ts';
import { type CommitPath, Sequencer } from '../persistence/index.ts';
import { BatchBuilder, type JournalBatch } from '../persistence/journal/batch.ts';
import {
  STORE_BOUNDS,
  STORE_PACE,
  type StoreError,
  type StoreObserver,
} from '../persistence/shared/index.ts';
import type { FeedCore } from './feed/index.ts';
import { type CommandLog, type CommittedEntry, type LogEvent, monotonicMs } from './log/index.ts';
import { diskHangs, noGateways } from './node-errors.ts';
import { type JournalBehind, SubmitDesk } from './replica/index.ts';

/** How long after a commit a core may answer from its state alone. */
const CURRENT_MS = 1_000;
/** Commands of replicas that were on their way for longer are refused. */
const LATE_MS = 3_000;
/** A core that no gateway has reached for so long resigns if they reach a standby. */
const ALONE_MS = 4_000;

export interface LeadingCoreOptions {
  readonly engine: Engine;
  readonly log: Pick<CommandLog, 'append'>;
  readonly journal: Pick<JournalBehind, 'isFull' | 'silenceMs'>;
  readonly lastSeq: number;
  readonly lastTimeMs: number;
  readonly now: () => number;
  /** An entry was committed: it goes into the journal. */
  readonly onCommitted: (
    entry: CommittedEntry,
    batch: JournalBatch | undefined,
    content: readonly string[],
  ) => void;
  readonly path: CommitPath;
  readonly observer?: StoreObserver | undefined;
}

/** Records of the catalog that are to be appended. */
interface WaitingContent extends PromiseWithResolvers<void> {
  readonly content: readonly string[];
}

export class LeadingCore {
  readonly sequencer: Sequencer;
  readonly desk: SubmitDesk;
  readonly #options: LeadingCoreOptions;
  #feed: FeedCore | undefined;
  /** The batch that the sequencer gave away last, until it is appended. */
  #batch: JournalBatch | undefined;
  #content: WaitingContent[] = [];
  #appending:
    | { readonly batch: JournalBatch | undefined; readonly content: readonly WaitingContent[] }
    | undefined;
  #nextSeq: number;
  #currentAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: LeadingCoreOptions) {
    const { engine, lastSeq, lastTimeMs, now, observer } = options;
    this.#options = options;
    this.#nextSeq = lastSeq + 1;
    this.sequencer = new Sequencer({
      engine,
      lastSeq,
      lastTimeMs,
      now,
      isConfirmed: () => this.isCurrent,
      batchEvents: STORE_BOUNDS.entryEvents,
      batchBytes: STORE_BOUNDS.entryPayloadBytes,
      append: (batch) => {
        this.#batch = batch;
        this.#append();
      },
      path: options.path,
      ...(observer && { observer }),
    });
    this.desk = new SubmitDesk({
      engine,
      take: (form, answer) => this.sequencer.take(form, answer),
      isLate: (heard) => this.#feed?.isLate(heard, LATE_MS) ?? false,
    });
  }

  get isCurrent(): boolean {
    return this.silenceMs < CURRENT_MS;
  }

  /** How long ago the log was this node's for sure. */
  get silenceMs(): number {
    return monotonicMs() - this.#currentAtMs;
  }

  /** Why this core must give its place away. `isStandbySought`: gateways look for a core there. */
  unfitness(isStandbySought: boolean): StoreError | undefined {
    if (this.#options.journal.silenceMs > STORE_PACE.hangMs) return diskHangs();
    const isAlone = (this.#feed?.gatewaySilenceMs ?? 0) > ALONE_MS;
    return isStandbySought && isAlone ? noGateways() : undefined;
  }

  serve(feed: FeedCore): void {
    this.#feed = feed;
  }

  /** Resolves when the records are in the log. */
  appendContent(content: readonly string[]): Promise<void> {
    const waiting = { content, ...Promise.withResolvers<void>() };
    this.#content.push(waiting);
    this.#append();
    return waiting.promise;
  }

  /** The journal has caught up. */
  resume(): void {
    this.#append();
  }

  take(event: Extract<LogEvent, { kind: 'committed' | 'beat' }>): void {
    const { seq, entry } = event;
    const done = event.kind === 'committed' ? this.#appending : undefined;
    if (event.kind === 'committed') this.#appending = undefined;
    this.#currentAtMs = Math.max(this.#currentAtMs, entry.sentAtMs);
    this.#feed?.publish(entry, seq, entry.encoded);
    const content = done?.content.flatMap((one) => one.content) ?? [];
    this.#options.onCommitted(entry, done?.batch, content);
    if (done?.batch !== undefined) {
      this.#nextSeq = seq + 1;
      this.sequencer.committed(seq);
    }
    for (const waiting of done?.content ?? []) waiting.resolve();
    this.sequencer.confirmed();
    this.#feed?.confirm(entry.sentAtMs);
    this.#append();
  }

  #append(): void {
    if (this.#appending !== undefined || this.#options.journal.isFull) return;
    const batch = this.#batch;
    if (batch === undefined && this.#content.length === 0) return;
    const content = this.#takeContent();
    this.#batch = undefined;
    this.#appending = { batch, content };
    const records = content.flatMap((one) => one.content);
    this.#options.log.append(batch ?? new BatchBuilder(this.#nextSeq).build(), records);
  }

  /** As much as fits into an entry beside the commands; more goes into the next ones. */
  #takeContent(): WaitingContent[] {
    let bytes = 0;
    const end = this.#content.findIndex(({ content }, index) => {
      for (const record of content) bytes += record.length;
      return index > 0 && bytes > STORE_BOUNDS.entryContentBytes;
    });
    return this.#content.splice(0, end === -1 ? this.#content.length : end);
  }
}
