/** Prepared statements for markets and events by id, pages of markets, and tradable markets. */
import type { Database, Statement } from 'better-sqlite3';
import { EVENT_FIELDS, type EventRow, selectList } from '../model/index.ts';
import { TRADABLE } from '../schema/index.ts';
import { type CatalogMarket, catalogMarketOf, type JoinedRow, SELECT_MARKETS } from './market.ts';

/** What the engine needs to know to create a market. */
export interface TradableMarket {
  readonly conditionId: string;
  /** Decimal uint256 each, in the order of the outcomes. */
  readonly tokenIds: readonly [string, string];
  readonly outcomes: readonly [string, string];
  readonly slug: string;
  /** 1,000, 100, 50, 25, 10 or 1 units of 0.0001. */
  readonly tickTicks: number;
  /** Units of 0.01 token. */
  readonly minimumLots: number;
  readonly negRisk: boolean;
  /** Numeric id as text: markets of one neg-risk event share it. */
  readonly eventId: string;
}

export interface TradableEvent {
  /** Numeric id as text. */
  readonly id: string;
  readonly ticker: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly resolutionSource: string;
  /** ISO 8601 in UTC, or null if the source gave none; likewise the other dates. */
  readonly startDate: string | null;
  readonly creationDate: string | null;
  readonly endDate: string | null;
  readonly image: string;
  readonly icon: string;
  readonly active: boolean;
  readonly closed: boolean;
  readonly archived: boolean;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

// An index of ids alone finds the page first, so that skipped markets are not read.
function pageSql(condition: string): string {
  return `${SELECT_MARKETS}
WHERE m.id IN (SELECT id FROM markets WHERE ${condition} ORDER BY id LIMIT @limit OFFSET @offset)
ORDER BY m.id`;
}

const TRADABLE_MARKETS = `
SELECT m.condition_id AS conditionId, t0.token_id AS token0, t1.token_id AS token1,
  t0.outcome AS outcome0, t1.outcome AS outcome1, m.slug, m.tick_ticks AS tickTicks,
  m.minimum_lots AS minimumLots, m.neg_risk AS negRisk, m.event_id AS eventId
FROM markets m
JOIN market_tokens t0 ON t0.market_id = m.id AND t0.outcome_index = 0
JOIN market_tokens t1 ON t1.market_id = m.id AND t1.outcome_index = 1
WHERE ${TRADABLE}`;

const SELECT_TRADABLE = `${TRADABLE_MARKETS}
  AND EXISTS (SELECT 1 FROM imported_markets WHERE market_id = m.id) = @isImported
ORDER BY m.event_id, m.id`;

type TradableRow = Pick<
  JoinedRow,
  | 'conditionId'
  | 'token0'
  | 'token1'
  | 'outcome0'
  | 'outcome1'
  | 'slug'
  | 'tickTicks'
  | 'minimumLots'
  | 'negRisk'
  | 'eventId'
>;

type Count = Statement<[], { readonly count: number }>;

export interface MarketPage {
  readonly offset: number;
  /** At most `CATALOG_BOUNDS.marketsAPage`. */
  readonly limit: number;
}

/** All markets, or those that may be traded. */
export type MarketScope = 'all' | 'tradable';

export class MarketLookup {
  readonly #counts: Readonly<Record<MarketScope, Count>>;
  readonly #byId: Statement<[number], JoinedRow>;
  readonly #byCondition: Statement<[string], JoinedRow>;
  readonly #pages: Readonly<Record<MarketScope, Statement<[MarketPage], JoinedRow>>>;
  readonly #event: Statement<[number], EventRow>;
  readonly #tradable: Statement<[{ readonly isImported: 0 | 1 }], TradableRow>;
  readonly #tradableOf: Statement<[conditionId: string], TradableRow>;

  constructor(database: Database) {
    const countSql = 'SELECT count(*) AS count FROM markets';
    this.#counts = {
      all: database.prepare(countSql),
      tradable: database.prepare(`${countSql} WHERE ${TRADABLE}`),
    };
    this.#byId = database.prepare(`${SELECT_MARKETS} WHERE m.id = ?`);
    this.#byCondition = database.prepare(`${SELECT_MARKETS} WHERE m.condition_id = ?`);
    this.#pages = {
      all: database.prepare(pageSql('true')),
      tradable: database.prepare(pageSql(TRADABLE)),
    };
    this.#event = database.prepare(`SELECT ${selectList('e', EVENT_FIELDS)} FROM events e
      WHERE e.id = ?`);
    this.#tradable = database.prepare(SELECT_TRADABLE);
    this.#tradableOf = database.prepare(`${TRADABLE_MARKETS} AND m.condition_id = ?`);
  }

  marketCount(scope: MarketScope): number {
    return this.#counts[scope].get()?.count ?? 0;
  }

  market(id: number): CatalogMarket | undefined {
    const row = this.#byId.get(id);
    return row === undefined ? undefined : catalogMarketOf(row);
  }

  marketByCondition(conditionId: string): CatalogMarket | undefined {
    const row = this.#byCondition.get(conditionId);
    return row === undefined ? undefined : catalogMarketOf(row);
  }

  marketPage(page: MarketPage, scope: MarketScope): CatalogMarket[] {
    return this.#pages[scope].all(page).map(catalogMarketOf);
  }

  event(id: number): TradableEvent | undefined {
    const row = this.#event.get(id);
    return row === undefined ? undefined : eventOf(row);
  }

  tradable(isImported: 0 | 1): TradableMarket[] {
    return this.#tradable.all({ isImported }).map(tradableOf);
  }

  tradableMarket(conditionId: string): TradableMarket | undefined {
    const row = this.#tradableOf.get(conditionId);
    return row === undefined ? undefined : tradableOf(row);
  }
}

function tradableOf(row: TradableRow): TradableMarket {
  return {
    conditionId: row.conditionId,
    tokenIds: [row.token0, row.token1],
    outcomes: [row.outcome0, row.outcome1],
    slug: row.slug,
    tickTicks: row.tickTicks,
    minimumLots: row.minimumLots,
    negRisk: row.negRisk === 1,
    eventId: `${row.eventId}`,
  };
}

function eventOf(row: EventRow): TradableEvent {
  return {
    id: `${row.id}`,
    ticker: row.ticker,
    slug: row.slug,
    title: row.title,
    description: row.description,
    resolutionSource: row.resolutionSource,
    startDate: row.startDate,
    creationDate: row.creationDate,
    endDate: row.endDate,
    image: row.image,
    icon: row.icon,
    active: row.active === 1,
    closed: row.closed === 1,
    archived: row.archived === 1,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
