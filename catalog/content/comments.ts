/**
 * Comments and reactions: what account holders and the operator do to them.
 *
 * Invariant: each change is one transaction, which is on the disk before the answer; a removed
 * comment with replies keeps its place, without its text and author; ids assigned here are never
 * those of an import. Bounds: CONTENT_BOUNDS.
 */
import assert from 'node:assert';
import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../persistence/shared/index.ts';
import { CommentTexts, parentOf } from '../json/comment-text.ts';
import {
  CatalogRefusal,
  CONTENT_BOUNDS,
  type CommentChange,
  type CommentCommand,
  type CommentParent,
  type CommentParentType,
  durably,
  FIRST_LOCAL_ID,
  LOCAL_IDS_END,
  type Moderation,
  type NewComment,
  type ReactionCommand,
} from '../model/index.ts';
import { type ActionLog, LocalCommentChanges } from './local-changes.ts';

const ADD_COMMENT = `
INSERT INTO comments (id, event_id, series_id, parent_comment_id, thread_id,
  user_address, reply_address, body, created_at, updated_at, record)
VALUES (@id, @eventId, @seriesId, @parentCommentId, @threadId,
  @userAddress, @replyAddress, @body, @nowIso, @nowIso, '{}')`;

// Replies need their parent, so the row stays and is marked as removed.
const EMPTY_COMMENT = `
UPDATE comments SET body = '', user_address = '', reply_address = '', updated_at = @nowIso,
  record = json_set(record, '$.removed', json('true')) WHERE id = @id`;

const REMOVE_COMMENT =
  "UPDATE comments SET removed_at = @nowIso, body = '', updated_at = @nowIso WHERE id = @id";

const NEXT_ID = `
INSERT INTO local_ids (kind, last) VALUES (?, ${FIRST_LOCAL_ID})
  ON CONFLICT DO UPDATE SET last = last + 1 RETURNING last`;

const HAS_REPLIES = 'SELECT 1 FROM comments WHERE parent_comment_id = ? LIMIT 1';

const COUNT_KINDS = `
SELECT count(*) FROM reactions WHERE comment_id = @id AND user_address = @userAddress`;

const FIND_REACTION = `
SELECT id FROM reactions
WHERE comment_id = @id AND user_address = @userAddress AND reaction_type = @reactionType`;

const ADD_REACTION = `
INSERT INTO reactions (id, comment_id, reaction_type, icon, user_address, created_at, record)
VALUES (@reactionId, @id, @reactionType, @icon, @userAddress, @nowIso, '{}')`;

interface Stored {
  readonly isRemoved: number;
  readonly isHidden: number;
  readonly userAddress: string;
  readonly removedFrom: string | null;
  readonly body: string;
  readonly createdAt: string;
}

const STORED = `
SELECT c.removed_at IS NOT NULL OR r.comment_id IS NOT NULL AS isRemoved,
  c.hidden_at IS NOT NULL AS isHidden, c.user_address AS userAddress,
  r.user_address AS removedFrom, c.body, c.created_at AS createdAt
FROM comments c LEFT JOIN comment_removals r ON r.comment_id = c.id WHERE c.id = ?`;

function sameAddress(one: string | null, other: string): boolean {
  return one !== null && one.toLowerCase() === other.toLowerCase();
}

export class CatalogComments {
  readonly #sql: StatementCache;
  readonly #database: Database;
  readonly #actions: ActionLog;
  readonly #texts: CommentTexts;
  readonly #parents: CommentParents;
  readonly #localChanges: LocalCommentChanges;

  constructor(database: Database, actions: ActionLog) {
    this.#sql = new StatementCache(database);
    this.#database = database;
    this.#actions = actions;
    this.#texts = new CommentTexts(database);
    this.#parents = new CommentParents(database);
    this.#localChanges = new LocalCommentChanges(database);
  }

