/**
 * The operator's endpoints for accounts, their money, their owners and builders.
 */
export { getAccount, getAccounts, postAccounts } from './accounts.ts';
export { getBuilders, postBuilder } from './builders.ts';
export { deleteOwnerOrders } from './cancel-orders.ts';
export { MOVE_ROUTES, postDeposits, postWithdrawals, SetsAction } from './money.ts';
export { getOpenOrders } from './open-orders.ts';
export { deleteKey, getOwner, getOwners, postStanding } from './owners.ts';
