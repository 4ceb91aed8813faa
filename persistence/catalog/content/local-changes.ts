/**
 * What users of this exchange did to imported comments, as far as the rows don't say it: an edited
 * body, a reaction taken back. It is kept in the table of local edits, so that no later import
 * undoes it. Every method runs inside a transaction of its caller.
 */
import type { Database, Statement } from 'better-sqlite3';

export interface ReactionName {
  readonly userAddress: string;
  readonly reactionType: string;
}

type Put = Statement<[{ id: number; field: string; value: string }]>;
type Find = Statement<[{ id: number; field: string }], { readonly found: 1 }>;

const BODY = 'body';
function reactionField({ userAddress, reactionType }: ReactionName): string {
  return `reaction ${userAddress.toLowerCase()} ${reactionType}`;
}

export class LocalCommentChanges {
  readonly #put: Put;
  readonly #find: Find;
  readonly #removed: Statement<[id: number], { readonly found: 1 }>;

  constructor(database: Database) {
    // No import changes a comment that was written here, so nothing is kept for those.
    this.#put = database.prepare(`INSERT INTO local_edits
      SELECT 'comment', @id, @field, @value
      WHERE EXISTS (SELECT 1 FROM synced_records WHERE kind = 'comments' AND id = @id)
      ON CONFLICT DO UPDATE SET value = excluded.value`);
    this.#find = database.prepare(`SELECT 1 AS found FROM local_edits
      WHERE kind = 'comment' AND id = @id AND field = @field`);
    this.#removed = database.prepare(
      'SELECT 1 AS found FROM comment_removals WHERE comment_id = ?',
    );
  }

  keepEdit(id: number, body: string): void {
    this.#put.run({ id, field: BODY, value: JSON.stringify(body) });
  }

  keepRemovedReaction(id: number, reaction: ReactionName): void {
    this.#put.run({ id, field: reactionField(reaction), value: 'null' });
  }

  /** Removed here, by its author or by the operator. */
  isRemoved(id: number): boolean {
    return this.#removed.get(id) !== undefined;
  }

  isEdited(id: number): boolean {
    return this.#find.get({ id, field: BODY }) !== undefined;
  }

  isReactionRemoved(id: number, reaction: ReactionName): boolean {
    return this.#find.get({ id, field: reactionField(reaction) }) !== undefined;
  }
}
