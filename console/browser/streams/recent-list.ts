/**
 * The newest records of a kind: what a stream sends, on top of what REST has of the time before.
 *
 * How the two meet without a gap or a repetition: subscribe, keep what the stream sends, fetch,
 * and put what came after the request on top of the answer. The exchange sends a message when REST
 * shows it, so the answer contains everything that came before the request. A record that is in
 * both is shown once, as the stream told it last.
 *
 * Bound: `limit` records. The answer of `fetch` must have the newest `limit` ones, if there are so
 * many; then nothing is missing between the two.
 */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Frames } from './frames.ts';

/** Whether the records of the time before the page listened are there. */
export type HistoryState = 'none' | 'loading' | 'loaded' | 'failed';

interface Entry<T> {
  readonly item: T;
  /** Counts what the stream sent. */
  readonly arrival: number;
}

interface Source<T> {
  readonly keyOf: (item: T) => string;
  /** Fetches the newest records, the newest first. */
  readonly fetch: () => Promise<readonly T[]>;
  readonly limit: number;
  readonly frames: Frames;
}

export class RecentList<T> {
  readonly #source: Source<T>;
  readonly #items = signal<readonly T[]>([]);
  readonly #history = signal<HistoryState>('none');
  /** The newest first. */
  #entries: Entry<T>[] = [];
  #arrivals = 0;
  /** Counts the requests, so that the answer to an earlier one is dropped. */
  #requests = 0;
  readonly #show = () => {
    this.#items.value = this.#entries.map(({ item }) => item);
  };

  constructor(source: Source<T>) {
    this.#source = source;
  }

  /** The newest first. It changes at most once a frame. */
  get items(): ReadonlySignal<readonly T[]> {
    return this.#items;
  }

  get history(): ReadonlySignal<HistoryState> {
    return this.#history;
  }

  /** Adds a record that the stream sent, or puts it in place of its earlier state. */
  add(item: T): void {
    const key = this.#source.keyOf(item);
    this.#arrivals += 1;
    const entry = { item, arrival: this.#arrivals };
    const place = this.#entries.findIndex((known) => this.#source.keyOf(known.item) === key);
    if (place >= 0) this.#entries[place] = entry;
    else {
      this.#entries.unshift(entry);
      if (this.#entries.length > this.#source.limit) this.#entries.pop();
    }
    this.#source.frames.add(this.#show);
  }

  /** Fetches the history, at first and when messages of the stream were lost. */
  load(): void {
    this.#requests += 1;
    const request = this.#requests;
    const since = this.#arrivals;
    this.#history.value = 'loading';
    this.#source.fetch().then(
      (answer) => {
        if (request !== this.#requests) return;
        this.#merge(answer, since);
        this.#history.value = 'loaded';
      },
      () => {
        // The page says so, and offers to load again; the request log has the cause.
        if (request === this.#requests) this.#history.value = 'failed';
      },
    );
  }

  /** Forgets everything, and what is being fetched. */
  clear(): void {
    this.#requests += 1;
    this.#entries = [];
    this.#history.value = 'none';
    this.#source.frames.add(this.#show);
  }

  #merge(answer: readonly T[], since: number): void {
    const { keyOf, limit, frames } = this.#source;
    const later = this.#entries.filter(({ arrival }) => arrival > since);
    const laterByKey = new Map(later.map((entry) => [keyOf(entry.item), entry]));
    const known = new Set(answer.map(keyOf));
    this.#entries = [
      ...later.filter(({ item }) => !known.has(keyOf(item))),
      ...answer.map((item) => laterByKey.get(keyOf(item)) ?? { item, arrival: since }),
    ].slice(0, limit);
    frames.add(this.#show);
  }
}
