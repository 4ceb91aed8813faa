/**
 * Stores comments, profiles and market types of an import. Every method runs inside a transaction
 * of its caller, which rolls back if a refusal was added.
 *
 * Invariant: what a comment refers to is stored before it; counts are computed here, whatever the
 * record says; what users of this exchange did to an imported comment stays done
 * (content/local-changes.ts). Bounds: CATALOG_BOUNDS; `repliesTold` replies and `reactionsTold`
 * reactions inside one comment.
 */
import type { Database, Statement } from 'better-sqlite3';
import { LocalCommentChanges } from '../content/index.ts';
import {
  CATALOG_BOUNDS,
  type CommentParentType,
  describeValue,
  FIRST_LOCAL_ID,
  LOCAL_IDS_END,
} from '../model/index.ts';
import {
  type Candidate,
  checkComment,
  checkProfile,
  checkReaction,
  readList,
} from '../records/index.ts';

const PUT_COMMENT = `
INSERT INTO comments (id, event_id, series_id, market_id, parent_comment_id, thread_id,
  user_address, reply_address, body, created_at, updated_at, record)
VALUES (@id, iif(@type = 'Event', @parentId, NULL), iif(@type = 'Series', @parentId, NULL),
  iif(@type = 'market', @parentId, NULL), @parentCommentId, @threadId, @userAddress,
  @replyAddress, @body, @createdAt, @updatedAt, @record)
ON CONFLICT (id) DO UPDATE SET body = iif(@isEdited, body, excluded.body),
  user_address = excluded.user_address, reply_address = excluded.reply_address,
  updated_at = excluded.updated_at, record = excluded.record`;

const PUT_REACTION = `
INSERT INTO reactions (id, comment_id, reaction_type, icon, user_address, created_at, record)
VALUES (@id, @commentId, @reactionType, @icon, @userAddress, @createdAt, '{}')
ON CONFLICT DO NOTHING`;

// Reactions of users of this exchange stay.
const KEEP_REACTIONS = `
DELETE FROM reactions WHERE comment_id = @id AND (id < ${FIRST_LOCAL_ID} OR id >= ${LOCAL_IDS_END})
  AND id NOT IN (SELECT value FROM json_each(@kept))`;

const PUT_PROFILE = `
INSERT INTO profiles (wallet, proxy_wallet, name, pseudonym, bio, profile_image,
  display_username_public, is_mod, created_at, updated_at, record)
VALUES (@wallet, @proxyWallet, @name, @pseudonym, @bio, @profileImage, @displayUsernamePublic, @isMod,
  @createdAt, @updatedAt, @record)
ON CONFLICT (wallet) DO`;

const REPLACE_PROFILE = `${PUT_PROFILE} UPDATE SET proxy_wallet = excluded.proxy_wallet,
  name = excluded.name, pseudonym = excluded.pseudonym, bio = excluded.bio,
  profile_image = excluded.profile_image, is_mod = excluded.is_mod,
  display_username_public = excluded.display_username_public,
  updated_at = excluded.updated_at, record = excluded.record`;

const PUT_MARKET_TYPE = 'INSERT INTO market_types (name) VALUES (?) ON CONFLICT DO NOTHING';

const SELECT_COMMENT = `
SELECT thread_id AS threadId, coalesce(event_id, series_id, market_id) AS parentId
FROM comments WHERE id = ?`;

interface StoredComment {
  readonly threadId: number;
  readonly parentId: number;
}

interface CommentReference {
  readonly type: CommentParentType;
  readonly parentId: number | null;
  readonly parentCommentId: number | null;
}

type Put = Statement<[Readonly<Record<string, string | number | null>>]>;
type Exists = Statement<[id: number], { readonly id: number }>;

const MAX_CHARS = CATALOG_BOUNDS.lineChars;
const MAX_REACTIONS = CATALOG_BOUNDS.reactionsTold;

export class PeopleStore {
  readonly #putComment: Put;
  readonly #putReaction: Put;
  readonly #keepReactions: Put;
  readonly #addProfile: Put;
  readonly #replaceProfile: Put;
  readonly #putMarketType: Statement<[name: string]>;
  readonly #comment: Statement<[id: number], StoredComment>;
  readonly #exists: Readonly<Record<CommentParentType, Exists>>;
  readonly #localChanges: LocalCommentChanges;

