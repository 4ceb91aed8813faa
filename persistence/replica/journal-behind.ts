/**
 * The journal of a node of a cluster, which is written behind the log: what the log has committed is
 * answered and shown at once, and soon it is in the journal too. Several batches share a
 * transaction. Invariant: batches are written in order, each once, and only after their commit.
 * Bound: BEHIND_BOUNDS; while more waits, `isFull` is true and the owner stops committing.
 */
import type { JournalBatch, JournalGroup, JournalPlace } from '../journal/index.ts';

export const BEHIND_BOUNDS = {
  /** Commands that wait for the journal. */
  commands: 32_768,
  /** Bytes of their payloads. */
  bytes: 64 * 1024 * 1024,
  /** Commands in one transaction. */
  groupCommands: 4_096,
} as const;

/** The interval at which the place in the log is noted while there are no commands. */
const PLACE_MS = 1_000;

export interface JournalBehindOptions {
  readonly post: (group: JournalGroup) => void;
  /** Everything up to there is in the journal. */
  readonly onWritten: (place: JournalPlace, seq: number) => void;
  /** There is room again after `isFull`. */
  readonly onRoom: () => void;
}

interface Waiting {
  readonly batch: JournalBatch | undefined;
  readonly rules: number;
  readonly place: JournalPlace;
}

export class JournalBehind {
  readonly #options: JournalBehindOptions;
  #waiting: Waiting[] = [];
  #commands = 0;
  #bytes = 0;
  /** The place of the group that is being written. */
  #writing: JournalPlace | undefined;
  #isFull = false;
  #timer: NodeJS.Timeout | undefined;
  #onIdle: (() => void) | undefined;

  constructor(options: JournalBehindOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** `batch`: undefined if the entry has no commands. */
  add(batch: JournalBatch | undefined, rules: number, place: JournalPlace): void {
    this.#waiting.push({ batch, rules, place });
    if (batch === undefined) {
      this.#timer ??= setTimeout(() => this.#write(), PLACE_MS).unref();
      return;
    }
    this.#commands += batch.payloads.length;
    this.#bytes += bytesOf(batch);
    this.#isFull = this.#commands > BEHIND_BOUNDS.commands || this.#bytes > BEHIND_BOUNDS.bytes;
    this.#write();
  }

  /** The journal's thread has written the last group. */
  committed(seq: number): void {
    const place = this.#writing;
    this.#writing = undefined;
    if (place !== undefined) this.#options.onWritten(place, seq);
    if (this.#waiting.some(({ batch }) => batch !== undefined)) this.#write();
    else if (this.#waiting.length === 0) this.#onIdle?.();
    else if (this.#onIdle !== undefined) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), PLACE_MS).unref();
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

  #write(): void {
    if (this.#writing !== undefined || this.#waiting.length === 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const count = this.#groupLength();
    const taken = this.#waiting.splice(0, count);
    const batches = taken.flatMap(({ batch }) => (batch === undefined ? [] : [batch]));
    for (const batch of batches) {
      this.#commands -= batch.payloads.length;
      this.#bytes -= bytesOf(batch);
    }
    const { place, rules } = taken.at(-1)!;
    this.#writing = place;
    this.#options.post({ batches, rules, place });
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

function bytesOf({ payloads }: JournalBatch): number {
  let bytes = 0;
  for (const payload of payloads) bytes += payload.length;
  return bytes;
}