  /**
   * A repeated request returns the comment that the first one made, unless that was removed: then
   * its text makes a new comment, and its key is refused.
   */
  comment(command: NewComment): CommentChange {
    const content = contentOf(command);
    // The prefix keeps keys and digests apart.
    const key = command.key === '' ? `content ${content}` : `key ${command.key}`;
    const { userAddress, nowIso, sinceIso } = command;
    return durably(this.#database, () => {
      this.#sql.run('DELETE FROM comment_keys WHERE made_at < ?', sinceIso);
      const known = this.#sql.get<{ readonly id: number; readonly content: string }>(
        `SELECT comment_id AS id, content FROM comment_keys
         WHERE user_address = @userAddress AND key = @key`,
        { userAddress, key },
      );
      if (known !== undefined && known.content !== content) {
        const limit = 'a different key for each comment';
        throw new CatalogRefusal('taken', { field: 'key', limit, actual: command.key });
      }
      if (known !== undefined) {
        if (this.#known(known.id).isRemoved === 0) return this.#change(known.id, false);
        if (command.key !== '') {
          const limit = 'the key of no removed comment';
          throw new CatalogRefusal('removed', { field: 'key', limit, actual: command.key });
        }
        this.#sql.run('DELETE FROM comment_keys WHERE comment_id = ?', known.id);
      }
      const id = this.#nextId('comments');
      const place = this.#parents.placeOf(command, id);
      const replyAddress = command.replyAddress ?? place.answeredAddress;
      this.#sql.run(ADD_COMMENT, {
        ...place,
        id,
        userAddress,
        replyAddress,
        body: command.body,
        nowIso,
      });
      this.#sql.run(
        'INSERT INTO comment_keys VALUES (@userAddress, @key, @content, @id, @nowIso)',
        { userAddress, key, content, id, nowIso },
      );
      return this.#change(id, true);
    });
  }

  editComment(command: CommentCommand & { readonly body: string }): CommentChange {
    const { id, body, nowIso } = command;
    return durably(this.#database, () => {
      const stored = this.#own(command);
      const ageMs = Date.parse(nowIso) - Date.parse(stored.createdAt);
      if (ageMs > CONTENT_BOUNDS.commentEditMs) {
        const limit = `at most ${CONTENT_BOUNDS.commentEditMs / 1_000} seconds old`;
        const actual = `${Math.floor(ageMs / 1_000)} seconds old`;
        throw new CatalogRefusal('too_many', { field: 'createdAt', limit, actual });
      }
      if (stored.body === body) return this.#change(id, false);
      this.#sql.run('UPDATE comments SET body = @body, updated_at = @nowIso WHERE id = @id', {
        id,
        body,
        nowIso,
      });
      this.#localChanges.keepEdit(id, body);
      return this.#change(id, true);
    });
  }

  removeComment(command: CommentCommand): CommentChange {
    return durably(this.#database, () => {
      const stored = this.#known(command.id);
      if (stored.isRemoved === 1 && sameAddress(stored.removedFrom, command.userAddress)) {
        return this.#change(command.id, false);
      }
      return this.#remove(command.id, this.#own(command).userAddress, command.nowIso);
    });
  }

  moderateComment({ id, act, nowIso, said }: Moderation): CommentChange {
    return durably(this.#database, () => {
      const { isHidden, isRemoved, userAddress } = this.#known(id);
      const isSo = act === 'remove' ? isRemoved === 1 : (isHidden === 1) === (act === 'hide');
      if (isSo) return this.#change(id, false);
      this.#actions.put({ kind: `comment_${act}`, details: { id: `${id}` }, nowIso, said });
      if (act === 'remove') return this.#remove(id, userAddress, nowIso);
      const change = this.#change(id, true);
      this.#sql.run('UPDATE comments SET hidden_at = @hiddenAt WHERE id = @id', {
        id,
        hiddenAt: act === 'hide' ? nowIso : null,
      });
      return act === 'hide' ? change : this.#change(id, true);
    });
  }

  reportComment(command: CommentCommand & { readonly reason: string }): CommentChange {
    return durably(this.#database, () => {
      this.#shown(command.id);
      const { changes } = this.#sql.run(
        `INSERT INTO comment_reports (comment_id, user_address, created_at, reason)
         VALUES (@id, @userAddress, @nowIso, @reason) ON CONFLICT DO NOTHING`,
        command,
      );
      return this.#change(command.id, changes === 1);
    });
  }

  react(command: ReactionCommand): CommentChange {
    return durably(this.#database, () => {
      this.#shown(command.id);
      const known = this.#sql.value<number>(FIND_REACTION, command);
      if (known !== undefined) {
        return this.#change(command.id, false, this.#texts.reaction(known));
      }
      const actual = this.#sql.value<number>(COUNT_KINDS, command) ?? 0;
      const { reactionsAUser } = CONTENT_BOUNDS;
      if (actual >= reactionsAUser) {
        const limit = `a type you already used: one comment takes ${reactionsAUser} from a user`;
        throw new CatalogRefusal('too_many', {
          field: 'reaction_type',
          limit,
          actual: `${actual}`,
        });
      }
      const reactionId = this.#nextId('reactions');
      this.#sql.run(ADD_REACTION, { ...command, icon: command.icon ?? '', reactionId });
      return this.#change(command.id, true, this.#texts.reaction(reactionId));
    });
  }

  unreact(command: ReactionCommand): CommentChange {
    return durably(this.#database, () => {
      this.#known(command.id);
      const known = this.#sql.value<number>(FIND_REACTION, command);
      if (known === undefined) return this.#change(command.id, false);
      const reaction = this.#texts.reaction(known);
      this.#sql.run('DELETE FROM reactions WHERE id = ?', known);
      this.#localChanges.keepRemovedReaction(command.id, command);
      return this.#change(command.id, true, reaction);
    });
  }

  /** Returns the comment as it was. */
  #remove(id: number, userAddress: string, nowIso: string): CommentChange {
    const change = this.#change(id, true);
    this.#sql.run('INSERT INTO comment_removals VALUES (@id, @userAddress, @nowIso)', {
      id,
      userAddress,
      nowIso,
    });
    const hasReplies = this.#sql.value<number>(HAS_REPLIES, id) !== undefined;
    this.#sql.run(hasReplies ? EMPTY_COMMENT : REMOVE_COMMENT, { id, nowIso });
    return change;
  }

  /** Ids are never given twice, also if what had one was deleted. */
  #nextId(kind: 'comments' | 'reactions'): number {
    const id = this.#sql.value<number>(NEXT_ID, kind);
    assert(id !== undefined && id < LOCAL_IDS_END, 'the block of local ids is not used up');
    return id;
  }

  #change(commentId: number, changed: boolean, reaction = ''): CommentChange {
    const row = this.#texts.row(commentId);
    if (row === undefined) throw unknownComment(commentId);
    const parent = parentOf(row);
    const eventSlug = this.#parents.eventSlugOf(parent);
    return { changed, commentId, parent, eventSlug, json: this.#texts.comment(row), reaction };
  }

  #known(id: number): Stored {
    const stored = this.#sql.get<Stored>(STORED, id);
    if (stored === undefined) throw unknownComment(id);
    return stored;
  }

  /** A hidden comment counts as unknown. */
  #shown(id: number): Stored {
    const stored = this.#known(id);
    if (stored.isHidden === 1) throw unknownComment(id);
    if (stored.isRemoved === 0) return stored;
    throw new CatalogRefusal('removed', {
      field: 'id',
      limit: 'a comment that is not removed',
      actual: `${id}`,
    });
  }

  #own({ id, userAddress }: CommentCommand): Stored {
    const stored = this.#shown(id);
    if (sameAddress(stored.userAddress, userAddress)) return stored;
    const limit = 'a comment of your own';
    throw new CatalogRefusal('not_the_author', { field: 'id', limit, actual: `${id}` });
  }
}

