// The reading half of the catalog, in the two forms others need: what the engine is told of a
// market, and what the order-book lists say of it. Rows become records here and nowhere else.

import type { Database, Statement } from 'better-sqlite3';
import { FIRST_STAND_IN_ID } from './catalog-bounds.ts';
import {
  type EventRow,
  MARKET_FIELDS,
  type MarketRow,
  selectList,
  type TokenRow,
} from './catalog-rows.ts';

/** What the engine's create-market command needs. */
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

/** A market as the order-book lists of the interface tell it. */
export interface CatalogMarket {
  readonly id: string;
  readonly question: string;
  readonly conditionId: string;
  readonly slug: string;
  readonly description: string;
  /** `0x` and 64 hex digits, or empty. */
  readonly questionId: string;
  readonly outcomes: readonly [string, string];
  readonly tokenIds: readonly [string, string];
  /** ISO 8601 in UTC, or null where the source told none; so the other dates. */
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly image: string;
  readonly icon: string;
  readonly active: boolean;
  readonly closed: boolean;
  readonly archived: boolean;
  readonly enableOrderBook: boolean;
  readonly acceptingOrders: boolean;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly eventId: string;
  readonly eventSlug: string;
  readonly eventTitle: string;
  readonly eventTicker: string;
  readonly eventDescription: string;
  readonly negRisk: boolean;
  /** `0x` and 64 hex digits for a neg-risk market, else empty. */
  readonly negRiskEventId: string;
  /** Slugs, in the order the event names them. */
  readonly tags: readonly string[];
  readonly creator: string;
  /** `0x` and 64 hex digits, or empty. */
  readonly mirrorConditionId: string;
  /** Of one unit of collateral: 0.01. As the market was opened; the engine knows today's. */
  readonly minimumTickSize: number;
  /** In tokens. As the market was opened. */
  readonly minimumOrderSize: number;
}

interface JoinedRow extends MarketRow {
  readonly token0: TokenRow['tokenId'];
  readonly token1: TokenRow['tokenId'];
  readonly outcome0: string;
  readonly outcome1: string;
  readonly eventSlug: string;
  readonly eventTitle: string;
  readonly eventTicker: string;
  readonly eventDescription: string;
  readonly negRiskEventId: EventRow['negRiskEventId'];
  /** A JSON array of slugs. */
  readonly tags: string;
}

const SELECT_MARKETS = `
SELECT ${selectList('m', MARKET_FIELDS)},
  t0.token_id AS token0, t1.token_id AS token1, t0.outcome AS outcome0, t1.outcome AS outcome1,
  e.slug AS eventSlug, e.title AS eventTitle, e.ticker AS eventTicker,
  e.description AS eventDescription, e.neg_risk_event_id AS negRiskEventId,
  (SELECT json_group_array(tags.slug ORDER BY event_tags.position)
   FROM event_tags JOIN tags ON tags.id = event_tags.tag_id
   WHERE event_tags.event_id = m.event_id) AS tags
FROM markets m
JOIN events e ON e.id = m.event_id
JOIN market_tokens t0 ON t0.market_id = m.id AND t0.outcome_index = 0
JOIN market_tokens t1 ON t1.market_id = m.id AND t1.outcome_index = 1`;

// The page's ids are found in the index first, so that skipped markets are not read.
const SELECT_PAGE = `${SELECT_MARKETS}
WHERE m.id IN (SELECT id FROM markets ORDER BY id LIMIT @limit OFFSET @offset) ORDER BY m.id`;

const SELECT_TRADABLE = `
SELECT m.condition_id AS conditionId, t0.token_id AS token0, t1.token_id AS token1,
  t0.outcome AS outcome0, t1.outcome AS outcome1, m.slug, m.tick_ticks AS tickTicks,
  m.minimum_lots AS minimumLots, m.neg_risk AS negRisk, m.event_id AS eventId
FROM markets m
JOIN market_tokens t0 ON t0.market_id = m.id AND t0.outcome_index = 0
JOIN market_tokens t1 ON t1.market_id = m.id AND t1.outcome_index = 1
WHERE m.active AND m.enable_order_book AND m.accepting_orders AND NOT m.closed AND NOT m.archived
ORDER BY m.event_id, m.id`;

const NEXT_STAND_IN_ID = `
SELECT max(${FIRST_STAND_IN_ID}, 1 + coalesce((SELECT max(id) FROM markets), 0),
  1 + coalesce((SELECT max(id) FROM events), 0)) AS id`;

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

interface Page {
  readonly offset: number;
  readonly limit: number;
}

export class CatalogQueries {
  readonly #count: Statement<[], { readonly count: number }>;
  readonly #byCondition: Statement<[string], JoinedRow>;
  readonly #page: Statement<[Page], JoinedRow>;
  readonly #tradable: Statement<[], TradableRow>;
  readonly #nextStandInId: Statement<[], { readonly id: number }>;

  constructor(database: Database) {
    this.#count = database.prepare('SELECT count(*) AS count FROM markets');
    this.#byCondition = database.prepare(`${SELECT_MARKETS} WHERE m.condition_id = ?`);
    this.#page = database.prepare(SELECT_PAGE);
    this.#tradable = database.prepare(SELECT_TRADABLE);
    this.#nextStandInId = database.prepare(NEXT_STAND_IN_ID);
  }

  marketCount(): number {
    return this.#count.get()?.count ?? 0;
  }

  marketByCondition(conditionId: string): CatalogMarket | undefined {
    const row = this.#byCondition.get(conditionId);
    return row === undefined ? undefined : marketOf(row);
  }

  marketPage(offset: number, limit: number): CatalogMarket[] {
    return this.#page.all({ offset, limit }).map(marketOf);
  }

  tradable(): TradableMarket[] {
    return this.#tradable.all().map(tradableOf);
  }

  /** An id above every market's and event's, and above any that an import could bring. */
  nextStandInId(): number {
    return this.#nextStandInId.get()?.id ?? FIRST_STAND_IN_ID;
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

function marketOf(row: JoinedRow): CatalogMarket {
  return {
    id: `${row.id}`,
    question: row.question,
    conditionId: row.conditionId,
    slug: row.slug,
    description: row.description,
    questionId: row.questionId,
    outcomes: [row.outcome0, row.outcome1],
    tokenIds: [row.token0, row.token1],
    startDate: row.startDate,
    endDate: row.endDate,
    image: row.image,
    icon: row.icon,
    active: row.active === 1,
    closed: row.closed === 1,
    archived: row.archived === 1,
    enableOrderBook: row.enableOrderBook === 1,
    acceptingOrders: row.acceptingOrders === 1,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    eventId: `${row.eventId}`,
    eventSlug: row.eventSlug,
    eventTitle: row.eventTitle,
    eventTicker: row.eventTicker,
    eventDescription: row.eventDescription,
    negRisk: row.negRisk === 1,
    negRiskEventId: row.negRisk === 1 ? row.negRiskEventId : '',
    tags: slugsOf(row.tags),
    creator: row.creator,
    mirrorConditionId: row.mirrorConditionId,
    minimumTickSize: row.tickTicks / 10_000,
    minimumOrderSize: row.minimumLots / 100,
  };
}

function slugsOf(json: string): readonly string[] {
  // Safe: the query above makes it, an array of tags.slug, which is TEXT NOT NULL.
  return JSON.parse(json) as string[];
}
