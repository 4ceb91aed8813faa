// Lists of series and of tags, and single ones. Both are by id, ascending. Bound: the caller's
// part of a list.

import type { Database, Statement } from 'better-sqlite3';
import { CatalogTextWriter, tagText } from '../json/index.ts';
import type { CatalogQuestions, CatalogText, IdOrSlug } from '../model/index.ts';
import { selectList, TAG_FIELDS, type TagRow } from '../model/index.ts';
import type { EventReads } from './event-reads.ts';
import type { CatalogScope } from './scope.ts';

const SELECT_TAGS = `SELECT ${selectList('t', TAG_FIELDS)} FROM tags t`;

/** Those of which some event is by one of the creators; found from their events. */
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
  readonly scope: CatalogScope;
  readonly events: EventReads;
}

export class SeriesAndTagReads {
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

  listTags(question: CatalogQuestions['tags']): CatalogText {
    const { limit, offset } = question;
    const wallets = this.#parts.scope.wallets(question);
    const rows =
      wallets === undefined
        ? this.#tags.all({ limit, offset })
        : this.#scopedTags.all({ limit, offset, wallets: JSON.stringify(wallets) });
    return { segments: [`[${rows.map(tagText).join(',')}]`], gaps: [], count: rows.length };
  }

  oneTag(tag: IdOrSlug): CatalogText | undefined {
    const row = 'id' in tag ? this.#tagById.get(tag.id) : this.#tagBySlug.get(tag.slug);
    return row && { segments: [tagText(row)], gaps: [], count: 1 };
  }

  listSeries(question: CatalogQuestions['seriesList']): CatalogText {
    const ids = this.#seriesIds(question);
    const text = new CatalogTextWriter();
    text.add('[');
    this.#parts.events.writeSeriesList(text, ids);
    text.add(']');
    return text.done(ids.length);
  }

  oneSeries(series: IdOrSlug): CatalogText | undefined {
    const id = 'id' in series ? series.id : this.#seriesOfSlug.get(series.slug);
    const text = new CatalogTextWriter();
    const isThere = id !== undefined && this.#parts.events.writeSeries(text, id);
    return isThere ? text.done(1) : undefined;
  }

  #seriesIds({ limit, offset, slug, ...scope }: CatalogQuestions['seriesList']): number[] {
    const wallets = this.#parts.scope.wallets(scope);
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

/** All of a creator's series, of which one is looked for. */
const ONE: Part = { limit: -1, offset: 0 };
