/** What the processes of `npm run bench -- streams` say to each other. */
import { type CreateMarket, lots, micros, ticks } from '../../engine/index.ts';
import type { Percentiles } from '../harness/statistics.ts';

/** The market whose level changes are published without an exchange around. */
export const BENCH_MARKET: CreateMarket = {
  kind: 'create_market',
  conditionId: `0x${'ab'.repeat(32)}`,
  tokenIds: ['1'.repeat(77), '2'.repeat(77)],
  tickTicks: ticks(100),
  minimumLots: lots(500),
  minimumBudgetMicros: micros(1_000_000),
  negRisk: false,
  eventId: '1',
  selfTrade: 'cancel_maker',
};

export interface ConnectWish {
  readonly kind: 'connect';
  readonly port: number;
  readonly count: number;
  /** Sent by each once it is connected. */
  readonly message: string;
}

export interface MeasureWish {
  readonly kind: 'measure';
  /** Changes of a level, of all clients together, each of which is one order. */
  readonly changes: number;
  /** When each order was due, in milliseconds since the epoch, by `levelKey`. */
  readonly dueMs?: Readonly<Record<string, number>>;
}

/** What the clients' parent asks for; each is answered once. */
export type ClientsWish =
  | ConnectWish
  | { readonly kind: 'count'; readonly frames: number }
  | MeasureWish;

export interface Lateness {
  /** From the message's own `timestamp`. */
  readonly accepted: Percentiles;
  /** From when the order was due to be sent. */
  readonly due?: Percentiles;
}

/** What a publisher's parent asks for; each is answered once. */
export type PublisherWish =
  /** Answered with the port. Without texts it is ours that starts. */
  | { readonly kind: 'start'; readonly texts?: readonly string[] }
  /** A batch a turn of the event loop. */
  | { readonly kind: 'publish'; readonly batches: number }
  /** One and the same text at a rate, with the time of each in place of its own. */
  | { readonly kind: 'pace'; readonly text: string; readonly dueMs: readonly number[] };

/** A level with the size that it has after an order. */
export function levelKey(price: number, size: number): string {
  return `${price} ${size}`;
}
