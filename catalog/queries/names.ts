/**
 * Resolves names in queries: parts of titles, the slugs of tags, series and events, the recurrence
 * of series, and a `creator` to wallets (wire 8.6). Invariant: an unknown name becomes a condition
 * that no record meets; it is never dropped. Bound: `CATALOG_BOUNDS.values` wallets of a site.
 */
import type { Database } from 'better-sqlite3';
import { foldText, StatementCache } from '../../persistence/shared/index.ts';
import { CATALOG_BOUNDS, type ListCondition, type OfCreator } from '../model/index.ts';
import { titleMatch } from '../search/matches.ts';
import type { TitleKind } from './list-tables.ts';

const SELECT_WALLETS = `
SELECT wallet FROM creator_sites CROSS JOIN creators ON creators.id = creator_id
WHERE site = ? AND wallet <> '' LIMIT ${CATALOG_BOUNDS.values}`;

function idsSql(table: string): string {
  return `SELECT id FROM ${table} WHERE slug IN (SELECT value FROM json_each(?))`;
}

const SERIES_OF_RECURRENCE = `
SELECT id FROM series WHERE recurrence COLLATE NOCASE IN (SELECT value FROM json_each(?))`;

/** The condition on ids that replaces a condition on names, and the SQL that finds the ids. */
const OF_NAMES: Readonly<Record<string, { readonly kind: string; readonly sql: string }>> = {
  eventSlug: { kind: 'eventId', sql: idsSql('events') },
  tagSlug: { kind: 'tagId', sql: idsSql('tags') },
  seriesSlug: { kind: 'seriesId', sql: idsSql('series') },
  recurrence: { kind: 'seriesId', sql: SERIES_OF_RECURRENCE },
};

export class NameResolver {
  readonly #sql: StatementCache;

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
  }

  walletsOf({ creator = '' }: OfCreator): readonly string[] | undefined {
    return creator === ''
      ? undefined
      : [creator, ...this.#sql.column<string>(SELECT_WALLETS, [creator])];
  }

  /** Whether the query includes records by `creator`; without a creator it includes all. */
  includes(query: OfCreator, creator: string): boolean {
    const wallets = this.walletsOf(query);
    return (
      wallets === undefined ||
      wallets.some((wallet) => wallet.toLowerCase() === creator.toLowerCase())
    );
  }

  resolve(conditions: readonly ListCondition<string>[]): ListCondition<string>[] {
    return conditions.map(({ kind, anyOf }) => {
      const ofNames = OF_NAMES[kind];
      if (ofNames !== undefined) {
        const ids = this.#sql.column<number>(ofNames.sql, [JSON.stringify(anyOf)]);
        return { kind: ofNames.kind, anyOf: ids };
      }
      if (kind === 'title') return titleCondition(`${anyOf[0]}`);
      if (kind !== 'creator') return { kind, anyOf };
      const wallets = anyOf.flatMap((one) => this.walletsOf({ creator: `${one}` }) ?? []);
      return { kind, anyOf: wallets };
    });
  }
}

function titleCondition(text: string): ListCondition<TitleKind> {
  const { texts, grams } = titleMatch(foldText(text).trim());
  return texts === ''
    ? { kind: 'titleGrams', anyOf: [grams] }
    : { kind: 'titleTexts', anyOf: [texts] };
}
