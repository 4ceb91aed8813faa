/**
 * Queries of series and tags. Bound: the page size of the query. An order by anything but the id
 * sorts all series or tags, of which a catalog has some thousands.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../persistence/shared/index.ts';
import { JsonWriter, plainJson, plainList, writtenList } from '../json/json-writer.ts';
import { tagText } from '../json/record-text.ts';
import {
  columnOf,
  type IdOrSlug,
  type ListOrder,
  type RelatedTagsQuery,
  type SeriesSearch,
  type SlottedJson,
  selectList,
  TAG_COLUMNS,
  type TagQuery,
  type TagRow,
  type TagSearch,
} from '../model/index.ts';
import type { EventQueries } from './events.ts';
import type { NameResolver } from './names.ts';

const SELECT_TAGS = `SELECT ${selectList('t', TAG_COLUMNS)} FROM tags t`;

/** The condition that a series or tag is in an event by one of the creators in `@wallets`. */
function byCreators(links: string, id: string): string {
  return `id IN (SELECT l.${id} FROM events e CROSS JOIN ${links} l ON l.event_id = e.id
    WHERE e.creator COLLATE NOCASE IN (SELECT value FROM json_each(@wallets)))`;
}

function pageSql(
  select: string,
  clauses: readonly string[],
  { order, ascending }: ListOrder<string>,
): string {
  const where = clauses.length === 0 ? '' : `WHERE ${clauses.join(' AND ')}`;
  const direction = ascending ? 'ASC' : 'DESC';
  const keys = [...order.filter((name) => name !== 'id'), 'id'];
  const ordered = keys.map((name) => `${columnOf(name)} ${direction}`).join(', ');
  return `${select} ${where} ORDER BY ${ordered} LIMIT @limit OFFSET @offset`;
}

export interface SeriesAndTagParts {
  readonly names: NameResolver;
  readonly events: EventQueries;
}

export class SeriesAndTagQueries {
  readonly #sql: StatementCache;
  readonly #parts: SeriesAndTagParts;

  constructor(database: Database, parts: SeriesAndTagParts) {
    this.#sql = new StatementCache(database);
    this.#parts = parts;
  }

  listTags({ limit, offset, order, ascending, ...scope }: TagSearch): SlottedJson {
    const wallets = this.#parts.names.walletsOf(scope);
    const clauses = wallets === undefined ? [] : [byCreators('event_tags', 'tag_id')];
    const values = { limit, offset, wallets: JSON.stringify(wallets) };
    const sql = pageSql(SELECT_TAGS, clauses, { order, ascending });
    const rows = this.#sql.all<TagRow>(sql, values);
    return plainList(rows.map(tagText));
  }

  oneTag({ tag, ...scope }: TagQuery): SlottedJson | undefined {
    const wallets = this.#parts.names.walletsOf(scope);
    const clauses = [
      'id' in tag ? 't.id = @id' : 't.slug = @slug',
      ...(wallets === undefined ? [] : [byCreators('event_tags', 'tag_id')]),
    ];
    const sql = `${SELECT_TAGS} WHERE ${clauses.join(' AND ')}`;
    const row = this.#sql.get<TagRow>(sql, { ...tag, wallets: JSON.stringify(wallets) });
    return row && plainJson(tagText(row));
  }

  listSeries(query: SeriesSearch): SlottedJson {
    const ids = this.#seriesIds(query);
    return writtenList(ids.length, (writer) =>
      this.#parts.events.writeSeriesList(writer, ids, query.withoutEvents),
    );
  }

  oneSeries(series: IdOrSlug): SlottedJson | undefined {
    const id =
      'id' in series
        ? series.id
        : this.#sql.value<number>('SELECT id FROM series WHERE slug = ?', series.slug);
    const writer = new JsonWriter();
    const isKnown = id !== undefined && this.#parts.events.writeSeries(writer, id);
    // Always finished, so that the next writer gets its buffer.
    const json = writer.done(1);
    return isKnown ? json : undefined;
  }

  #seriesIds(search: SeriesSearch): number[] {
    const { limit, offset, slugs, closed, recurrence, order, ascending, ...scope } = search;
    const wallets = this.#parts.names.walletsOf(scope);
    const clauses = [
      ...(slugs === undefined ? [] : ['slug IN (SELECT value FROM json_each(@slugs))']),
      ...(closed === undefined ? [] : [`closed = ${closed ? 1 : 0}`]),
      ...(recurrence === undefined ? [] : ['recurrence COLLATE NOCASE = @recurrence']),
      ...(wallets === undefined ? [] : [byCreators('event_series', 'series_id')]),
    ];
    const wanted = { slugs: JSON.stringify(slugs), wallets: JSON.stringify(wallets), recurrence };
    const sql = pageSql('SELECT id FROM series', clauses, { order, ascending });
    return this.#sql.column<number>(sql, { limit, offset, ...wanted });
  }
}

// Tags related to a tag: the other tags of its newest events, sorted by the number of shared
// events. No source has this list, so each query counts. Bounds: RELATED_BOUNDS.

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
