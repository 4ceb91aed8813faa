/**
 * What users of this exchange did to imported comments, as far as the rows don't say it: an edited
 * body, a reaction taken back. It is kept in the table of local edits, so that no later import
 * undoes it. Every method runs inside a transaction of its caller.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../shared/index.ts';

export interface ReactionName {
  readonly userAddress: string;
  readonly reactionType: string;
}

// No import changes a comment that was written here, so nothing is kept for those.
const PUT_CHANGE = `
INSERT INTO local_edits SELECT 'comment', @id, @field, @value
WHERE EXISTS (SELECT 1 FROM synced_records WHERE kind = 'comments' AND id = @id)
ON CONFLICT DO UPDATE SET value = excluded.value`;

const FIND_CHANGE = `
SELECT 1 FROM local_edits WHERE kind = 'comment' AND id = @id AND field = @field`;

const BODY = 'body';
function reactionField({ userAddress, reactionType }: ReactionName): string {
  return `reaction ${userAddress.toLowerCase()} ${reactionType}`;
}

export class LocalCommentChanges {
  readonly #sql: StatementCache;

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
  }

  keepEdit(id: number, body: string): void {
    this.#sql.run(PUT_CHANGE, { id, field: BODY, value: JSON.stringify(body) });
  }

  keepRemovedReaction(id: number, reaction: ReactionName): void {
    this.#sql.run(PUT_CHANGE, { id, field: reactionField(reaction), value: 'null' });
  }

  /** Removed here, by its author or by the operator. */
  isRemoved(id: number): boolean {
    const sql = 'SELECT 1 FROM comment_removals WHERE comment_id = ?';
    return this.#sql.value(sql, id) !== undefined;
  }

  isEdited(id: number): boolean {
    return this.#sql.value(FIND_CHANGE, { id, field: BODY }) !== undefined;
  }

  isReactionRemoved(id: number, reaction: ReactionName): boolean {
    return this.#sql.value(FIND_CHANGE, { id, field: reactionField(reaction) }) !== undefined;
  }
}
