/**
 * The parents of a comment: its event or series, and its conversation. They must exist.
 * Bound: a conversation is `CONTENT_BOUNDS.commentDepth` comments deep.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../persistence/shared/index.ts';
import type { CommentParent, CommentParentType } from '../model/index.ts';
import { CatalogRefusal, CONTENT_BOUNDS, type NewComment } from '../model/index.ts';

export interface CommentPlace {
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

export class CommentParents {
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
