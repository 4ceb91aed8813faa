/**
 * Markets as the order-book surface lists them (interface.md "Order-book market forms", wire 1.4).
 *
 * Invariant: words come from the catalog, what trading depends on from the registry, prices from
 * the durable book.
 */
import { Type } from 'typebox';
import { ONE_TICKS } from '../../engine/index.ts';
import type { CatalogMarket } from '../../persistence/index.ts';
import type { TokenBook } from '../views/token-book.ts';
import { halfTicksNumber } from './decimal.ts';

export const Rewards = Type.Object({
  rates: Type.Array(
    Type.Object({ asset_address: Type.String(), rewards_daily_rate: Type.Number() }),
  ),
  min_size: Type.Number(),
  max_spread: Type.Number(),
});

const MarketToken = Type.Object({
  token_id: Type.String(),
  outcome: Type.String(),
  price: Type.Number({ description: 'From 0 to 1: midpoint, else last trade, else 0.5' }),
  winner: Type.Boolean(),
  mirror_token_id: Type.String(),
});

export const SimplifiedMarket = Type.Object({
  condition_id: Type.String(),
  creator: Type.String(),
  mirror_condition_id: Type.String(),
  status: Type.Enum(['active', 'paused', 'closed']),
  slug: Type.String(),
  question: Type.String(),
  neg_risk: Type.Boolean(),
  active: Type.Boolean(),
  closed: Type.Boolean(),
  archived: Type.Boolean(),
  accepting_orders: Type.Boolean(),
  market_id: Type.Integer(),
  tokens: Type.Array(MarketToken),
  rewards: Rewards,
  assets_ids: Type.Array(Type.String()),
  outcomes: Type.Array(Type.String()),
});
export type SimplifiedMarket = Type.Static<typeof SimplifiedMarket>;

/** No market pays for resting orders. The object is always there: strict clients need it. */
export const noRewards = (): Type.Static<typeof Rewards> => ({
  rates: [],
  min_size: 0,
  max_spread: 0,
});

/**
 * A token's price for lists: its midpoint, with one side empty the other's best price, with both
 * empty the last trade, and 0.5 where nothing was ever said.
 */
const listedPrice = (book: TokenBook | undefined): number =>
  halfTicksNumber(book?.midpoint ?? ONE_TICKS);

const statusOf = (market: CatalogMarket, isOpen: boolean): SimplifiedMarket['status'] => {
  if (market.closed || market.archived) return 'closed';
  return isOpen ? 'active' : 'paused';
};

/** `bookOf` finds a token's book; a market that the engine has not opened has none. */
export const formatSimplifiedMarket = (
  market: CatalogMarket,
  bookOf: (tokenId: string) => TokenBook | undefined,
): SimplifiedMarket => {
  const books = market.tokenIds.map(bookOf);
  const isOpen = market.acceptingOrders && books[0] !== undefined;
  return {
    condition_id: market.conditionId,
    creator: market.creator,
    mirror_condition_id: market.mirrorConditionId,
    status: statusOf(market, isOpen),
    slug: market.slug,
    question: market.question,
    neg_risk: market.negRisk,
    active: market.active,
    closed: market.closed,
    archived: market.archived,
    accepting_orders: isOpen,
    market_id: Number(market.id),
    tokens: ([0, 1] as const).map((outcome) => ({
      token_id: market.tokenIds[outcome],
      outcome: market.outcomes[outcome],
      price: listedPrice(books[outcome]),
      winner: false,
      mirror_token_id: '',
    })),
    rewards: noRewards(),
    assets_ids: [...market.tokenIds],
    outcomes: [...market.outcomes],
  };
};
