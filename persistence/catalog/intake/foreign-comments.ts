/**
 * Comments of a source as they are taken: each by itself, what it answers before it, and under ids
 * that nothing of this exchange has. Ids of an import are kept; those that an exchange like this
 * one gave to what was written there (`FIRST_LOCAL_ID` and above) would be those of what is written
 * here, so a block of a trillion ids belongs to each source.
 *
 * Pure: the same record of the same source is always the same comments. Bound: the record's own
 * depth, which the caller has looked at.
 */
import { createHash } from 'node:crypto';
import { FIRST_LOCAL_ID, LOCAL_IDS_END } from '../model/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An id keeps to 15 digits, as paths take them. */
const BLOCKS = 999;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const ID = /^[1-9]\d{0,14}$/;

/** An id as text or number, in the same form; what is no id stays. */
function foreignId(source: string, id: unknown): unknown {
  const isId = (typeof id === 'string' || typeof id === 'number') && ID.test(`${id}`);
  if (!isId || Number(id) < FIRST_LOCAL_ID) return id;
  // A source may be a copy itself, with blocks of its own.
  const theirBlock = Math.floor(Number(id) / LOCAL_IDS_END);
  const digest = createHash('sha256').update(`${theirBlock} ${source}`).digest();
  const block = 1 + (digest.readUInt32BE(0) % BLOCKS);
  const ours = block * LOCAL_IDS_END + (Number(id) % LOCAL_IDS_END);
  return typeof id === 'string' ? `${ours}` : ours;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Without its replies. */
function ownOf(source: string, { replies: _replies, ...fields }: Fields): Fields {
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

/** The comment and all that are inside it; what is no comment as it is. */
export function foreignComments(source: string, record: unknown): readonly unknown[] {
  const found: unknown[] = [];
  // From its end: the first is taken next, and what it answers was taken before it.
  const left: unknown[] = [record];
  while (left.length > 0) {
    const next = left.pop();
    found.push(isFields(next) ? ownOf(source, next) : next);
    if (isFields(next)) left.push(...listOf(next.replies).toReversed());
  }
  return found;
}
