// What people here did to comments that came from elsewhere, as far as the rows alone don't say it:
// a body that was written anew, a reaction that was taken back. It stands among the local edits
// (catalog-edits.ts), so that no later word of the source undoes it. Every method expects to run
// inside a transaction of its caller.

import type { Database, Statement } from 'better-sqlite3';

/** Whose reaction, and which. */
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

export class CommentActs {
  readonly #put: Put;
  readonly #find: Find;
  readonly #removed: Statement<[id: number], { readonly found: 1 }>;

  constructor(database: Database) {
    // Of what was written here nobody else says anything.
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

  noteEdit(id: number, body: string): void {
    this.#put.run({ id, field: BODY, value: JSON.stringify(body) });
  }

  noteUnreaction(id: number, reaction: ReactionName): void {
    this.#put.run({ id, field: reactionField(reaction), value: 'null' });
  }

  /** By its author or the operator, here. */
  isRemoved(id: number): boolean {
    return this.#removed.get(id) !== undefined;
  }

  isEdited(id: number): boolean {
    return this.#find.get({ id, field: BODY }) !== undefined;
  }

  isTakenBack(id: number, reaction: ReactionName): boolean {
    return this.#find.get({ id, field: reactionField(reaction) }) !== undefined;
  }
}
