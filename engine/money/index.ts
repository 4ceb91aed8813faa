/**
 * Commands that move money: deposits, withdrawals, split, merge, convert, redeem and builder fees.
 */
export { convert } from './convert.ts';
export { moveCash } from './move-cash.ts';
export { mergeSets, splitCash } from './move-sets.ts';
export { areRedemptionsDue, redeem, redeemDue } from './redeem.ts';
export { setBuilder } from './set-builder.ts';
