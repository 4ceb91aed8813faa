/** Queries of series and tags, by ascending id. Bound: the page size of the query. */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../shared/index.ts';
import { JsonWriter, plainJson, plainList, tagText, writtenList } from '../json/index.ts';
import {
  type CatalogQueries,
  type IdOrSlug,
  type SlottedJson,
  selectList,
  TAG_COLUMNS,
  type TagRow,
} from '../model/index.ts';
import type { EventQueries } from './events.ts';
import type { NameResolver } from './names.ts';

const SELECT_TAGS = `SELECT ${selectList('t', TAG_COLUMNS)} FROM tags t`;

/** The condition that a series or tag is in an event by one of the creators in `@wallets`. */
function byCreators(links: string, id: string): string {
  return `id IN (SELECT l.${id} FROM events e CROSS JOIN ${links} l ON l.event_id = e.id
    WHERE e.creator COLLATE NOCASE IN (SELECT value FROM json_each(@wallets)))`;
}

function pageSql(select: string, clauses: readonly string[]): string {
  const where = clauses.length === 0 ? '' : `WHERE ${clauses.join(' AND ')}`;
  return `${select} ${where} ORDER BY id LIMIT @limit OFFSET @offset`;
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

  listTags({ limit, offset, ...scope }: CatalogQueries['tags']): SlottedJson {
    const wallets = this.#parts.names.walletsOf(scope);
    const clauses = wallets === undefined ? [] : [byCreators('event_tags', 'tag_id')];
    const values = { limit, offset, wallets: JSON.stringify(wallets) };
    const rows = this.#sql.all<TagRow>(pageSql(SELECT_TAGS, clauses), values);
    return plainList(rows.map(tagText));
  }

  oneTag(tag: IdOrSlug): SlottedJson | undefined {
    const row =
      'id' in tag
        ? this.#sql.get<TagRow>(`${SELECT_TAGS} WHERE t.id = ?`, tag.id)
        : this.#sql.get<TagRow>(`${SELECT_TAGS} WHERE t.slug = ?`, tag.slug);
    return row && plainJson(tagText(row));
  }

  listSeries(query: CatalogQueries['seriesList']): SlottedJson {
    const ids = this.#seriesIds(query);
    return writtenList(ids.length, (writer) => this.#parts.events.writeSeriesList(writer, ids));
  }

  oneSeries(series: IdOrSlug): SlottedJson | undefined {
    const id =
      'id' in series
        ? series.id
        : this.#sql.value<number>('SELECT id FROM series WHERE slug = ?', series.slug);
    const writer = new JsonWriter();
    const isKnown = id !== undefined && this.#parts.events.writeSeries(writer, id);
    return isKnown ? writer.done(1) : undefined;
  }

  #seriesIds({ limit, offset, slug, ...scope }: CatalogQueries['seriesList']): number[] {
    const wallets = this.#parts.names.walletsOf(scope);
    const clauses = [
      ...(slug === undefined ? [] : ['slug = @slug']),
      ...(wallets === undefined ? [] : [byCreators('event_series', 'series_id')]),
    ];
    const values = { limit, offset, slug, wallets: JSON.stringify(wallets) };
    return this.#sql.column<number>(pageSql('SELECT id FROM series', clauses), values);
  }
}
