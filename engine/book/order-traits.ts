/** Outcome, side, type and flags of an order, packed into the bits of one small integer. */
import { ORDER_TYPES, type OrderType, type Outcome, type Side } from '../model/index.ts';

const OUTCOME_BIT = 1;
const SELL_BIT = 2;
const TYPE_SHIFT = 2;
const POST_ONLY_BIT = 16;
/** Whether it rests or is delayed. */
export const LIVE_BIT = 32;
/** Whether it is delayed. */
export const DELAYED_BIT = 64;
/** Whether it is charged fees. */
export const FEES_BIT = 128;

/** All bits of a delayed order except LIVE_BIT and DELAYED_BIT. */
export const DELAYABLE_BITS = OUTCOME_BIT | SELL_BIT | (3 << TYPE_SHIFT) | POST_ONLY_BIT | FEES_BIT;
/** All bits of a resting order except LIVE_BIT; its type is GTC or GTD. */
export const RESTING_BITS = OUTCOME_BIT | SELL_BIT | (1 << TYPE_SHIFT) | POST_ONLY_BIT | FEES_BIT;
/** What a retry of a closed order is compared with: its type and whether it was post-only. */
export const RETRY_BITS = (3 << TYPE_SHIFT) | POST_ONLY_BIT;

export function traitsOf(outcome: Outcome, side: Side, type: OrderType, postOnly: boolean): number {
  return (
    outcome | (side === 'SELL' ? SELL_BIT : 0) | typeBits(type) | (postOnly ? POST_ONLY_BIT : 0)
  );
}

/** The place in ORDER_TYPES, shifted; comparisons are faster than a look-up by text. */
function typeBits(type: OrderType): number {
  if (type === 'GTC') return 0;
  return (type === 'GTD' ? 1 : type === 'FOK' ? 2 : 3) << TYPE_SHIFT;
}

export function outcomeOf(traits: number): Outcome {
  return (traits & OUTCOME_BIT) as Outcome; // a single bit
}

export function isSell(traits: number): boolean {
  return (traits & SELL_BIT) !== 0;
}

export function typeOf(traits: number): OrderType {
  return ORDER_TYPES[(traits >>> TYPE_SHIFT) & 3]!;
}

export function isPostOnly(traits: number): boolean {
  return (traits & POST_ONLY_BIT) !== 0;
}