function unknownComment(id: number): CatalogRefusal {
  return new CatalogRefusal('unknown', {
    field: 'id',
    limit: 'the id of a comment',
    actual: `${id}`,
  });
}

function contentOf({ parent, parentCommentId, replyAddress, body }: NewComment): string {
  const said = [parent.type, parent.id, parentCommentId ?? null, replyAddress ?? '', body];
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url');
}

// The parents of a comment: its event or series, and its conversation. They must exist.
// Bound: a conversation is `CONTENT_BOUNDS.commentDepth` comments deep.

interface CommentPlace {
  readonly eventId: number | null;
  readonly seriesId: number | null;
  readonly parentCommentId: number | null;
  readonly threadId: number;
  readonly answeredAddress: string;
}

interface Answered {
  readonly type: CommentParentType;
  readonly parentId: number;
  readonly threadId: number;
  readonly userAddress: string;
  readonly isRemoved: number;
  readonly isHidden: number;
}

const ANSWERED = `
SELECT iif(c.event_id IS NOT NULL, 'Event', 'Series') AS type,
  coalesce(c.event_id, c.series_id) AS parentId, c.thread_id AS threadId,
  c.user_address AS userAddress, c.hidden_at IS NOT NULL AS isHidden,
  c.removed_at IS NOT NULL OR r.comment_id IS NOT NULL AS isRemoved
FROM comments c LEFT JOIN comment_removals r ON r.comment_id = c.id WHERE c.id = ?`;

