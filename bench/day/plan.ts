/**
 * What a trading day of the bench is made of: how much of everything, and what the parts say to
 * each other of it. Markets, accounts and orders are numbers here; only what sends them knows
 * names, keys and hashes.
 */
import type { OrderType, Outcome, Side } from '../../engine/index.ts';

export interface DayTerms {
  readonly seed: number;
  readonly minutes: number;
  readonly markets: number;
  /** Accounts that quote, then those that take. */
  readonly makers: number;
  readonly takers: number;
  /** Quotes and orders that take, without what news add. */
  readonly ordersPerSecond: number;
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
  markets: 2_000,
  makers: 60,
  takers: 240,
  ordersPerSecond: 1_200,
  readsPerSecond: 200,
  movesPerSecond: 4,
  secondsBetweenNews: 12,
  listeners: 300,
  owners: 60,
};

export interface DayOrder {
  /** Counted from 0; a cancel names it. */
  readonly number: number;
  readonly market: number;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly type: OrderType;
  readonly cents: number;
  /** 0 for a budget. */
  readonly lots: number;
  /** 0 for a size. */
  readonly budgetMicros: number;
  readonly postOnly: boolean;
  /** From when it is due; 0 for none. */
  readonly livesSeconds: number;
}

export type Move = 'split' | 'merge' | 'convert' | 'redeem';

export type Read =
  | 'book'
  | 'price'
  | 'midpoint'
  | 'history'
  | 'own orders'
  | 'own trades'
  | 'trades'
  | 'positions'
  | 'activity'
  | 'events'
  | 'markets'
  | 'search';

/** What is sent, and by whom. */
export type DayAct =
  | { readonly kind: 'orders'; readonly account: number; readonly orders: readonly DayOrder[] }
  | { readonly kind: 'order'; readonly account: number; readonly order: DayOrder }
  | { readonly kind: 'cancel'; readonly account: number; readonly numbers: readonly number[] }
  | { readonly kind: 'clear'; readonly account: number; readonly market: number }
  | {
      readonly kind: 'move';
      readonly account: number;
      readonly move: Move;
      readonly market: number;
      readonly lots: number;
    }
  | {
      readonly kind: 'read';
      readonly account: number;
      readonly read: Read;
      readonly market: number;
    }
  /** By the operator, of a market that is not of a neg-risk event. */
  | { readonly kind: 'resolve'; readonly market: number; readonly payout: 0 | 1 };

/** An act with the time at which it is due, in ms after the opening begins. */
export type DueAct = DayAct & { readonly dueMs: number };

/** What latencies and answers are counted by. */
export type LaneName = 'orders' | 'cancels' | 'reads' | 'moves';

export function laneOf(kind: Exclude<DayAct['kind'], 'resolve'>): LaneName {
  switch (kind) {
    case 'orders':
    case 'order':
      return 'orders';
    case 'cancel':
    case 'clear':
      return 'cancels';
    case 'read':
      return 'reads';
    case 'move':
      return 'moves';
  }
}
