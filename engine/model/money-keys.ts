/**
 * What an idempotency key stands for: the movement of money or tokens that was asked for with it,
 * and its result.
 */
import type { Lots, Micros } from './units.ts';

/** The kinds of commands with an idempotency key. Snapshots store a kind as its place here. */
export const MOVEMENT_KINDS = [
  'deposit',
  'withdraw',
  'split',
  'merge',
  'convert',
  'redeem',
] as const;

/** The account's gain or loss of cash by a movement, and the tokens that moved with it. */
export interface Moved {
  readonly amountMicros: Micros;
  readonly yesLots: Lots;
  readonly noLots: Lots;
}

/** An idempotency key, with the requested movement and its result. */
export interface IdempotencyKeyState extends Moved {
  readonly command: (typeof MOVEMENT_KINDS)[number];
  /** A key is unique within its owner; '' for the operator. */
  readonly owner: string;
  readonly key: string;
  readonly account: string;
  /** The market or the markets of an event; '' for a movement of cash only. */
  readonly subject: string;
  /** The requested micros of cash, or lots; 0 for a redemption, which takes all tokens. */
  readonly amount: number;
  /** The seq that put it into the journal's index; absent before. */
  readonly indexedSeq?: number;
}
