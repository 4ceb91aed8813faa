/** Markets as the main thread reads them from the catalog, and the queries that read them. */
import {
  gameStartOf,
  MARKET_COLUMNS,
  type MarketRow,
  type OutcomeColumns,
  pairOf,
  selectList,
} from '../model/index.ts';
import { TRADABLE } from '../schema/index.ts';

const FLAGS = [
  ...(['active', 'closed', 'archived', 'enableOrderBook'] as const),
  ...(['acceptingOrders', 'negRisk'] as const),
] as const;
type FlagName = (typeof FLAGS)[number];

/** Dates are ISO 8601 in UTC, or null if the source gave none. */
export interface CatalogMarket
  extends Readonly<Record<FlagName, boolean>>,
    Omit<MarketRow, FlagName | 'id' | 'eventId' | 'closedTime' | 'record' | 'told' | StoredTerms>,
    EventTexts {
  /** Numeric id as text. */
  readonly id: string;
  readonly eventId: string;
  readonly outcomes: readonly [string, string];
  readonly tokenIds: readonly [string, string];
  readonly gameStartTime: string | null;
  /** Slugs, in the order the event names them. */
  readonly tags: readonly string[];
  /** In the order of the outcomes; empty texts if the source gave none. */
  readonly mirrorTokenIds: readonly [string, string];
  /** `outcomePrices` of the source; undefined if it gave none. */
  readonly sourcePrices: readonly [string, string] | undefined;
  /** Such as 0.01. As it was when the market opened; the engine knows the current one. */
  readonly minimumTickSize: number;
  /** In tokens. As it was when the market opened. */
  readonly minimumOrderSize: number;
}

type StoredTerms = 'mirrorTokens' | 'tickTicks' | 'minimumLots';

interface EventTexts {
  readonly eventSlug: string;
  readonly eventTitle: string;
  readonly eventTicker: string;
  readonly eventDescription: string;
  /** `0x` and 64 hex digits for a neg-risk market, else empty. */
  readonly negRiskEventId: string;
}

/** What the engine needs to know to create a market. */
export interface TradableMarket
  extends Pick<MarketRow, 'conditionId' | 'slug' | 'tickTicks' | 'minimumLots'>,
    Pick<CatalogMarket, 'tokenIds' | 'outcomes' | 'negRisk' | 'eventId'> {
  /** The `feeSchedule` of a source that charges fees, as it was told; null for no fees. */
  readonly sourceFees: unknown;
}

export interface JoinedRow extends MarketRow, OutcomeColumns, EventTexts {
  /** A JSON array of slugs. */
  readonly tags: string;
  /** Any JSON value that the source gave. */
  readonly gameStart: unknown;
  readonly sourcePrices: unknown;
}

/** The caller appends a condition on `m` and an order. */
export const SELECT_MARKETS = `
SELECT ${selectList('m', MARKET_COLUMNS)},
  t0.token_id AS token0, t1.token_id AS token1, t0.outcome AS outcome0, t1.outcome AS outcome1,
  e.slug AS eventSlug, e.title AS eventTitle, e.ticker AS eventTicker,
  e.description AS eventDescription, e.neg_risk_event_id AS negRiskEventId,
  (SELECT json_group_array(tags.slug ORDER BY event_tags.position)
   FROM event_tags JOIN tags ON tags.id = event_tags.tag_id
   WHERE event_tags.event_id = m.event_id) AS tags,
  m.record ->> 'gameStartTime' AS gameStart, m.told ->> 'outcomePrices' AS sourcePrices
FROM markets m
JOIN events e ON e.id = m.event_id
JOIN market_tokens t0 ON t0.market_id = m.id AND t0.outcome_index = 0
JOIN market_tokens t1 ON t1.market_id = m.id AND t1.outcome_index = 1`;

/** The caller appends further conditions and an order. */
export const TRADABLE_MARKETS = `
SELECT m.condition_id AS conditionId, t0.token_id AS token0, t1.token_id AS token1,
  t0.outcome AS outcome0, t1.outcome AS outcome1, m.slug, m.tick_ticks AS tickTicks,
  m.minimum_lots AS minimumLots, m.neg_risk AS negRisk, m.event_id AS eventId,
  iif(m.told ->> '$.feesEnabled', coalesce(m.told -> '$.feeSchedule', '{}'), NULL) AS fees
FROM markets m
JOIN market_tokens t0 ON t0.market_id = m.id AND t0.outcome_index = 0
JOIN market_tokens t1 ON t1.market_id = m.id AND t1.outcome_index = 1
WHERE ${TRADABLE}`;

export interface TradableRow
  extends OutcomeColumns,
    Pick<MarketRow, keyof MarketRow & keyof TradableMarket> {
  /** JSON. */
  readonly fees: string | null;
}

export function catalogMarketOf(row: JoinedRow): CatalogMarket {
  const { record: _record, told: _told, closedTime: _closedTime, ...stored } = row;
  const { token0, token1, outcome0, outcome1, gameStart, mirrorTokens, ...further } = stored;
  const { tickTicks, minimumLots, ...fields } = further;
  // Safe: they are the names of the flags.
  const flags = Object.fromEntries(FLAGS.map((name) => [name, row[name] === 1])) as Record<
    FlagName,
    boolean
  >;
  return {
    ...fields,
    ...flags,
    id: `${row.id}`,
    outcomes: [outcome0, outcome1],
    tokenIds: [token0, token1],
    gameStartTime: gameStartOf(gameStart),
    eventId: `${row.eventId}`,
    negRiskEventId: flags.negRisk ? row.negRiskEventId : '',
    // Safe: the query above makes it an array of tags.slug, which is TEXT NOT NULL.
    tags: JSON.parse(row.tags) as string[],
    mirrorTokenIds: pairOf(mirrorTokens) ?? ['', ''],
    sourcePrices: pairOf(row.sourcePrices),
    minimumTickSize: tickTicks / 10_000,
    minimumOrderSize: minimumLots / 100,
  };
}

export function tradableMarketOf(row: TradableRow): TradableMarket {
  return {
    conditionId: row.conditionId,
    tokenIds: [row.token0, row.token1],
    outcomes: [row.outcome0, row.outcome1],
    slug: row.slug,
    tickTicks: row.tickTicks,
    minimumLots: row.minimumLots,
    negRisk: row.negRisk === 1,
    eventId: `${row.eventId}`,
    sourceFees: row.fees === null ? null : JSON.parse(row.fees),
  };
}