const DEPTH = `
WITH RECURSIVE above (id, depth) AS (
  SELECT @id, 1
  UNION ALL
  SELECT c.parent_comment_id, depth + 1 FROM above JOIN comments c ON c.id = above.id
  WHERE c.parent_comment_id IS NOT NULL AND depth <= @most
)
SELECT max(depth) FROM above`;

const SLUGS: Readonly<Record<CommentParentType, string>> = {
  Event: 'SELECT slug FROM events WHERE id = ?',
  Series: "SELECT '' AS slug FROM series WHERE id = ?",
};

class CommentParents {
  readonly #sql: StatementCache;

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
  }

  eventSlugOf({ type, id }: CommentParent): string {
    return this.#sql.value<string>(SLUGS[type], id) ?? '';
  }

  /** Throws `CatalogRefusal` if a parent is unknown or no comment can be added there. */
  placeOf({ parent, parentCommentId }: NewComment, ownId: number): CommentPlace {
    const { type, id } = parent;
    if (this.#sql.value<string>(SLUGS[type], id) === undefined) {
      const field = 'parent_entity_id';
      throw new CatalogRefusal('unknown', {
        field,
        limit: `the id of a known ${type}`,
        actual: `${id}`,
      });
    }
    const answered =
      parentCommentId === undefined ? undefined : this.#answeredOf(parentCommentId, parent);
    return {
      eventId: type === 'Event' ? id : null,
      seriesId: type === 'Series' ? id : null,
      parentCommentId: parentCommentId ?? null,
      threadId: answered?.threadId ?? ownId,
      answeredAddress: answered?.userAddress ?? '',
    };
  }

  #answeredOf(id: number, { type, id: parentId }: CommentParent): Answered {
    const field = 'parent_comment_id';
    const actual = `${id}`;
    const answered = this.#sql.get<Answered>(ANSWERED, id);
    if (answered === undefined || answered.isHidden === 1) {
      throw new CatalogRefusal('unknown', { field, limit: 'the id of a comment', actual });
    }
    if (answered.isRemoved === 1) {
      throw new CatalogRefusal('removed', {
        field,
        limit: 'a comment that is not removed',
        actual,
      });
    }
    if (answered.type !== type || answered.parentId !== parentId) {
      const limit = `a comment of the same ${type}`;
      throw new CatalogRefusal('wrong_parent', { field, limit, actual });
    }
    const most = CONTENT_BOUNDS.commentDepth;
    const depth = this.#sql.value<number>(DEPTH, { id, most }) ?? 0;
    if (depth > most) {
      const limit = `a comment at most ${most} levels deep in its conversation`;
      throw new CatalogRefusal('too_many', { field, limit, actual: `${depth}` });
    }
    return answered;
  }
}
