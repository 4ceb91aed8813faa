/**
 * The live-data channel `/ws/live`: trades of all markets, comments and reactions.
 *
 * Invariant: fed by durable batches and by what the catalog committed. Its messages have no
 * sequence and can't be resumed; a slow client is closed all the same.
 */
export { type CommentStream, LiveChannel } from './channel.ts';
export { LIVE_CHANNEL, type LiveMessages } from './messages.ts';
export type { CommentMessageType } from './request.ts';
