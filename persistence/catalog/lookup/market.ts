/** Markets as the main thread reads them from the catalog, and the query that reads them. */
import {
  type EventRow,
  gameStartOf,
  MARKET_FIELDS,
  type MarketRow,
  pairOf,
  selectList,
} from '../model/index.ts';

export interface CatalogMarket {
  /** Numeric id as text. */
  readonly id: string;
  readonly question: string;
  readonly conditionId: string;
  readonly slug: string;
  readonly description: string;
  readonly resolutionSource: string;
  /** The market's short name inside its event; may be empty. */
  readonly groupItemTitle: string;
  /** `0x` and 64 hex digits, or empty. */
  readonly questionId: string;
  readonly outcomes: readonly [string, string];
  readonly tokenIds: readonly [string, string];
  /** ISO 8601 in UTC, or null if the source gave none; likewise the other dates. */
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly gameStartTime: string | null;
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
  /** In the order of the outcomes; empty texts if the source gave none. */
  readonly mirrorTokenIds: readonly [string, string];
  /** Such as 0.01. As it was when the market opened; the engine knows the current one. */
  readonly minimumTickSize: number;
  /** In tokens. As it was when the market opened. */
  readonly minimumOrderSize: number;
}

/** A row of `SELECT_MARKETS`. */
export interface JoinedRow extends MarketRow {
  readonly token0: string;
  readonly token1: string;
  readonly outcome0: string;
  readonly outcome1: string;
  readonly eventSlug: string;
  readonly eventTitle: string;
  readonly eventTicker: string;
  readonly eventDescription: string;
  readonly negRiskEventId: EventRow['negRiskEventId'];
  /** A JSON array of slugs. */
  readonly tags: string;
  /** Any JSON value that the source gave. */
  readonly gameStart: unknown;
}

/** A condition on `m` and an order follow. */
export const SELECT_MARKETS = `
SELECT ${selectList('m', MARKET_FIELDS)},
  t0.token_id AS token0, t1.token_id AS token1, t0.outcome AS outcome0, t1.outcome AS outcome1,
  e.slug AS eventSlug, e.title AS eventTitle, e.ticker AS eventTicker,
  e.description AS eventDescription, e.neg_risk_event_id AS negRiskEventId,
  (SELECT json_group_array(tags.slug ORDER BY event_tags.position)
   FROM event_tags JOIN tags ON tags.id = event_tags.tag_id
   WHERE event_tags.event_id = m.event_id) AS tags,
  m.record ->> 'gameStartTime' AS gameStart
FROM markets m
JOIN events e ON e.id = m.event_id
JOIN market_tokens t0 ON t0.market_id = m.id AND t0.outcome_index = 0
JOIN market_tokens t1 ON t1.market_id = m.id AND t1.outcome_index = 1`;

export function catalogMarketOf(row: JoinedRow): CatalogMarket {
  return {
    id: `${row.id}`,
    question: row.question,
    conditionId: row.conditionId,
    slug: row.slug,
    description: row.description,
    resolutionSource: row.resolutionSource,
    groupItemTitle: row.groupItemTitle,
    questionId: row.questionId,
    outcomes: [row.outcome0, row.outcome1],
    tokenIds: [row.token0, row.token1],
    startDate: row.startDate,
    endDate: row.endDate,
    gameStartTime: gameStartOf(row.gameStart),
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
    mirrorTokenIds: pairOf(row.mirrorTokens) ?? ['', ''],
    minimumTickSize: row.tickTicks / 10_000,
    minimumOrderSize: row.minimumLots / 100,
  };
}

function slugsOf(json: string): readonly string[] {
  // Safe: the query above makes it an array of tags.slug, which is TEXT NOT NULL.
  return JSON.parse(json) as string[];
}
