/**
 * Endpoints for comments, reactions and profiles.
 */
export { CommentAnswer } from './comments.ts';
export { WORD_ROUTES } from './routes.ts';
export { CommentId, changeReply, commentIdIn, textReply } from './word-input.ts';
