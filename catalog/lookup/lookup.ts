/** Lookups in the catalog by the main thread, over a read-only connection of its own. */
import assert from 'node:assert';
import type { Database } from 'better-sqlite3';
import {
  type AccountAddresses,
  type AccountProfile,
  type AccountProfileRow,
  accountProfile,
  accountProfileSql,
  openPlanStableDatabase,
  StatementCache,
} from '../../persistence/shared/index.ts';
import { placeholderSlug } from '../intake/placeholder-rows.ts';
import { CatalogPlans } from '../intake/plans.ts';
import {
  CATALOG_BOUNDS,
  type CatalogPlan,
  type CommentParent,
  EVENT_COLUMNS,
  type EventRow,
  FIRST_PLACEHOLDER_ID,
  type NamedParentType,
  selectList,
  TAG_COLUMNS,
  type TagRow,
} from '../model/index.ts';
import { deriveNumericId, type NumericIdKind } from '../records/identity.ts';
import { TRADABLE } from '../schema/index.ts';
import {
  type CatalogMarket,
  catalogMarketOf,
  type JoinedRow,
  SELECT_MARKETS,
  TRADABLE_MARKETS,
  type TradableMarket,
  type TradableRow,
  tradableMarketOf,
} from './market.ts';

export type MarketScope = 'all' | 'tradable';

/** What a new market needs to know about its event. */
export interface EventKind {
  readonly slug: string;
  readonly negRisk: boolean;
  readonly marketCount: number;
  readonly creator: string;
}

interface KindRow extends Pick<EventRow, 'slug' | 'creator' | 'negRisk'> {
  readonly marketCount: number;
}

// An index of ids alone finds the page first, so that skipped markets are not read.
function pageSql(condition: string): string {
  return `${SELECT_MARKETS}
WHERE m.id IN (SELECT id FROM markets WHERE id > @after AND ${condition}
  ORDER BY id LIMIT @limit OFFSET @offset)
ORDER BY m.id`;
}

const PAGES: Readonly<Record<MarketScope, string>> = {
  all: pageSql('true'),
  tradable: pageSql(TRADABLE),
};
const COUNTS: Readonly<Record<MarketScope, string>> = {
  all: 'SELECT count(*) FROM markets',
  tradable: `SELECT count(*) FROM markets WHERE ${TRADABLE}`,
};
const SELECT_BY_ID = `${SELECT_MARKETS} WHERE m.id = ?`;
const SELECT_BY_CONDITION = `${SELECT_MARKETS} WHERE m.condition_id = ?`;
const SELECT_EVENT = `SELECT ${selectList('e', EVENT_COLUMNS)} FROM events e WHERE e.id = ?`;
const SELECT_NEG_RISK_EVENT = `
SELECT id FROM events WHERE neg_risk_event_id <> '' AND neg_risk_event_id = ?`;
const SELECT_PROFILE = accountProfileSql('profiles');
const SELECT_TAG = `SELECT ${selectList('t', TAG_COLUMNS)} FROM tags t WHERE slug = ?`;

const SELECT_TRADABLE_OF = `${TRADABLE_MARKETS} AND m.condition_id = ?`;
const SELECT_TRADABLE = `${TRADABLE_MARKETS}
  AND EXISTS (SELECT 1 FROM imported_markets WHERE market_id = m.id) = @isImported
ORDER BY m.event_id, m.id`;

// The event of a placeholder has the id of the lost event, which may be stored again.
const SELECT_REAL_EVENT = `
SELECT id FROM events WHERE id = ? AND slug <> '${placeholderSlug('')}' || id`;

const SELECT_KIND = `
SELECT slug, creator, neg_risk AS negRisk,
  (SELECT count(*) FROM markets WHERE event_id = events.id) AS marketCount
FROM events WHERE id = ?`;

const TOKENS_OF_EVENT = `
SELECT t.token_id FROM markets m JOIN market_tokens t ON t.market_id = m.id
WHERE m.event_id = ? ORDER BY m.id, t.outcome_index LIMIT ?`;

const EXISTS: Readonly<Record<NumericIdKind, string>> = {
  event: SELECT_REAL_EVENT,
  market: 'SELECT id FROM markets WHERE id = ?',
  tag: 'SELECT id FROM tags WHERE id = ?',
  series: 'SELECT id FROM series WHERE id = ?',
  creator: 'SELECT id FROM creators WHERE id = ?',
};

export class CatalogLookup {
  readonly #database: Database;
  readonly #sql: StatementCache;
  readonly #plans: CatalogPlans;

  /** `close` closes the database. */
  constructor(database: Database) {
    this.#database = database;
    this.#sql = new StatementCache(database);
    this.#plans = new CatalogPlans(database);
  }

  /** The market of a condition id (`0x` and 64 lower-case hex digits). */
  marketByCondition(conditionId: string): CatalogMarket | undefined {
    const row = this.#sql.get<JoinedRow>(SELECT_BY_CONDITION, conditionId);
    return row && catalogMarketOf(row);
  }