  constructor(database: Database) {
    const exists = (table: string): Exists =>
      database.prepare(`SELECT id FROM ${table} WHERE id = ?`);
    this.#localChanges = new LocalCommentChanges(database);
    this.#putComment = database.prepare(PUT_COMMENT);
    this.#putReaction = database.prepare(PUT_REACTION);
    this.#keepReactions = database.prepare(KEEP_REACTIONS);
    this.#addProfile = database.prepare(`${PUT_PROFILE} NOTHING`);
    this.#replaceProfile = database.prepare(REPLACE_PROFILE);
    this.#putMarketType = database.prepare(PUT_MARKET_TYPE);
    this.#comment = database.prepare(SELECT_COMMENT);
    this.#exists = {
      Event: exists('events'),
      Series: exists('series'),
      market: exists('markets'),
    };
  }

  putMarketType({ value, path, refusals }: Candidate): void {
    const isName = typeof value === 'string' && value !== '' && value.length <= MAX_CHARS;
    if (isName) this.#putMarketType.run(value);
    else refusals.add(path, `a text of 1 to ${MAX_CHARS} characters`, describeValue(value));
  }

  putProfile(candidate: Candidate): void {
    const { path, refusals } = candidate;
    const row = checkProfile(candidate);
    if (row?.wallet === '') refusals.add(`${path}.proxyWallet`, 'an address', 'missing');
    if (row !== undefined && refusals.count === 0) this.#replaceProfile.run(row);
  }

  /** With the profile of its author, its reactions and its replies, if they are inside. */
  putComment(candidate: Candidate): void {
    const { value, path, refusals } = candidate;
    const comment = checkComment(candidate);
    if (comment === undefined) return;
    const { isRemoved, ...row } = comment;
    const threadId = this.#threadOf(comment, comment.id, candidate);
    if (refusals.count > 0 || this.#localChanges.isRemoved(row.id)) return;
    const isEdited = this.#localChanges.isEdited(row.id) && !isRemoved ? 1 : 0;
    this.#putComment.run({ ...row, threadId, isEdited });
    const inside: Readonly<Record<string, unknown>> = Object(value);
    this.#putAuthor({ value: inside.profile, path: `${path}.profile`, refusals });
    this.#putReactions(row.id, candidate, 'reactions' in inside);
    const replies: readonly unknown[] = Array.isArray(inside.replies) ? inside.replies : [];
    replies.slice(0, CATALOG_BOUNDS.repliesTold).forEach((reply, index) => {
      this.putComment({ value: reply, path: `${path}.replies[${index}]`, refusals });
    });
  }

  /** The thread that the comment belongs to. Refuses a reference to something unknown. */
  #threadOf(
    { type, parentId, parentCommentId }: CommentReference,
    id: number,
    { path, refusals }: Candidate,
  ): number {
    if (this.#exists[type].get(parentId ?? 0) === undefined) {
      const actual = describeValue(parentId ?? undefined);
      refusals.add(`${path}.parentEntityID`, `the id of a stored ${type}`, actual);
    }
    if (parentCommentId === null) return id;
    const parent = this.#comment.get(parentCommentId);
    if (parent === undefined || parent.parentId !== parentId) {
      const limit = `the id of a stored comment on the same ${type}`;
      refusals.add(`${path}.parentCommentID`, limit, describeValue(parentCommentId));
    }
    return parent?.threadId ?? id;
  }

  /** A profile that is stored already stays as it is. */
  #putAuthor(candidate: Candidate): void {
    if (candidate.value === undefined || candidate.value === null) return;
    const row = checkProfile(candidate);
    if (row !== undefined && row.wallet !== '' && candidate.refusals.count === 0) {
      this.#addProfile.run(row);
    }
  }

  #putReactions(commentId: number, candidate: Candidate, hasList: boolean): void {
    const reactions = readList(
      candidate,
      { name: 'reactions', most: MAX_REACTIONS },
      checkReaction,
    );
    for (const reaction of reactions) {
      const isTakenBack = this.#localChanges.isReactionRemoved(commentId, reaction);
      if (candidate.refusals.count === 0 && !isTakenBack) {
        this.#putReaction.run({ ...reaction, commentId });
      }
    }
    // A full list may be only the first of them.
    if (!hasList || reactions.length >= MAX_REACTIONS) return;
    const kept = JSON.stringify(reactions.map(({ id }) => id));
    this.#keepReactions.run({ id: commentId, kept });
  }
}
