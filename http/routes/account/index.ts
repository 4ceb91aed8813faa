/**
 * Endpoints for balances, sets, notifications, rewards and quotes, and the faucet.
 *
 * Invariant: moves of cash and tokens by their owner go through `intake`, in the order of the
 * owner's requests. A gift of the faucet has no signature, so it is not one of them.
 */

export {
  BalanceAllowance,
  getBalanceAllowance,
  getClosedOnly,
  putBalanceAllowance,
  updateBalanceAllowance,
} from './get-balance-allowance.ts';
export { getRateLimitTier } from './get-rate-limit-tier.ts';
export { deleteNotifications, getNotifications } from './notifications.ts';
export { EmptyPage, REWARD_ROUTES } from './rewards.ts';
export { RFQ_ROUTES } from './rfq.ts';
export { SET_ROUTES, SetsSubmission } from './sets.ts';
