/**
 * Endpoints for balances, sets, notifications, rewards and quotes, and the faucet.
 *
 * Invariant: moves of cash and tokens by their owner go through `intake`, in the order of the
 * owner's requests. A gift of the faucet has no signature, so it is not one of them.
 */
export { deleteNotifications } from './delete-notifications.ts';
export {
  BalanceAllowance,
  getBalanceAllowance,
  updateBalanceAllowance,
} from './get-balance-allowance.ts';
export { getClosedOnly } from './get-closed-only.ts';
export { getNotifications } from './get-notifications.ts';
export { EmptyPage, REWARD_ROUTES } from './rewards.ts';
export { RFQ_ROUTES } from './rfq.ts';
export { SET_ROUTES, SetsSubmission } from './sets.ts';
