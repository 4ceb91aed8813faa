/**
 * The answers of a trading day: latencies by minute and lane, accepted orders, and refusals by
 * code. Latencies leave out the opening.
 *
 * Invariant: every answer is counted once. Bound: memory grows with codes and
 * minutes, not with answers.
 */
import { Latencies } from '../harness/statistics.ts';
import type { DayRequest, Lane } from './trading.ts';

/** Refusals that are normal in trading. All others are faults. */
const EXPECTED: Readonly<Record<Lane, readonly string[]>> = {
  orders: [
    'not_enough_cash',
    'not_enough_tokens',
    'post_only_would_cross',
    'fill_or_kill_unfilled',
    'nothing_to_match',
    'size_below_minimum',
  ],
  cancels: [],
  // GET /midpoint gets it for a book that is empty and has never traded.
  reads: ['book_not_found'],
};

type Counts = Map<string, number>;

function add(counts: Counts, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** The latencies of a minute's requests by lane, and how many orders they placed. */
function newMinute() {
  const lanes: Readonly<Record<Lane, Latencies>> = {
    orders: new Latencies(),
    cancels: new Latencies(),
    reads: new Latencies(),
  };
  return { lanes, orders: 0 };
}

export class DayRecorder {
  readonly #openingMs: number;
  readonly minutes: readonly ReturnType<typeof newMinute>[];
  readonly refused: Counts = new Map();
  readonly unexpected: Counts = new Map();
  /** Orders that the journal must contain. */
  accepted = 0;

  constructor(minutes: number, openingMs: number) {
    this.#openingMs = openingMs;
    this.minutes = Array.from({ length: minutes }, newMinute);
  }

  /** Counts an answer. `text` is its head and body. */
  take({ request, lane, items, dueMs }: DayRequest, status: number, ms: number, text: string) {
    const minute = this.minutes[Math.floor((dueMs - this.#openingMs) / 60_000)];
    if (minute !== undefined) {
      minute.lanes[lane].record(ms);
      if (lane === 'orders') minute.orders += items;
    }
    if (lane === 'orders') this.accepted += text.split('"success":true').length - 1;
    if (status === 200 && lane === 'reads') return;
    const codes = [...text.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code!);
    if (status !== 200 && codes.length === 0) codes.push(`status ${status}`);
    for (const code of codes) {
      const what = `${request.path.split('?')[0]}: ${code}`;
      add(this.refused, what);
      if (!EXPECTED[lane].includes(code)) add(this.unexpected, what);
    }
  }
}
