/** The parameters of a trading day, and the records that its processes exchange. */
import type { LoadAccount } from '../harness/exchange.ts';
import type { DueRequest } from '../harness/open-loop.ts';

export interface DayTerms {
  readonly seed: number;
  readonly minutes: number;
  /** Quotes and taking orders per second, without the extra ones after news. */
  readonly rate: number;
  readonly markets: number;
  readonly makers: number;
  readonly takers: number;
  readonly readsPerSecond: number;
  /** Splits, merges and conversions per second. */
  readonly movesPerSecond: number;
  readonly secondsBetweenNews: number;
  /** The number of sockets on the market channel. */
  readonly listeners: number;
  /** The number of sockets on the user channel, each of a different account. */
  readonly owners: number;
}

export const DAY: DayTerms = {
  seed: 1,
  minutes: 10,
  rate: 1_200,
  markets: 2_000,
  makers: 60,
  takers: 240,
  readsPerSecond: 200,
  movesPerSecond: 4,
  secondsBetweenNews: 12,
  listeners: 300,
  owners: 60,
};

export interface VenueMarket {
  readonly conditionId: string;
  readonly tokenIds: readonly [string, string];
  /** The id of its neg-risk event; '' for other markets. */
  readonly negRiskEvent: string;
}

/** Markets in falling order of activity, and accounts: makers first, then takers. */
export interface Venue {
  readonly markets: readonly VenueMarket[];
  readonly accounts: readonly LoadAccount[];
}

/** Kinds of requests. Latencies and answers are counted for each kind. */
export const LANES = ['orders', 'cancels', 'reads', 'moves'] as const;
export type Lane = (typeof LANES)[number];

/** A request of a trading day. Its due time counts from the beginning of the opening. */
export interface DayRequest extends DueRequest {
  readonly lane: Lane;
  /** The name of the read; '' for other requests. */
  readonly read: string;
  /** The number of orders or of ids to cancel in the request; 1 for other requests. */
  readonly items: number;
}

/** Markets that resolve: `at` is the fraction of the day, `rank` the index in `Venue.markets`. */
export const RESOLUTIONS = [
  { at: 0.35, rank: 41 },
  { at: 0.6, rank: 91 },
  { at: 0.85, rank: 16 },
] as const;
