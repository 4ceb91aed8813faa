/**
 * What came of a trading day: latencies by minute and kind, what was accepted, and refusals by
 * their code. The opening, before minute 0, is counted in all but latencies.
 *
 * Invariant: every answer is counted once. Bound: codes and minutes, not answers.
 */

import { Latencies, type Percentiles } from '../harness/statistics.ts';
import type { LaneName } from './plan.ts';
import type { DayAnswer } from './sender.ts';

/** Of one kind in one minute. */
export interface LaneFigures extends Percentiles {
  readonly requests: number;
  /** Orders, or ids to cancel; of others the same as requests. */
  readonly items: number;
}

export type MinuteFigures = Readonly<Record<LaneName, LaneFigures>>;

/** What a venue answers on any day. */
const EXPECTED: Readonly<Record<LaneName, readonly string[]>> = {
  orders: [
    'not_enough_cash',
    'not_enough_tokens',
    'post_only_would_cross',
    'fill_or_kill_unfilled',
    'nothing_to_match',
    'size_below_minimum',
    'market_closed',
    'market_resolved',
  ],
  cancels: [],
  // Of /midpoint: an empty book, between a cancel and the next quotes, without any trade.
  reads: ['book_not_found'],
  moves: [
    'not_enough_cash',
    'not_enough_tokens',
    'nothing_to_redeem',
    'market_closed',
    'market_resolved',
    'event_resolved',
  ],
};

interface Cell {
  readonly latencies: Latencies;
  items: number;
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

export class DayRecorder {
  readonly #openingMs: number;
  readonly #minutes: Record<LaneName, Cell>[];
  readonly #codes = new Map<string, number>();
  readonly #unexpected = new Map<string, number>();
  readonly #reads = new Map<string, Latencies>();
  #accepted = 0;
  #cancelled = 0;
  #gone = 0;

  constructor(minutes: number, openingMs: number) {
    this.#openingMs = openingMs;
    const cell = (): Cell => ({ latencies: new Latencies(), items: 0 });
    this.#minutes = Array.from({ length: Math.ceil(minutes) }, () => ({
      orders: cell(),
      cancels: cell(),
      reads: cell(),
      moves: cell(),
    }));
  }

  take({ lane, read, items, dueMs, latencyMs, status, body }: DayAnswer): void {
    const cell = this.#minutes[Math.floor((dueMs - this.#openingMs) / 60_000)]?.[lane];
    if (cell !== undefined) {
      cell.latencies.record(latencyMs);
      cell.items += items;
      if (read !== '') this.#read(read).record(latencyMs);
    }
    if (status === 200 && lane !== 'orders' && lane !== 'cancels') return;
    const text = body.toString('latin1');
    if (lane === 'orders') this.#accepted += count(text, '"success":true');
    if (lane === 'cancels' && status === 200) this.#noteCancels(text);
    const codes = [...text.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code ?? '');
    if (status !== 200 && codes.length === 0) codes.push(`status ${status}`);
    for (const code of codes) this.#note(lane, read, code);
  }

  /** Orders that the journal must hold. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Orders that were cancelled, and those that were named and had ended before. */
  get cancels(): { readonly cancelled: number; readonly gone: number } {
    return { cancelled: this.#cancelled, gone: this.#gone };
  }

  /** Refusals by kind and code, the most frequent first. */
  get codes(): readonly (readonly [what: string, count: number])[] {
    return [...this.#codes].sort(([, a], [, b]) => b - a);
  }

  get unexpected(): readonly (readonly [what: string, count: number])[] {
    return [...this.#unexpected];
  }

  get minutes(): readonly MinuteFigures[] {
    const figuresOf = ({ latencies, items }: Cell): LaneFigures => {
      return { ...latencies.percentiles, requests: latencies.count, items };
    };
    return this.#minutes.map(({ orders, cancels, reads, moves }) => ({
      orders: figuresOf(orders),
      cancels: figuresOf(cancels),
      reads: figuresOf(reads),
      moves: figuresOf(moves),
    }));
  }

  /** Of each kind of read, over the whole day. */
  get reads(): readonly (readonly [read: string, figures: LaneFigures])[] {
    return [...this.#reads].map(([read, latencies]) => {
      const requests = latencies.count;
      return [read, { ...latencies.percentiles, requests, items: requests }] as const;
    });
  }

  #read(read: string): Latencies {
    const latencies = this.#reads.get(read) ?? new Latencies();
    this.#reads.set(read, latencies);
    return latencies;
  }

  #noteCancels(text: string): void {
    // Our own route.
    const { canceled, not_canceled } = JSON.parse(text) as {
      readonly canceled: readonly string[];
      readonly not_canceled: Readonly<Record<string, string>>;
    };
    this.#cancelled += canceled.length;
    this.#gone += Object.keys(not_canceled).length;
  }

  #note(lane: LaneName, read: string, code: string): void {
    const what = `${read === '' ? lane : read}: ${code}`;
    const counts = EXPECTED[lane].includes(code) ? [this.#codes] : [this.#codes, this.#unexpected];
    for (const counted of counts) counted.set(what, (counted.get(what) ?? 0) + 1);
  }
}