  market(id: number): CatalogMarket | undefined {
    const row = this.#sql.get<JoinedRow>(SELECT_BY_ID, id);
    return row && catalogMarketOf(row);
  }

  event(id: number): EventRow | undefined {
    return this.#sql.get<EventRow>(SELECT_EVENT, id);
  }

  /** The id of the event with a neg-risk id (`0x` and 64 lower-case hex digits). */
  negRiskEvent(negRiskEventId: string): number | undefined {
    return this.#sql.value<number>(SELECT_NEG_RISK_EVENT, negRiskEventId);
  }

  accountProfile({ address, owner }: AccountAddresses): AccountProfile {
    const row = this.#sql.get<AccountProfileRow>(SELECT_PROFILE, { address, owner });
    return accountProfile(address, row);
  }

  marketCount(scope: MarketScope = 'all'): number {
    return this.#sql.value<number>(COUNTS[scope]) ?? 0;
  }

  /**
   * Markets by ascending id, from an offset or after an id; `limit` is at most
   * `CATALOG_BOUNDS.marketsAPage`.
   */
  marketPage(
    from: number | { readonly after: number },
    limit: number,
    scope: MarketScope = 'all',
  ): CatalogMarket[] {
    const { offset, after } =
      typeof from === 'number' ? { offset: from, after: 0 } : { offset: 0, ...from };
    assert(Number.isSafeInteger(offset) && offset >= 0, 'the offset must be whole, from 0');
    const isLimit = Number.isInteger(limit) && limit >= 1 && limit <= CATALOG_BOUNDS.marketsAPage;
    assert(isLimit, `the limit must be whole, 1 to ${CATALOG_BOUNDS.marketsAPage}`);
    return this.#sql.all<JoinedRow>(PAGES[scope], { offset, after, limit }).map(catalogMarketOf);
  }

  /** Every market that may be traded, except imported ones, by event id and then market id. */
  tradable(): TradableMarket[] {
    return this.#sql.all<TradableRow>(SELECT_TRADABLE, { isImported: 0 }).map(tradableMarketOf);
  }

  /** Imported markets that may be traded but don't trade here. */
  importedTradable(): TradableMarket[] {
    return this.#sql.all<TradableRow>(SELECT_TRADABLE, { isImported: 1 }).map(tradableMarketOf);
  }

  tradableMarket(conditionId: string): TradableMarket | undefined {
    const row = this.#sql.get<TradableRow>(SELECT_TRADABLE_OF, conditionId);
    return row && tradableMarketOf(row);
  }

  eventKind(id: number): EventKind | undefined {
    const row = this.#sql.get<KindRow>(SELECT_KIND, id);
    return row === undefined ? undefined : { ...row, negRisk: row.negRisk === 1 };
  }

  /** A stored tag in the form of an import. */
  tagRecord(slug: string): Readonly<Record<string, unknown>> | undefined {
    const row = this.#sql.get<TagRow>(SELECT_TAG, slug);
    if (row === undefined) return undefined;
    const { id, record, requiresTranslation, ...words } = row;
    const further: object = JSON.parse(record);
    return { ...further, ...words, id: `${id}`, requiresTranslation: requiresTranslation === 1 };
  }

  eventId(slug: string): number | undefined {
    return this.#sql.value<number>('SELECT id FROM events WHERE slug = ?', slug);
  }

  commentParent(type: NamedParentType, id: number): CommentParent | undefined {
    if (type !== 'market') return { type, id };
    const event = this.#sql.value<number>('SELECT event_id FROM markets WHERE id = ?', id);
    return event === undefined ? undefined : { type: 'Event', id: event };
  }

  /** The tokens of an event's markets; none for a series. */
  tokensOf({ type, id }: CommentParent, limit: number): string[] {
    return type === 'Series' ? [] : this.#sql.column<string>(TOKENS_OF_EVENT, [id, limit]);
  }

  /** Whether the catalog lost the market and has only a placeholder. */
  isPlaceholder(conditionId: string): boolean {
    const sql = 'SELECT id FROM markets WHERE condition_id = ?';
    return (this.#sql.value<number>(sql, conditionId) ?? 0) >= FIRST_PLACEHOLDER_ID;
  }

  /** A numeric id for a record without one: neither stored nor among those `chosen`. */
  freeId(kind: NumericIdKind, slug: string, chosen: ReadonlySet<number>): number {
    const isTaken = (id: number) =>
      chosen.has(id) || this.#sql.value(EXISTS[kind], id) !== undefined;
    return deriveNumericId(kind, slug, isTaken);
  }

  plan(name: string): CatalogPlan | undefined {
    return this.#plans.get(name);
  }

  /** Plans with a command that may not be durable, oldest first. */
  unfinishedPlans(): CatalogPlan[] {
    return this.#plans.unfinished();
  }

  close(): void {
    this.#database.close();
  }
}

/** The writer thread must have created the file. */
export function openCatalogLookup(path: string): CatalogLookup {
  return new CatalogLookup(openPlanStableDatabase({ path, readonly: true }));
}
