/**
 * Splits a comment of a source into single comments, each after the comment that it answers, and
 * gives them ids that no comment of this exchange has. Most ids of a source are kept. An exchange
 * like this one gives ids from `FIRST_LOCAL_ID` on to its own comments, as this exchange does, so
 * each source gets a block of a trillion ids.
 *
 * Pure: the same record of the same source always gives the same comments. Bound: the depth of the
 * record, which the caller checked.
 */
import { createHash } from 'node:crypto';
import { FIRST_LOCAL_ID, type Fields, isFields, LOCAL_IDS_END, listOf } from '../model/index.ts';

/** Keeps ids within the 15 digits that paths allow. */
const BLOCKS = 999;

const ID = /^[1-9]\d{0,14}$/;

/** The id in the form it has, text or number. A value that is not an id is returned as it is. */
function foreignId(source: string, id: unknown): unknown {
  const isId = (typeof id === 'string' || typeof id === 'number') && ID.test(`${id}`);
  if (!isId || Number(id) < FIRST_LOCAL_ID) return id;
  // The source may have copied comments itself, into blocks of its own.
  const theirBlock = Math.floor(Number(id) / LOCAL_IDS_END);
  const digest = createHash('sha256').update(`${theirBlock} ${source}`).digest();
  const block = 1 + (digest.readUInt32BE(0) % BLOCKS);
  const ours = block * LOCAL_IDS_END + (Number(id) % LOCAL_IDS_END);
  return typeof id === 'string' ? `${ours}` : ours;
}

/** The comment without its replies. */
function withoutReplies(source: string, { replies: _replies, ...fields }: Fields): Fields {
  return {
    ...fields,
    id: foreignId(source, fields.id),
    ...(fields.parentCommentID != null && {
      parentCommentID: foreignId(source, fields.parentCommentID),
    }),
    ...(Array.isArray(fields.reactions) && {
      reactions: fields.reactions.map((reaction: unknown) =>
        isFields(reaction) ? { ...reaction, id: foreignId(source, reaction.id) } : reaction,
      ),
    }),
  };
}

/** The comment and all that are inside it. A value that is not a comment is returned as it is. */
export function foreignComments(source: string, record: unknown): readonly unknown[] {
  const found: unknown[] = [];
  // A stack: a comment is taken before its replies, and those in their order.
  const left: unknown[] = [record];
  while (left.length > 0) {
    const next = left.pop();
    found.push(isFields(next) ? withoutReplies(source, next) : next);
    if (isFields(next)) left.push(...listOf(next.replies).toReversed());
  }
  return found;
}
