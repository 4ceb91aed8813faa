/**
 * The routes by which account holders write into the catalog: comments, reactions, profiles.
 */
export { CommentAnswer } from './comments.ts';
export { CommentsOfNodes, MODERATION_MESSAGES } from './comments-of-nodes.ts';
export { CommentId, changeReply, commentIdIn, textReply } from './content-input.ts';
export { CONTENT_ROUTES } from './routes.ts';
