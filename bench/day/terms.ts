/** How much of everything a trading day has, and what its processes tell each other. */
import type { LoadAccount } from '../harness/exchange.ts';
import type { DueRequest } from '../harness/open-loop.ts';

export interface DayTerms {
  readonly seed: number;
  readonly minutes: number;
  /** Quotes and taking orders, without those that news add. */
  readonly rate: number;
  readonly markets: number;
  readonly makers: number;
  readonly takers: number;
  readonly readsPerSecond: number;
  /** Splits, merges and conversions. */
  readonly movesPerSecond: number;
  readonly secondsBetweenNews: number;
  /** Sockets of the market channel. */
  readonly listeners: number;
  /** Sockets of the user channel, each of another account. */
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

/** Markets by how often they are traded, and accounts: makers first, then takers. */
export interface Venue {
  readonly markets: readonly VenueMarket[];
  readonly accounts: readonly LoadAccount[];
}

/** What latencies and answers are counted by. */
export const LANES = ['orders', 'cancels', 'reads', 'moves'] as const;
export type Lane = (typeof LANES)[number];

/** A request with its time after the opening began. */
export interface DayRequest extends DueRequest {
  readonly lane: Lane;
  /** Which read it is; '' for other requests. */
  readonly read: string;
  /** Orders, or ids to cancel; else 1. */
  readonly items: number;
}

/** Markets that resolve: where in the day, and which rank. */
export const RESOLUTIONS = [
  { at: 0.35, rank: 41 },
  { at: 0.6, rank: 91 },
  { at: 0.85, rank: 16 },
] as const;
