/**
 * Commands about accounts: opening them, API keys, owner standing and the fee account.
 */
export { dismissNotifications } from './dismiss-notifications.ts';
export { mayCollect, openFeeAccount } from './fee-account.ts';
export { issueApiKey, revokeApiKey } from './issue-api-key.ts';
export {
  accountFor,
  addAccount,
  isOwned,
  mayOpen,
  type NewAccount,
  openAccount,
} from './open-account.ts';
export { mayTrade, setStanding } from './standing.ts';
