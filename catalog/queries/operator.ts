/**
 * Queries of the operator: its own actions on the catalog, and comments that users reported.
 * Bound: the page size of the query, at most `CATALOG_BOUNDS.listed`.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../persistence/shared/index.ts';
import { type CommentColumns, CommentTexts, SELECT_COMMENTS } from '../json/comment-text.ts';
import { plainList, writtenList } from '../json/json-writer.ts';
import type { CatalogQueries, SlottedJson } from '../model/index.ts';

interface ActionRow {
  readonly id: number;
  readonly time: string;
  readonly kind: string;
  readonly by: string;
  readonly reason: string;
  readonly details: string;
}

const SELECT_ACTIONS = `
SELECT id, time, kind, by, reason, details FROM catalog_actions
WHERE id < @before ORDER BY id DESC LIMIT @limit`;

// Hidden comments are listed too. Removed ones are not: their text is gone, also where replies keep
// their place.
const SELECT_REPORTED = `
${SELECT_COMMENTS} WHERE c.report_count > 0 AND c.removed_at IS NULL
  AND NOT coalesce(c.record ->> '$.removed', 0)
ORDER BY c.report_count DESC, c.id DESC LIMIT @limit OFFSET @offset`;

const SELECT_STATE = `
SELECT hidden_at IS NOT NULL AS isHidden,
  (SELECT json_group_array(json_object('userAddress', user_address, 'reason', reason,
    'createdAt', created_at)) FROM
    (SELECT * FROM comment_reports WHERE comment_id = comments.id ORDER BY created_at LIMIT 100))
    AS reports
FROM comments WHERE id = ?`;

interface StateRow {
  readonly isHidden: number;
  readonly reports: string;
}

export class OperatorQueries {
  readonly #sql: StatementCache;
  readonly #texts: CommentTexts;

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
    this.#texts = new CommentTexts(database);
  }

  /** Newest first, older than `before`. */
  actions({ before, limit }: CatalogQueries['catalogActions']): SlottedJson {
    const rows = this.#sql.all<ActionRow>(SELECT_ACTIONS, {
      before: before ?? Number.MAX_SAFE_INTEGER,
      limit,
    });
    return plainList(
      rows.map(({ id, time, kind, by, reason, details }) => {
        const head = JSON.stringify({ id: `${id}`, time, kind, by, reason }).slice(0, -1);
        return `${head},"details":${details}}`;
      }),
    );
  }

  /** Most reported first, with their reports and whether they are hidden. */
  reported({ limit, offset }: CatalogQueries['reportedComments']): SlottedJson {
    const rows = this.#sql.all<CommentColumns>(SELECT_REPORTED, { limit, offset });
    return writtenList(rows.length, (writer) => {
      writer.addEach(rows, (row) => {
        const state = this.#sql.get<StateRow>(SELECT_STATE, row.id);
        const { isHidden = 0, reports = '[]' } = state ?? {};
        this.#texts.write(writer, row, `,"hidden":${isHidden === 1},"reports":${reports}`);
      });
    });
  }
}
