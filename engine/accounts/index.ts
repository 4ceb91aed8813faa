/**
 * Accounts and their owners: opening accounts, API keys, the fee account, dismissed notifications,
 * and the checks of who may act for an account and trade with it. Nothing here touches an order.
 */
export { issueApiKey, revokeApiKey } from './api-keys.ts';
export { dismissNotifications } from './dismiss-notifications.ts';
export { ensureFeeAccount } from './fee-account.ts';
export {
  accountFor,
  addAccount,
  depositRoom,
  type NewAccount,
  openAccount,
  openingFault,
} from './open-account.ts';
export { mayBuy, standingFault } from './standing-checks.ts';
