/**
 * The operator's endpoints for accounts, their money, their owners and builders.
 */
export { getAccount, postAccounts } from './accounts.ts';
export { getBuilders, postBuilder } from './builders.ts';
export { MOVE_ROUTES, postDeposits, postWithdrawals, SetsAction } from './money.ts';
export { deleteKey, getOwner, postStanding } from './owners.ts';
