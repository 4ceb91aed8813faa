/**
 * Reads the operator's actions, newest first. The next page begins below the last seq of a page.
 */
import type { ActionRecord } from '../../shared/index.ts';
import type { ReadTables } from '../tables/read-tables.ts';
import type { ActionsQuery, Page } from './queries.ts';

interface ActionRow extends Omit<ActionRecord, 'command' | 'approval'> {
  /** '' for none. */
  readonly approver: string;
  readonly approvalReason: string;
  /** JSON. */
  readonly command: string;
}

type ActionFilters = Pick<ActionsQuery, 'kind' | 'by'>;

/** Each combination of filters is a range of one index; a test checks the query plans. */
export function actionsSql({ kind, by }: ActionFilters): string {
  return (
    'SELECT seq, time_ms AS timeMs, kind, actor AS "by", reason, approver, ' +
    'approval_reason AS approvalReason, command FROM actions ' +
    `WHERE seq < @beforeSeq${kind === undefined ? '' : ' AND kind = @kind'}` +
    `${by === undefined ? '' : ' AND actor = @by'} ORDER BY seq DESC LIMIT @limit`
  );
}

export function newestActions(
  tables: ReadTables,
  { beforeSeq = Number.MAX_SAFE_INTEGER, limit, ...filters }: ActionsQuery,
): Page<ActionRecord> {
  const rows = tables
    .statement<[object], ActionRow>(actionsSql(filters))
    .all({ ...filters, beforeSeq, limit: limit + 1 });
  return { records: rows.slice(0, limit).map(recordOf), more: rows.length > limit };
}

// Safe: the projection wrote the text of a command.
function recordOf({ approver, approvalReason, ...row }: ActionRow): ActionRecord {
  const approval = { by: approver, reason: approvalReason };
  return { ...row, command: JSON.parse(row.command), ...(approver !== '' && { approval }) };
}
