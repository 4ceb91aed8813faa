/**
 * Commands that move money and tokens outside of trading: deposit and withdraw, split and merge,
 * convert, redeem, and the terms of builders. Each carries an idempotency key, except setting a
 * builder (`state/idempotency.ts`).
 *
 * Invariant: only deposits and withdrawals change the sum of all cash and locked collateral.
 */
export { convert } from './convert.ts';
export { moveCash } from './move-cash.ts';
export { mergeSets, splitCash } from './move-sets.ts';
export { areRedemptionsDue, redeem, redeemDue } from './redeem.ts';
export { setBuilder } from './set-builder.ts';
