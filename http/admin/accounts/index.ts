/**
 * The operator's endpoints for accounts, owners and builders.
 */
export { deleteKey } from './delete-key.ts';
export { getAccount } from './get-account.ts';
export { getBuilders } from './get-builders.ts';
export { getOwner } from './get-owner.ts';
export { postAccounts } from './post-accounts.ts';
export { postBuilder } from './post-builder.ts';
export { postDeposits, postWithdrawals } from './post-money.ts';
export { postConvert, postMerge, postRedeem, postSplit, SetsAction } from './post-sets.ts';
export { postStanding } from './post-standing.ts';
