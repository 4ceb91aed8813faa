/**
 * The parts that all lists of markets share, and the short form of a market (wire 1.4).
 *
 * Invariant: texts come from the catalog, trading terms from the registry, prices from the durable
 * book.
 */
import { type Static, Type } from 'typebox';
import {
  complement,
  type FeeSchedule,
  ONE_TICKS,
  type Outcome,
  type TakerDelay,
  type Ticks,
} from '../../engine/model/index.ts';
import type { CatalogMarket } from '../../persistence/index.ts';
import { type HalfTicks, halfTicksNumber, lotsNumber, ticksNumber } from '../codec/index.ts';
import { OrNull } from '../parameters/index.ts';
import type { BookViews, Registry, TokenBook } from '../views/index.ts';
import { NO_FEES } from './fees.ts';

export const Rewards = Type.Object({
  rates: Type.Array(
    Type.Object({ asset_address: Type.String(), rewards_daily_rate: Type.Number() }),
  ),
  min_size: Type.Number(),
  max_spread: Type.Number(),
});

/** The strictest client accepts null or ISO 8601, and refuses "". */
export const DateOrNull = OrNull(Type.String(), 'ISO 8601, or null');

export const MarketToken = Type.Object({
  token_id: Type.String(),
  outcome: Type.String(),
  price: Type.Number({
    description: 'Payout, else midpoint of both sides, last trade, price of its source, or 0.5',
  }),
  winner: Type.Boolean(),
});

/** A token in the sampling and simplified lists. */
export const MirroredToken = Type.Object({
  ...MarketToken.properties,
  mirror_token_id: Type.String(),
});

export const ShownStatus = Type.Enum(['active', 'paused', 'closed']);

export const SimplifiedMarket = Type.Object({
  condition_id: Type.String(),
  creator: Type.String(),
  mirror_condition_id: Type.String(),
  status: ShownStatus,
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

/** No market pays rewards. The object is always there, because strict clients need it. */
export function noRewards(): Static<typeof Rewards> {
  return { rates: [], min_size: 0, max_spread: 0 };
}

/** The sources of trading data. A market that was never opened for trading is in neither. */
export interface LiveSources {
  readonly books: Pick<BookViews, 'token'>;
  readonly registry: Pick<Registry, 'market' | 'acceptsOrders'>;
}

/** A market of the catalog with its trading data. */
export interface LiveMarket {
  readonly market: CatalogMarket;
  readonly books: readonly [TokenBook | undefined, TokenBook | undefined];
  readonly acceptsOrders: boolean;
  /** Whether trading has ended permanently, by the operator or in the catalog. */
  readonly isClosed: boolean;
  /** The payout of a token of outcome 0 of a resolved market. */
  readonly payoutTicks: Ticks | undefined;
  /** What its source says that the tokens are worth, of a market that never opened here. */
  readonly sourcePrices: readonly [number, number] | undefined;
  readonly status: Static<typeof ShownStatus>;
  /** In collateral. Before the market opens, the tick size that it will open with. */
  readonly tickSize: number;
  /** In tokens. Before the market opens, the minimum that it will open with. */
  readonly minimumSize: number;
  /** No fees and no delay for a market that was never opened. */
  readonly terms: FeeSchedule & TakerDelay;
}

const NO_TERMS = { ...NO_FEES, delaySeconds: 0, takerDelayMs: 0 };

export function liveMarket(market: CatalogMarket, { books, registry }: LiveSources): LiveMarket {
  const open = registry.market(market.conditionId);
  const isClosed = market.closed || open?.status === 'closed' || open?.status === 'resolved';
  const isOpen = open !== undefined && registry.acceptsOrders(open);
  const acceptsOrders = market.acceptingOrders && isOpen;
  const hasEnded = isClosed || market.archived;
  return {
    market,
    books: [books.token(market.tokenIds[0]), books.token(market.tokenIds[1])],
    acceptsOrders,
    isClosed,
    payoutTicks: open?.payoutTicks,
    sourcePrices: open === undefined ? pricesOf(market) : undefined,
    status: hasEnded ? 'closed' : acceptsOrders ? 'active' : 'paused',
    tickSize: open === undefined ? market.minimumTickSize : ticksNumber(open.tickTicks),
    minimumSize: open === undefined ? market.minimumOrderSize : lotsNumber(open.minimumLots),
    terms: open ?? NO_TERMS,
  };
}

/** The payout of a token; undefined while its market is not resolved. */
function payoutOf({ payoutTicks }: LiveMarket, outcome: Outcome): Ticks | undefined {
  return payoutTicks === undefined || outcome === 0 ? payoutTicks : complement(payoutTicks);
}

function pricesOf({ sourcePrices = ['', ''] }: CatalogMarket): [number, number] | undefined {
  const [yes, no] = [Number.parseFloat(sourcePrices[0]), Number.parseFloat(sourcePrices[1])];
  return [yes, no].every((price) => price >= 0 && price <= 1) ? [yes, no] : undefined;
}

/** A token's price in lists: the payout if the market is resolved, else its value, else 0.5. */
function listedPrice(live: LiveMarket, outcome: Outcome): number {
  const payout = payoutOf(live, outcome);
  if (payout !== undefined) return ticksNumber(payout);
  return live.sourcePrices?.[outcome] ?? halfTicksNumber(live.books[outcome]?.value ?? EVEN);
}

/** Whether the tokens of a market pay this: it is resolved here, or closed at its source. */
function pays(live: LiveMarket, outcome: Outcome, price: number): boolean {
  const isFinal =
    live.payoutTicks !== undefined || (live.sourcePrices !== undefined && live.isClosed);
  return isFinal && listedPrice(live, outcome) === price;
}

/** Whether a market is resolved and both tokens pay the same. */
export function isEven(live: LiveMarket): boolean {
  return pays(live, 0, 0.5);
}

const EVEN: HalfTicks = ONE_TICKS;

export function formatTokens(live: LiveMarket): Static<typeof MarketToken>[] {
  return ([0, 1] as const).map((outcome) => ({
    token_id: live.market.tokenIds[outcome],
    outcome: live.market.outcomes[outcome],
    price: listedPrice(live, outcome),
    winner: pays(live, outcome, 1),
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
