/**
 * The routes by which account holders write into the catalog: comments, reactions, profiles.
 */
import type { Route } from '../../../http/services/index.ts';
import { deleteComment, postComment, postCommentReport, putComment } from './comments.ts';
import { putProfile } from './put-profile.ts';
import { deleteReaction, postReaction } from './reactions.ts';

export { CommentAnswer } from './comments.ts';
export { CommentsOfNodes, MODERATION_MESSAGES } from './comments-of-nodes.ts';
export { CommentId, changeReply, commentIdIn, textReply } from './content-input.ts';

export const CONTENT_ROUTES = [
  postComment,
  putComment,
  deleteComment,
  postReaction,
  deleteReaction,
  postCommentReport,
  putProfile,
] as const satisfies readonly Route[];
