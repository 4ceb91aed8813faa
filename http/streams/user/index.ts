/**
 * The user channel: the orders and trades of one owner.
 */
export { type AccountSource, UserChannel } from './channel.ts';
