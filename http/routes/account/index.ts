/**
 * Endpoints for balances, sets, notifications, rewards and quotes, and the faucet.
 *
 * Invariant: moves of cash and tokens go through `intake`, in the order of the owner's requests. The
 * faucet, which nobody signs for, is no owner's request.
 */
export { deleteNotifications } from './delete-notifications.ts';
export {
  BalanceAllowance,
  getBalanceAllowance,
  updateBalanceAllowance,
} from './get-balance-allowance.ts';
export { getClosedOnly } from './get-closed-only.ts';
export { getNotifications } from './get-notifications.ts';
export { postFaucet } from './post-faucet.ts';
export { EmptyPage, REWARD_ROUTES } from './rewards.ts';
export { RFQ_ROUTES } from './rfq.ts';
export { SET_ROUTES, SetsSubmission } from './sets.ts';
