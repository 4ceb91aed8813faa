/** What the process of a trading day's listeners is asked, and what it answers. */
import type { Percentiles } from '../harness/statistics.ts';

export interface ListenWish {
  readonly kind: 'listen';
  readonly port: number;
  /** First message of each socket of the market channel, then of the user channel. */
  readonly market: readonly string[];
  readonly user: readonly string[];
  /** When minute 0 begins, since the epoch. */
  readonly zeroMs: number;
  readonly minutes: number;
}

export type ListenersWish = ListenWish | { readonly kind: 'report' };

export interface HeardFigures extends Percentiles {
  readonly messages: number;
}

export interface Heard {
  /** By minute: from the time of an order in the journal to the message that tells its levels. */
  readonly minutes: readonly HeardFigures[];
  /** Messages of the user channel, all day: from when one was made. */
  readonly user: HeardFigures;
  /** Messages that did not follow the one before them. */
  readonly gaps: number;
  /** Sockets that the exchange closed, with what it said. */
  readonly closed: readonly string[];
}
