/**
 * Stores comments, profiles and market types of an import. Every method runs inside a transaction
 * of its caller, which rolls back if a refusal was added.
 *
 * Invariant: what a comment refers to is stored before it; counts are computed here, whatever the
 * record says; what users of this exchange did to a synced comment is not undone
 * (content/local-changes.ts). Bounds: CATALOG_BOUNDS; `repliesTold` replies and `reactionsTold`
 * reactions inside one comment.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../persistence/shared/index.ts';
import { LocalCommentChanges } from '../content/local-changes.ts';
import {
  CATALOG_BOUNDS,
  describeValue,
  FIRST_LOCAL_ID,
  type Fields,
  LOCAL_IDS_END,
  listOf,
  type NamedParentType,
} from '../model/index.ts';
import { checkComment, checkProfile, checkReaction } from '../records/people-records.ts';
import { type Candidate, readList } from '../records/record-schema.ts';

const PUT_COMMENT = `
INSERT INTO comments (id, event_id, series_id, parent_comment_id, thread_id,
  user_address, reply_address, body, created_at, updated_at, record)
VALUES (@id, iif(@type = 'Event', @parentId, NULL), iif(@type = 'Series', @parentId, NULL),
  @parentCommentId, @threadId, @userAddress, @replyAddress, @body, @createdAt, @updatedAt, @record)
ON CONFLICT (id) DO UPDATE SET body = iif(@isEdited, body, excluded.body),
  user_address = excluded.user_address, reply_address = excluded.reply_address,
  updated_at = excluded.updated_at, record = excluded.record`;

const PUT_REACTION = `
INSERT INTO reactions (id, comment_id, reaction_type, icon, user_address, created_at, record)
VALUES (@id, @commentId, @reactionType, @icon, @userAddress, @createdAt, '{}')
ON CONFLICT DO NOTHING`;

// Deletes reactions that the record no longer has. Those of users of this exchange stay.
const KEEP_REACTIONS = `
DELETE FROM reactions WHERE comment_id = @id AND (id < ${FIRST_LOCAL_ID} OR id >= ${LOCAL_IDS_END})
  AND id NOT IN (SELECT value FROM json_each(@kept))`;

const PUT_PROFILE = `
INSERT INTO profiles (wallet, proxy_wallet, name, pseudonym, bio, profile_image,
  display_username_public, is_mod, created_at, updated_at, record)
VALUES (@wallet, @proxyWallet, @name, @pseudonym, @bio, @profileImage,
  @displayUsernamePublic, @isMod, @createdAt, @updatedAt, @record)
ON CONFLICT (wallet) DO`;

const ADD_PROFILE = `${PUT_PROFILE} NOTHING`;

const REPLACE_PROFILE = `${PUT_PROFILE} UPDATE SET proxy_wallet = excluded.proxy_wallet,
  name = excluded.name, pseudonym = excluded.pseudonym, bio = excluded.bio,
  profile_image = excluded.profile_image, is_mod = excluded.is_mod,
  display_username_public = excluded.display_username_public,
  updated_at = excluded.updated_at, record = excluded.record`;

const PUT_MARKET_TYPE = 'INSERT INTO market_types (name) VALUES (?) ON CONFLICT DO NOTHING';

const SELECT_COMMENT = `
SELECT thread_id AS threadId, coalesce(event_id, series_id) AS parentId
FROM comments WHERE id = ?`;

/** The id under which a comment is stored: that of its event or series. */
const PARENT_ID: Readonly<Record<NamedParentType, string>> = {
  Event: 'SELECT id FROM events WHERE id = ?',
  Series: 'SELECT id FROM series WHERE id = ?',
  market: 'SELECT event_id FROM markets WHERE id = ?',
};

interface StoredComment {
  readonly threadId: number;
  readonly parentId: number;
}

interface CommentReference {
  readonly type: NamedParentType;
  readonly parentId: number | null;
  readonly parentCommentId: number | null;
}

const MAX_CHARS = CATALOG_BOUNDS.lineChars;
const MAX_REACTIONS = CATALOG_BOUNDS.reactionsTold;

export class PeopleStore {
  readonly #sql: StatementCache;
  readonly #localChanges: LocalCommentChanges;

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
    this.#localChanges = new LocalCommentChanges(database);
  }

  putMarketType({ value, path, refusals }: Candidate): void {
    const isName = typeof value === 'string' && value !== '' && value.length <= MAX_CHARS;
    if (isName) this.#sql.run(PUT_MARKET_TYPE, value);
    else refusals.add(path, `a text of 1 to ${MAX_CHARS} characters`, describeValue(value));
  }

  putProfile(candidate: Candidate): void {
    const { path, refusals } = candidate;
    const row = checkProfile(candidate);
    if (row?.wallet === '') refusals.add(`${path}.proxyWallet`, 'an address', 'missing');
    if (row !== undefined && refusals.count === 0) this.#sql.run(REPLACE_PROFILE, row);
  }

  /** Stores a comment, and its author's profile, reactions and replies if the record has them. */
  putComment(candidate: Candidate): void {
    const { value, path, refusals } = candidate;
    const comment = checkComment(candidate);
    if (comment === undefined) return;
    const { isRemoved, ...named } = comment;
    const parentId = this.#parentOf(comment, candidate);
    const type = named.type === 'Series' ? ('Series' as const) : ('Event' as const);
    const row = { ...named, type, parentId };
    const threadId = this.#threadOf(row, candidate);
    if (refusals.count > 0 || this.#localChanges.isRemoved(row.id)) return;
    const isEdited = this.#localChanges.isEdited(row.id) && !isRemoved ? 1 : 0;
    this.#sql.run(PUT_COMMENT, { ...row, threadId, isEdited });
    const inside: Fields = Object(value);
    this.#putAuthor({ value: inside.profile, path: `${path}.profile`, refusals });
    this.#putReactions(row.id, candidate, 'reactions' in inside);
    const replies = listOf(inside.replies);
    replies.slice(0, CATALOG_BOUNDS.repliesTold).forEach((reply, index) => {
      this.putComment({ value: reply, path: `${path}.replies[${index}]`, refusals });
    });
  }

  #parentOf({ type, parentId }: CommentReference, { path, refusals }: Candidate): number {
    const id = this.#sql.value<number>(PARENT_ID[type], parentId ?? 0);
    if (id !== undefined) return id;
    const actual = describeValue(parentId ?? undefined);
    refusals.add(`${path}.parentEntityID`, `the id of a stored ${type}`, actual);
    return 0;
  }

  /** The thread that the comment belongs to. Refuses a reference to an unknown comment. */
  #threadOf(
    { id, type, parentId, parentCommentId }: CommentReference & { readonly id: number },
    { path, refusals }: Candidate,
  ): number {
    if (parentCommentId === null) return id;
    const parent = this.#sql.get<StoredComment>(SELECT_COMMENT, parentCommentId);
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
      this.#sql.run(ADD_PROFILE, row);
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
        this.#sql.run(PUT_REACTION, { ...reaction, commentId });
      }
    }
    // A full list may be incomplete, so nothing is deleted.
    if (!hasList || reactions.length >= MAX_REACTIONS) return;
    const kept = JSON.stringify(reactions.map(({ id }) => id));
    this.#sql.run(KEEP_REACTIONS, { id: commentId, kept });
  }
}
