/**
 * The newest entries of the log, as the core sends them to its replicas, so that those which are a
 * little behind need no read of the journal. Invariants: numbers have no gap; every entry that the
 * core's journal does not have yet is here. Bound: FEED_BOUNDS.recentBytes, and beyond it what the
 * journal does not have yet, which is bounded by the core.
 */
import type { LogPosition } from '../log/index.ts';
import { FEED_BOUNDS } from './frames.ts';

export interface RecentEntry extends LogPosition {
  /** The last command up to this entry. */
  readonly seq: number;
  readonly frame: Uint8Array;
  readonly committedMs: number;
}

export class RecentEntries {
  /** The place before the oldest entry that is here. */
  #base: LogPosition & { readonly seq: number };
  #entries: RecentEntry[] = [];
  /** Entries at the beginning of the list that are removed. */
  #gone = 0;
  #bytes = 0;
  #journaled = 0;

  constructor(base: LogPosition, seq: number) {
    this.#base = { number: base.number, check: base.check, seq };
    this.#journaled = base.number;
  }

  get newest(): LogPosition & { readonly seq: number } {
    return this.#gone < this.#entries.length ? this.#entries.at(-1)! : this.#base;
  }

  add(entry: RecentEntry): void {
    this.#entries.push(entry);
    this.#bytes += entry.frame.length;
    this.#trim();
  }

  /** The core's journal has everything up to an entry. */
  noteJournaled(number: number): void {
    this.#journaled = number;
    this.#trim();
  }

  placeAt(number: number): (LogPosition & { readonly seq: number }) | undefined {
    return number === this.#base.number ? this.#base : this.at(number);
  }

  at(number: number): RecentEntry | undefined {
    const index = this.#gone + number - this.#base.number - 1;
    return index < this.#gone ? undefined : this.#entries[index];
  }

  #trim(): void {
    while (this.#bytes > FEED_BOUNDS.recentBytes) {
      const oldest = this.#entries[this.#gone];
      if (oldest === undefined || oldest.number > this.#journaled) break;
      this.#bytes -= oldest.frame.length;
      this.#base = { number: oldest.number, check: oldest.check, seq: oldest.seq };
      this.#gone += 1;
    }
    // Seldom, because the rest of the list moves.
    if (this.#gone <= this.#entries.length / 2) return;
    this.#entries = this.#entries.slice(this.#gone);
    this.#gone = 0;
  }
}
