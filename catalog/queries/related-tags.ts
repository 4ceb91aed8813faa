/**
 * Tags related to a tag: the other tags of its newest events, sorted by the number of shared
 * events. No source has this list, so each query counts. Bounds: RELATED_BOUNDS.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../persistence/shared/index.ts';
import { plainList } from '../json/json-writer.ts';
import { tagText } from '../json/record-text.ts';
import {
  type RelatedTagsQuery,
  type SlottedJson,
  selectList,
  TAG_COLUMNS,
  type TagRow,
} from '../model/index.ts';

const RELATED_BOUNDS = {
  events: 2_000,
  tags: 100,
} as const;

const OF_STATUS: Readonly<Record<RelatedTagsQuery['status'], string>> = {
  all: '',
  active: 'AND e.active AND NOT e.closed AND NOT e.archived',
  closed: 'AND e.closed',
};

/** First the events, as a range of one index; then the tags of each. */
function relatedSql(status: RelatedTagsQuery['status']): string {
  return `
SELECT ${selectList('t', TAG_COLUMNS)}
FROM (SELECT o.tag_id AS tagId, count(*) AS shared
  FROM (SELECT event_id FROM event_tags WHERE tag_id = @id
    ORDER BY event_id DESC LIMIT ${RELATED_BOUNDS.events}) n
  CROSS JOIN events e ON e.id = n.event_id ${OF_STATUS[status]}
  CROSS JOIN event_tags o ON o.event_id = e.id AND o.tag_id <> @id
  GROUP BY o.tag_id ORDER BY shared DESC, o.tag_id LIMIT ${RELATED_BOUNDS.tags}) r
CROSS JOIN tags t ON t.id = r.tagId
ORDER BY r.shared DESC, t.id`;
}

const RELATED: Readonly<Record<RelatedTagsQuery['status'], string>> = {
  all: relatedSql('all'),
  active: relatedSql('active'),
  closed: relatedSql('closed'),
};

export class RelatedTags {
  readonly #sql: StatementCache;

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
  }

  /** Undefined if there is no such tag. */
  of({ tag, status, form }: RelatedTagsQuery): SlottedJson | undefined {
    const id =
      'id' in tag
        ? this.#sql.value<number>('SELECT id FROM tags WHERE id = ?', tag.id)
        : this.#sql.value<number>('SELECT id FROM tags WHERE slug = ?', tag.slug);
    if (id === undefined) return undefined;
    const rows = this.#sql.all<TagRow>(RELATED[status], { id });
    const texts =
      form === 'tags'
        ? rows.map(tagText)
        : rows.map((row, index) => relationText({ id, relatedId: row.id, rank: index + 1 }));
    return plainList(texts);
  }
}

interface Relation {
  readonly id: number;
  readonly relatedId: number;
  /** From 1. */
  readonly rank: number;
}

/** The id of a relation joins the ids of both tags; the second is padded to 16 digits. */
function relationText({ id, relatedId, rank }: Relation): string {
  return (
    `{"id":"${id}${`${relatedId}`.padStart(16, '0')}","tagID":${id},"relatedTagID":${relatedId},` +
    `"rank":${rank}}`
  );
}
