/**
 * The answers of a trading day: latencies by minute and lane, accepted orders, and refusals by
 * code. Latencies leave out the opening.
 *
 * Invariant: every answer is counted once. Bound: memory grows with codes and
 * minutes, not with answers.
 */
import { Latencies, type Percentiles } from '../harness/statistics.ts';
import { type DayRequest, LANES, type Lane } from './terms.ts';

export interface LaneFigures extends Percentiles {
  readonly requests: number;
  /** The number of orders or of ids to cancel; in other lanes the same as `requests`. */
  readonly items: number;
}

/** Refusals that are normal in trading. All others are faults. */
const EXPECTED: Readonly<Record<Lane, readonly string[]>> = {
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
  // GET /midpoint gets it for a book that is empty and has never traded.
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

type Counts = Map<string, number>;

function add(counts: Counts, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function figuresOf({ latencies, items }: Cell): LaneFigures {
  return { ...latencies.percentiles, requests: latencies.count, items };
}

export class DayRecorder {
  readonly #openingMs: number;
  readonly #minutes: Map<Lane, Cell>[];
  readonly #reads = new Map<string, Cell>();
  readonly refused: Counts = new Map();
  readonly unexpected: Counts = new Map();
  /** Orders that the journal must contain. */
  accepted = 0;
  /** `gone` counts orders that had already ended when their cancel arrived. */
  readonly cancels = { cancelled: 0, gone: 0 };

  constructor(minutes: number, openingMs: number) {
    this.#openingMs = openingMs;
    this.#minutes = Array.from({ length: minutes }, () => {
      return new Map(LANES.map((lane) => [lane, { latencies: new Latencies(), items: 0 }]));
    });
  }

  /** Counts an answer. `text` is its head and body. */
  take(request: DayRequest, status: number, latencyMs: number, text: string): void {
    const { lane, read, items, dueMs } = request;
    const minute = this.#minutes[Math.floor((dueMs - this.#openingMs) / 60_000)];
    if (minute !== undefined) {
      const readCell = this.#reads.get(read) ?? { latencies: new Latencies(), items: 0 };
      if (read !== '') this.#reads.set(read, readCell);
      for (const cell of [minute.get(lane)!, readCell]) {
        cell.latencies.record(latencyMs);
        cell.items += items;
      }
    }
    if (status === 200 && (lane === 'reads' || lane === 'moves')) return;
    if (lane === 'orders') this.accepted += text.split('"success":true').length - 1;
    if (lane === 'cancels' && status === 200) {
      // Safe: this is the response of the cancel routes.
      const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as {
        readonly canceled: readonly string[];
        readonly not_canceled: Readonly<Record<string, string>>;
      };
      this.cancels.cancelled += body.canceled.length;
      this.cancels.gone += Object.keys(body.not_canceled).length;
    }
    const codes = [...text.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code ?? '');
    if (status !== 200 && codes.length === 0) codes.push(`status ${status}`);
    for (const code of codes) {
      const what = `${read || lane}: ${code}`;
      add(this.refused, what);
      if (!EXPECTED[lane].includes(code)) add(this.unexpected, what);
    }
  }

  /** The figures of each minute by lane. */
  get minutes(): readonly Readonly<Record<Lane, LaneFigures>>[] {
    return this.#minutes.map((cells) => {
      const of = (lane: Lane): LaneFigures => figuresOf(cells.get(lane)!);
      return {
        orders: of('orders'),
        cancels: of('cancels'),
        reads: of('reads'),
        moves: of('moves'),
      };
    });
  }

  /** The figures of each kind of read, over the whole day. */
  get reads(): readonly (readonly [read: string, figures: LaneFigures])[] {
    return [...this.#reads].map(([read, cell]) => [read, figuresOf(cell)] as const);
  }
}
