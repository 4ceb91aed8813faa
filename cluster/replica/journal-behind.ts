/**
 * The journal of a node of a cluster, which is written behind the log: what the log has committed
 * is answered and shown at once, and soon it is in the journal too. Several batches share a
 * transaction. Invariant: batches are written in order, each once, and only after their commit.
 * Bound: BEHIND_BOUNDS; while more waits, `isFull` is true and the owner stops committing.
 */
import type { JournalBatch } from '../../persistence/journal/batch.ts';
import type { JournalPlace } from '../../persistence/journal/schema.ts';
import type { JournalGroup } from '../../persistence/journal/writer.ts';
import { type ContentStamp, stampOfText } from '../../persistence/shared/index.ts';
import { monotonicMs } from '../log/index.ts';

const BEHIND_BOUNDS = {
  commands: 32_768,
  /** Bytes of their payloads and of content. */
  bytes: 64 * 1024 * 1024,
  groupCommands: 4_096,
} as const;

/** The interval at which the place in the log is noted while there are no commands. */
const PLACE_MS = 1_000;

export interface JournalBehindOptions {
  readonly post: (group: JournalGroup) => void;
  /** How long commands wait for others that share their transaction. */
  readonly pauseMs: number;
  /** The last content record that this node had heard of at its start. */
  readonly content: ContentStamp | undefined;
  /** The last content record that the catalog has applied. */
  readonly appliedContent: () => number;
  /** Everything up to there is in the journal. */
  readonly onWritten: (place: JournalPlace, seq: number) => void;
  /** There is room again after `isFull`. */
  readonly onRoom: () => void;
}

/** What a node has applied of an entry, or of several. */
export interface AppliedPart {
  /** undefined if there are no commands, or those are journaled already. */
  readonly batch?: JournalBatch | undefined;
  readonly content: readonly string[];
  /** The last record of the entries if this node does not have their records. */
  readonly told?: ContentStamp | undefined;
}

interface Waiting extends AppliedPart {
  readonly rules: number;
  readonly place: JournalPlace;
}

export class JournalBehind {
  readonly #options: JournalBehindOptions;
  #waiting: Waiting[] = [];
  #commands = 0;
  #bytes = 0;
  #writing: JournalPlace | undefined;
  #sinceMs = 0;
  #told: ContentStamp | undefined;
  #isFull = false;
  #timer: NodeJS.Timeout | undefined;
  /** That of the timer; Infinity if none is set. */
  #delayMs = Number.POSITIVE_INFINITY;
  #onIdle: (() => void) | undefined;

  constructor(options: JournalBehindOptions) {
    this.#options = options;
    this.#told = options.content;
  }

  /** The last content record up to the last place. */
  get told(): ContentStamp | undefined {
    return this.#told;
  }

  /** How long the journal has not answered while it writes. */
  get silenceMs(): number {
    return this.#writing === undefined ? 0 : monotonicMs() - this.#sinceMs;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  add(waiting: Waiting): void {
    const record = waiting.content.at(-1);
    this.#told = record ? stampOfText(record) : (waiting.told ?? this.#told);
    this.#waiting.push({ ...waiting, place: { ...waiting.place, content: this.#told } });
    this.#commands += waiting.batch?.payloads.length ?? 0;
    this.#bytes += bytesOf(waiting);
    this.#isFull = this.#commands > BEHIND_BOUNDS.commands || this.#bytes > BEHIND_BOUNDS.bytes;
    this.#writeLater();
  }

  /** The journal's thread has written the last group. */
  committed(seq: number): void {
    const place = this.#writing;
    this.#writing = undefined;
    if (place !== undefined) this.#options.onWritten(place, seq);
    if (this.#waiting.length === 0) this.#onIdle?.();
    else this.#writeLater();
    if (!this.#isFull || this.#commands > BEHIND_BOUNDS.commands / 2) return;
    this.#isFull = false;
    this.#options.onRoom();
  }

  /** Resolves when everything is in the journal. */
  async drain(): Promise<void> {
    if (this.#writing === undefined && this.#waiting.length === 0) return;
    await new Promise<void>((done) => {
      this.#onIdle = done;
      this.#write();
    });
  }

  /** Writes what waits: at once if there is much of it, or somebody waits for it. */
  #writeLater(): void {
    if (this.#writing !== undefined) return;
    const isUrgent = this.#isFull || this.#onIdle !== undefined;
    const pauseMs = this.#waiting.every(isEmpty) ? PLACE_MS : this.#options.pauseMs;
    const delayMs = isUrgent ? 0 : pauseMs;
    if (delayMs === 0) this.#write();
    else if (delayMs < this.#delayMs) {
      clearTimeout(this.#timer);
      this.#delayMs = delayMs;
      this.#timer = setTimeout(() => this.#write(), delayMs).unref();
    }
  }

  #write(): void {
    if (this.#writing !== undefined || this.#waiting.length === 0) return;
    clearTimeout(this.#timer);
    this.#delayMs = Number.POSITIVE_INFINITY;
    const count = this.#groupLength();
    const taken = this.#waiting.splice(0, count);
    const batches = taken.flatMap(({ batch }) => (batch === undefined ? [] : [batch]));
    for (const one of taken) {
      this.#commands -= one.batch?.payloads.length ?? 0;
      this.#bytes -= bytesOf(one);
    }
    const { place, rules } = taken.at(-1)!;
    const content = taken.flatMap((one) => one.content);
    const appliedContent = this.#options.appliedContent();
    this.#writing = place;
    this.#sinceMs = monotonicMs();
    this.#options.post({ batches, rules, place, content, appliedContent });
  }

  /** How many may be written together: under the same rules, and not too many commands. */
  #groupLength(): number {
    const { rules } = this.#waiting[0]!;
    let commands = 0;
    const end = this.#waiting.findIndex((one, index) => {
      commands += one.batch?.payloads.length ?? 0;
      const isTooMuch = index > 0 && commands > BEHIND_BOUNDS.groupCommands;
      return isTooMuch || one.rules !== rules;
    });
    return end === -1 ? this.#waiting.length : end;
  }
}

function isEmpty({ batch, content }: Waiting): boolean {
  return batch === undefined && content.length === 0;
}

function bytesOf({ batch, content }: Waiting): number {
  let bytes = 0;
  for (const payload of batch?.payloads ?? []) bytes += payload.length;
  for (const record of content) bytes += record.length;
  return bytes;
}
