// What the operator reads of the catalog: its own acts, and comments that were reported. Bound: the
// caller's part of a list, at most `CATALOG_BOUNDS.listed`.

import type { Database, Statement } from 'better-sqlite3';
import { type CommentColumns, CommentTexts, SELECT_COMMENTS } from '../json/index.ts';
import type { CatalogQuestions, CatalogText } from '../model/index.ts';

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

// Most reported first, also of those that are hidden: what was removed has no words any more.
const SELECT_REPORTED = `
${SELECT_COMMENTS} WHERE c.report_count > 0 AND c.removed_at IS NULL
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

export class OperatorReads {
  readonly #actions: Statement<[{ before: number; limit: number }], ActionRow>;
  readonly #reported: Statement<[{ limit: number; offset: number }], CommentColumns>;
  readonly #state: Statement<[id: number], StateRow>;
  readonly #texts: CommentTexts;

  constructor(database: Database) {
    this.#actions = database.prepare(SELECT_ACTIONS);
    this.#reported = database.prepare(SELECT_REPORTED);
    this.#state = database.prepare(SELECT_STATE);
    this.#texts = new CommentTexts(database);
  }

  /** Newest first, older than `before`. */
  actions({ before, limit }: CatalogQuestions['catalogActions']): CatalogText {
    const rows = this.#actions.all({ before: before ?? Number.MAX_SAFE_INTEGER, limit });
    const texts = rows.map(({ id, time, kind, by, reason, details }) => {
      const head = JSON.stringify({ id: `${id}`, time, kind, by, reason }).slice(0, -1);
      return `${head},"details":${details}}`;
    });
    return { segments: [`[${texts.join(',')}]`], gaps: [], count: rows.length };
  }

  /** Comments as everybody reads them, with whether they are hidden and who reported them. */
  reported({ limit, offset }: CatalogQuestions['reportedComments']): CatalogText {
    const segments: string[] = [];
    const gaps: CatalogText['gaps'][number][] = [];
    let open = '[';
    const rows = this.#reported.all({ limit, offset });
    for (const row of rows) {
      const text = this.#texts.comment(row);
      const { isHidden = 0, reports = '[]' } = this.#state.get(row.id) ?? {};
      const [first = '', ...others] = text.segments;
      const last = others.pop() ?? '';
      segments.push(open + first, ...others);
      gaps.push(...text.gaps);
      open = `${last.slice(0, -1)},"hidden":${isHidden === 1},"reports":${reports}},`;
    }
    const end = rows.length === 0 ? '[]' : `${open.slice(0, -1)}]`;
    return { segments: [...segments, end], gaps, count: rows.length };
  }
}
