/**
 * What users of this exchange changed in comments from elsewhere and the rows can't show: an edited
 * body, a removed reaction. It is kept in the table of local edits, so that no later sync or import
 * undoes it. Every method runs inside a transaction of its caller.
 */
import type { Database } from 'better-sqlite3';
import { type Attribution, StatementCache } from '../../persistence/shared/index.ts';
import { FIRST_LOCAL_ID, LOCAL_IDS_END } from '../model/index.ts';

export interface ReactionName {
  readonly userAddress: string;
  readonly reactionType: string;
}

// Nothing is kept for comments that were written here: no source has their ids.
const PUT_CHANGE = `
INSERT INTO local_edits SELECT 'comment', @id, @field, @value
WHERE @id < ${FIRST_LOCAL_ID} OR @id >= ${LOCAL_IDS_END}
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

  /** Whether the comment was removed here, by its author or by the operator. */
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

// The log of the operator's actions on the catalog, each with who requested it and why. An action
// is logged in the transaction that does it, and kept permanently: the journal has none of them,
// because they are not engine commands.

interface OperatorAction {
  readonly kind: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly nowIso: string;
  readonly said: Attribution;
}

const PUT = `
INSERT INTO catalog_actions (time, kind, by, reason, details)
VALUES (@nowIso, @kind, @by, @reason, @details)`;

export class ActionLog {
  readonly #sql: StatementCache;

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
  }

  put({ kind, details, nowIso, said: { by, reason } }: OperatorAction): void {
    this.#sql.run(PUT, { kind, by, reason, nowIso, details: JSON.stringify(details) });
  }
}
