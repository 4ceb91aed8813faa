/**
 * What all lists of markets share, and the short form of a market (interface.md "Order-book market
 * forms", wire 1.4).
 *
 * Invariant: words come from the catalog, what trading depends on from the registry, prices from
 * the durable book.
 */
import { type Static, Type } from 'typebox';
import {
  complement,
  type FeeSchedule,
  ONE_TICKS,
  type Outcome,
  type TakerDelay,
  type Ticks,
  ticks,
} from '../../engine/model/index.ts';
import type { CatalogMarket } from '../../persistence/index.ts';
import { type HalfTicks, halfTicksNumber, lotsNumber, ticksNumber } from '../codec/index.ts';
import type { BookViews, Registry, TokenBook } from '../views/index.ts';
import { NO_FEES } from './fees.ts';

export const Rewards = Type.Object({
  rates: Type.Array(
    Type.Object({ asset_address: Type.String(), rewards_daily_rate: Type.Number() }),
  ),
  min_size: Type.Number(),
  max_spread: Type.Number(),
});

/** A date that is told where there is one: the strictest client takes null or ISO, never "". */
export const DateOrNull = Type.Union([Type.String(), Type.Null()], {
  description: 'ISO 8601, or null',
});

export const MarketToken = Type.Object({
  token_id: Type.String(),
  outcome: Type.String(),
  price: Type.Number({
    description: 'From 0 to 1: its payout, else midpoint, else last trade, else 0.5',
  }),
  winner: Type.Boolean(),
});

/** As the sampling and simplified lists tell a token. */
export const MirroredToken = Type.Object({
  ...MarketToken.properties,
  mirror_token_id: Type.String(),
});

export const MarketStatus = Type.Enum(['active', 'paused', 'closed']);

export const SimplifiedMarket = Type.Object({
  condition_id: Type.String(),
  creator: Type.String(),
  mirror_condition_id: Type.String(),
  status: MarketStatus,
  slug: Type.String(),
  question: Type.String(),
  neg_risk: Type.Boolean(),
  active: Type.Boolean(),
  closed: Type.Boolean(),
  archived: Type.Boolean(),
  accepting_orders: Type.Boolean(),
  market_id: Type.Integer(),
  tokens: Type.Array(MirroredToken),
  rewards: Rewards,
  assets_ids: Type.Array(Type.String()),
  outcomes: Type.Array(Type.String()),
});
export type SimplifiedMarket = Static<typeof SimplifiedMarket>;

/** No market pays for resting orders. The object is always there: strict clients need it. */
export function noRewards(): Static<typeof Rewards> {
  return { rates: [], min_size: 0, max_spread: 0 };
}

/** Where a market's trading is found; one that the engine has not opened is in neither. */
export interface LiveSources {
  readonly books: Pick<BookViews, 'token'>;
  readonly registry: Pick<Registry, 'market' | 'acceptsOrders'>;
}

/** A market's words beside its books. */
export interface LiveMarket {
  readonly market: CatalogMarket;
  /** Of outcome 0 and 1. */
  readonly books: readonly [TokenBook | undefined, TokenBook | undefined];
  readonly acceptsOrders: boolean;
  /** Its trading has ended for good: the operator says so, or the catalog always did. */
  readonly isClosed: boolean;
  /** What a token of outcome 0 pays, of one that is resolved. */
  readonly payoutTicks: Ticks | undefined;
  readonly status: Static<typeof MarketStatus>;
  /** Of one unit of collateral, and in tokens: as it is traded, or else as it will open. */
  readonly tickSize: number;
  readonly minimumSize: number;
  /** Of one that is not open to trading, none. */
  readonly terms: FeeSchedule & TakerDelay;
}

const NO_TERMS = { ...NO_FEES, delaySeconds: 0, takerDelayMs: 0 };

export function liveMarket(market: CatalogMarket, { books, registry }: LiveSources): LiveMarket {
  const open = registry.market(market.conditionId);
  const isClosed = market.closed || open?.status === 'closed' || open?.status === 'resolved';
  const isTaking = open !== undefined && registry.acceptsOrders(open);
  const acceptsOrders = market.acceptingOrders && isTaking;
  const hasEnded = isClosed || market.archived;
  return {
    market,
    books: [books.token(market.tokenIds[0]), books.token(market.tokenIds[1])],
    acceptsOrders,
    isClosed,
    payoutTicks: open?.payoutTicks,
    status: hasEnded ? 'closed' : acceptsOrders ? 'active' : 'paused',
    tickSize: open === undefined ? market.minimumTickSize : ticksNumber(open.tickTicks),
    minimumSize: open === undefined ? market.minimumOrderSize : lotsNumber(open.minimumLots),
    terms: open ?? NO_TERMS,
  };
}

/** What a token pays; undefined while its market is not resolved. */
function payoutOf({ payoutTicks }: LiveMarket, outcome: Outcome): Ticks | undefined {
  return payoutTicks === undefined || outcome === 0 ? payoutTicks : complement(payoutTicks);
}

/**
 * A token's price for lists: what it pays, if that is known; else its midpoint, with one side empty
 * the other's best price, with both empty the last trade, and 0.5 where nothing was ever said.
 */
function listedPrice(live: LiveMarket, outcome: Outcome): HalfTicks {
  const payout = payoutOf(live, outcome);
  return payout === undefined ? (live.books[outcome]?.midpoint ?? ONE_TICKS) : 2 * payout;
}

/** Whether both tokens of a resolved market pay the same. */
export function isEven({ payoutTicks }: LiveMarket): boolean {
  return payoutTicks === EVEN_PAYOUT;
}

const EVEN_PAYOUT = ticks(ONE_TICKS / 2);

export function formatTokens(live: LiveMarket): Static<typeof MarketToken>[] {
  return ([0, 1] as const).map((outcome) => ({
    token_id: live.market.tokenIds[outcome],
    outcome: live.market.outcomes[outcome],
    price: halfTicksNumber(listedPrice(live, outcome)),
    winner: payoutOf(live, outcome) === ONE_TICKS,
  }));
}

export function formatMirroredTokens(live: LiveMarket): Static<typeof MirroredToken>[] {
  return formatTokens(live).map((token, outcome) => ({
    ...token,
    mirror_token_id: live.market.mirrorTokenIds[outcome] ?? '',
  }));
}

export function formatSimplifiedMarket(live: LiveMarket): SimplifiedMarket {
  const { market, status, acceptsOrders, isClosed } = live;
  return {
    condition_id: market.conditionId,
    creator: market.creator,
    mirror_condition_id: market.mirrorConditionId,
    status,
    slug: market.slug,
    question: market.question,
    neg_risk: market.negRisk,
    active: market.active,
    closed: isClosed,
    archived: market.archived,
    accepting_orders: acceptsOrders,
    market_id: Number(market.id),
    tokens: formatMirroredTokens(live),
    rewards: noRewards(),
    assets_ids: [...market.tokenIds],
    outcomes: [...market.outcomes],
  };
}
