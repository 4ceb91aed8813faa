/**
 * The user channel `/ws/user`: the orders, trades and balances of one owner.
 *
 * Invariant: a socket gets messages of the one owner whose key it has, while that key is valid.
 * Each owner counts its steps in a sequence; a listener gets each step once, in order, or learns
 * that its filter skipped it.
 */
export { type AccountSource, UserChannel } from './channel.ts';
export type { ToldTrade } from './feed.ts';
export { USER_CHANNEL, type UserMessages } from './messages.ts';
