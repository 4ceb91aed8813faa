/**
 * Reads the operator's actions, newest first. Owned by the reader's thread. Bound: a page, whose
 * next one begins below its last seq.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { ActionRecord } from '../shared/index.ts';
import type { ActionsQuery, Page } from './reader.ts';

interface ActionRow extends Omit<ActionRecord, 'command'> {
  /** JSON. */
  readonly command: string;
}

type ActionFilters = Pick<ActionsQuery, 'kind' | 'by'>;

/** Each combination of filters is a range of one index; a test reads the plans. */
export function actionsSql({ kind, by }: ActionFilters): string {
  return (
    'SELECT seq, time_ms AS timeMs, kind, actor AS "by", reason, command FROM actions ' +
    `WHERE seq < @beforeSeq${kind === undefined ? '' : ' AND kind = @kind'}` +
    `${by === undefined ? '' : ' AND actor = @by'} ORDER BY seq DESC LIMIT @limit`
  );
}

export class ActionReader {
  readonly #database: Database;
  /** By SQL: one a combination of filters that was asked for. */
  readonly #statements = new Map<string, Statement<unknown[], ActionRow>>();

  constructor(database: Database) {
    this.#database = database;
  }

  newest({ beforeSeq = Number.MAX_SAFE_INTEGER, limit, ...filters }: ActionsQuery) {
    const statement = this.#statement(actionsSql(filters));
    const rows = statement.all({ ...filters, beforeSeq, limit: limit + 1 });
    const page: Page<ActionRecord> = {
      records: rows.slice(0, limit).map(recordOf),
      more: rows.length > limit,
    };
    return page;
  }

  #statement(sql: string): Statement<unknown[], ActionRow> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#database.prepare<unknown[], ActionRow>(sql);
    this.#statements.set(sql, made);
    return made;
  }
}

// Safe: the projection wrote the text of a command.
function recordOf(row: ActionRow): ActionRecord {
  return { ...row, command: JSON.parse(row.command) };
}
