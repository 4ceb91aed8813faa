/** Queries of series and tags, by ascending id. Bound: the caller's part of a list. */
import type { Database, Statement } from 'better-sqlite3';
import { JsonWriter, plainJson, plainList, tagText } from '../json/index.ts';
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

/** Series or tags of the events that some creators made. */
function byCreators(links: string, id: string): string {
  return `
IN (SELECT l.${id} FROM events e CROSS JOIN ${links} l ON l.event_id = e.id
    WHERE e.creator COLLATE NOCASE IN (SELECT value FROM json_each(@wallets)))`;
}

interface Part {
  readonly limit: number;
  readonly offset: number;
}
type Scoped = Part & { readonly wallets: string };

const PART = 'LIMIT @limit OFFSET @offset';

export interface SeriesAndTagParts {
  readonly names: NameResolver;
  readonly events: EventQueries;
}

export class SeriesAndTagQueries {
  readonly #parts: SeriesAndTagParts;
  readonly #tags: Statement<[Part], TagRow>;
  readonly #scopedTags: Statement<[Scoped], TagRow>;
  readonly #tagById: Statement<[id: number], TagRow>;
  readonly #tagBySlug: Statement<[slug: string], TagRow>;
  readonly #series: Statement<[Part], number>;
  readonly #scopedSeries: Statement<[Scoped], number>;
  readonly #seriesOfSlug: Statement<[slug: string], number>;

  constructor(database: Database, parts: SeriesAndTagParts) {
    const ids = 'SELECT id FROM series';
    this.#parts = parts;
    this.#tags = database.prepare(`${SELECT_TAGS} ORDER BY t.id ${PART}`);
    this.#scopedTags = database.prepare(
      `${SELECT_TAGS} WHERE t.id ${byCreators('event_tags', 'tag_id')} ORDER BY t.id ${PART}`,
    );
    this.#tagById = database.prepare(`${SELECT_TAGS} WHERE t.id = ?`);
    this.#tagBySlug = database.prepare(`${SELECT_TAGS} WHERE t.slug = ?`);
    this.#series = database.prepare<[Part], number>(`${ids} ORDER BY id ${PART}`).pluck();
    this.#scopedSeries = database
      .prepare<[Scoped], number>(
        `${ids} WHERE id ${byCreators('event_series', 'series_id')} ORDER BY id ${PART}`,
      )
      .pluck();
    this.#seriesOfSlug = database
      .prepare<[string], number>('SELECT id FROM series WHERE slug = ?')
      .pluck();
  }

  listTags(query: CatalogQueries['tags']): SlottedJson {
    const { limit, offset } = query;
    const wallets = this.#parts.names.walletsOf(query);
    const rows =
      wallets === undefined
        ? this.#tags.all({ limit, offset })
        : this.#scopedTags.all({ limit, offset, wallets: JSON.stringify(wallets) });
    return plainList(rows.map(tagText));
  }

  oneTag(tag: IdOrSlug): SlottedJson | undefined {
    const row = 'id' in tag ? this.#tagById.get(tag.id) : this.#tagBySlug.get(tag.slug);
    return row && plainJson(tagText(row));
  }

  listSeries(query: CatalogQueries['seriesList']): SlottedJson {
    const ids = this.#seriesIds(query);
    const writer = new JsonWriter();
    writer.add('[');
    this.#parts.events.writeSeriesList(writer, ids);
    writer.add(']');
    return writer.done(ids.length);
  }

  oneSeries(series: IdOrSlug): SlottedJson | undefined {
    const id = 'id' in series ? series.id : this.#seriesOfSlug.get(series.slug);
    const writer = new JsonWriter();
    const isKnown = id !== undefined && this.#parts.events.writeSeries(writer, id);
    return isKnown ? writer.done(1) : undefined;
  }

  #seriesIds({ limit, offset, slug, ...scope }: CatalogQueries['seriesList']): number[] {
    const wallets = this.#parts.names.walletsOf(scope);
    const part = slug === undefined ? { limit, offset } : ONE;
    const ids =
      wallets === undefined
        ? slug === undefined
          ? this.#series.all(part)
          : this.#seriesOfSlug.all(slug)
        : this.#scopedSeries.all({ ...part, wallets: JSON.stringify(wallets) });
    if (slug === undefined) return ids;
    const named = this.#seriesOfSlug.get(slug);
    return ids.filter((id) => id === named).slice(offset, offset + limit);
  }
}

/** All series: one of them is picked by its slug. */
const ONE: Part = { limit: -1, offset: 0 };
