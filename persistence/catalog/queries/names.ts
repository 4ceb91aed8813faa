/**
 * Resolves names in queries: the slugs of tags, series and events, and whom a `creator` means (wire
 * 8.6). Invariant: an unknown name becomes a condition that nothing meets, never no condition.
 * Bound: `CATALOG_BOUNDS.values` wallets of a site.
 */
import type { Database, Statement } from 'better-sqlite3';
import { CATALOG_BOUNDS, type ListCondition, type OfCreator } from '../model/index.ts';

const SELECT_WALLETS = `
SELECT wallet FROM creator_sites CROSS JOIN creators ON creators.id = creator_id
WHERE site = ? AND wallet <> '' LIMIT ${CATALOG_BOUNDS.values}`;

type IdsOfSlugs = Statement<[slugs: string], number>;

/** The condition on ids that replaces a condition on slugs. */
const OF_SLUGS = { eventSlug: 'eventId', tagSlug: 'tagId', seriesSlug: 'seriesId' } as const;

export class NameResolver {
  readonly #wallets: Statement<[site: string], string>;
  readonly #ids: Readonly<Record<keyof typeof OF_SLUGS, IdsOfSlugs>>;

  constructor(database: Database) {
    const ids = (table: string): IdsOfSlugs =>
      database
        .prepare<[string], number>(
          `SELECT id FROM ${table} WHERE slug IN (SELECT value FROM json_each(?))`,
        )
        .pluck();
    this.#wallets = database.prepare<[string], string>(SELECT_WALLETS).pluck();
    this.#ids = { eventSlug: ids('events'), tagSlug: ids('tags'), seriesSlug: ids('series') };
  }

  /** The wallets that `creator` means; undefined if no creator is given. */
  walletsOf({ creator = '' }: OfCreator): readonly string[] | undefined {
    return creator === '' ? undefined : [creator, ...this.#wallets.all(creator)];
  }

  /** Whether something that `creator` made meets the query; it does if no creator is given. */
  includes(query: OfCreator, creator: string): boolean {
    const wallets = this.walletsOf(query);
    return (
      wallets === undefined ||
      wallets.some((wallet) => wallet.toLowerCase() === creator.toLowerCase())
    );
  }

  /** The same conditions, by ids and wallets alone. */
  resolve(conditions: readonly ListCondition<string>[]): ListCondition<string>[] {
    return conditions.map(({ kind, anyOf }) => {
      if (kind === 'eventSlug' || kind === 'tagSlug' || kind === 'seriesSlug') {
        return { kind: OF_SLUGS[kind], anyOf: this.#ids[kind].all(JSON.stringify(anyOf)) };
      }
      if (kind !== 'creator') return { kind, anyOf };
      const wallets = anyOf.flatMap((one) => this.walletsOf({ creator: `${one}` }) ?? []);
      return { kind, anyOf: wallets };
    });
  }
}
