/**
 * Resolves names in queries: the slugs of tags, series and events, and a `creator` to wallets (wire
 * 8.6). Invariant: an unknown name becomes a condition that no record meets; it is never dropped.
 * Bound: `CATALOG_BOUNDS.values` wallets of a site.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../shared/index.ts';
import { CATALOG_BOUNDS, type ListCondition, type OfCreator } from '../model/index.ts';

const SELECT_WALLETS = `
SELECT wallet FROM creator_sites CROSS JOIN creators ON creators.id = creator_id
WHERE site = ? AND wallet <> '' LIMIT ${CATALOG_BOUNDS.values}`;

function idsSql(table: string): string {
  return `SELECT id FROM ${table} WHERE slug IN (SELECT value FROM json_each(?))`;
}

/** The condition on ids that replaces a condition on slugs, and the SQL that finds the ids. */
const OF_SLUGS: Readonly<Record<string, { readonly kind: string; readonly sql: string }>> = {
  eventSlug: { kind: 'eventId', sql: idsSql('events') },
  tagSlug: { kind: 'tagId', sql: idsSql('tags') },
  seriesSlug: { kind: 'seriesId', sql: idsSql('series') },
};

export class NameResolver {
  readonly #sql: StatementCache;

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
  }

  /** The wallets that `creator` means; undefined if no creator is given. */
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

  /** The same conditions, with ids and wallets for names. */
  resolve(conditions: readonly ListCondition<string>[]): ListCondition<string>[] {
    return conditions.map(({ kind, anyOf }) => {
      const ofSlugs = OF_SLUGS[kind];
      if (ofSlugs !== undefined) {
        const ids = this.#sql.column<number>(ofSlugs.sql, [JSON.stringify(anyOf)]);
        return { kind: ofSlugs.kind, anyOf: ids };
      }
      if (kind !== 'creator') return { kind, anyOf };
      const wallets = anyOf.flatMap((one) => this.walletsOf({ creator: `${one}` }) ?? []);
      return { kind, anyOf: wallets };
    });
  }
}
