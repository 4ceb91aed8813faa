/**
 * Splits a comment of a source into single comments, each after the comment that it answers, and
 * gives them ids that no comment of this exchange has. Ids below `FIRST_LOCAL_ID` are kept. A
 * source that is an exchange like this one gives its own comments higher ids, as this exchange
 * does. They are moved into a block of a trillion ids for the source.
 *
 * Pure: the same record of the same source always gives the same comments. Bound: the depth of the
 * record, which the caller checked.
 */
import { createHash } from 'node:crypto';
import { FIRST_LOCAL_ID, type Fields, isFields, LOCAL_IDS_END, listOf } from '../model/index.ts';

/** Keeps ids within the 15 digits that paths allow. */
const BLOCKS = 999;

const ID = /^[1-9]\d{0,14}$/;

/** The id on this exchange, text or number as given. Other values are returned unchanged. */
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

/** The comment and all replies inside it. A value that is not a comment is returned unchanged. */
export function foreignComments(source: string, record: unknown): readonly unknown[] {
  const found: unknown[] = [];
  // A stack: a comment comes before its replies, and replies keep their order.
  const left: unknown[] = [record];
  while (left.length > 0) {
    const next = left.pop();
    found.push(isFields(next) ? withoutReplies(source, next) : next);
    if (isFields(next)) left.push(...listOf(next.replies).toReversed());
  }
  return found;
}
