// Tags that go together: those of the newest events of a tag, those it shares most events with
// first. No catalog says so itself; it is counted when it is asked for. Bounds: RELATED_BOUNDS.

import type { Database, Statement } from 'better-sqlite3';
import { tagText } from '../json/index.ts';
import type { CatalogText, RelatedTagsQuestion } from '../model/index.ts';
import { selectList, TAG_FIELDS, type TagRow } from '../model/index.ts';

const RELATED_BOUNDS = {
  /** Events of the tag that are looked at: its newest. */
  events: 2_000,
  /** Tags that are told. */
  tags: 100,
} as const;

const OF_STATUS: Readonly<Record<RelatedTagsQuestion['status'], string>> = {
  all: '',
  active: 'AND e.active AND NOT e.closed AND NOT e.archived',
  closed: 'AND e.closed',
};

/** The events first, as a range of one index; then each one's tags. */
function relatedSql(status: RelatedTagsQuestion['status']): string {
  return `
SELECT ${selectList('t', TAG_FIELDS)}
FROM (SELECT o.tag_id AS tagId, count(*) AS shared
  FROM (SELECT event_id FROM event_tags WHERE tag_id = @id
    ORDER BY event_id DESC LIMIT ${RELATED_BOUNDS.events}) n
  CROSS JOIN events e ON e.id = n.event_id ${OF_STATUS[status]}
  CROSS JOIN event_tags o ON o.event_id = e.id AND o.tag_id <> @id
  GROUP BY o.tag_id ORDER BY shared DESC, o.tag_id LIMIT ${RELATED_BOUNDS.tags}) r
CROSS JOIN tags t ON t.id = r.tagId
ORDER BY r.shared DESC, t.id`;
}

type Related = Statement<[{ readonly id: number }], TagRow>;
type Find = Statement<[name: number | string], number>;

export class RelatedTags {
  readonly #related: Readonly<Record<RelatedTagsQuestion['status'], Related>>;
  readonly #byId: Find;
  readonly #bySlug: Find;

  constructor(database: Database) {
    const related = (status: RelatedTagsQuestion['status']): Related =>
      database.prepare(relatedSql(status));
    this.#related = {
      all: related('all'),
      active: related('active'),
      closed: related('closed'),
    };
    const find = (column: string): Find =>
      database
        .prepare<[number | string], number>(`SELECT id FROM tags WHERE ${column} = ?`)
        .pluck();
    this.#byId = find('id');
    this.#bySlug = find('slug');
  }

  /** Undefined where there is no such tag. */
  of({ tag, status, form }: RelatedTagsQuestion): CatalogText | undefined {
    const id = 'id' in tag ? this.#byId.get(tag.id) : this.#bySlug.get(tag.slug);
    if (id === undefined) return undefined;
    const rows = this.#related[status].all({ id });
    const texts =
      form === 'tags'
        ? rows.map(tagText)
        : rows.map((row, index) => relationText({ id, relatedId: row.id, rank: index + 1 }));
    return { segments: [`[${texts.join(',')}]`], gaps: [], count: rows.length };
  }
}

interface Relation {
  readonly id: number;
  readonly relatedId: number;
  /** From 1. */
  readonly rank: number;
}

/** Its id is both tags': the second has at most so many digits. */
function relationText({ id, relatedId, rank }: Relation): string {
  return (
    `{"id":"${id}${`${relatedId}`.padStart(16, '0')}","tagID":${id},"relatedTagID":${relatedId},` +
    `"rank":${rank}}`
  );
}
