/**
 * The live-data channel: trades of all markets and comments.
 */
export { type CommentNews, LiveChannel } from './channel.ts';
export type { CommentNewsType } from './request.ts';
