/**
 * An account's order, with camelCase keys and the snake_case keys that every published client reads
 * (wire 1.6).
 *
 * Invariant: both spellings of a key have the same value, except the creation time, which is
 * ISO 8601 in camelCase and whole seconds in snake_case (wire 0.13).
 */
import { Type } from 'typebox';
import { affordableLots, type Lots, lots } from '../../engine/model/index.ts';
import type { CatalogMarket, OrderRecord } from '../../persistence/index.ts';
import { epochSeconds, isoTime, lotsText, ticksText } from '../codec/index.ts';
import { OptionalText, Text } from '../parameters/index.ts';
import { toChecksumAddress } from '../signing/address.ts';

/** The texts of markets in replies and messages. They come from the catalog. */
export type MarketTexts = Pick<
  CatalogMarket,
  'question' | 'slug' | 'icon' | 'image' | 'eventSlug' | 'outcomes' | 'tags' | 'creator'
>;

/** Labels of outcome 0 and 1: "Yes" and "No", or the names of two teams. */
export type OutcomeLabels = MarketTexts['outcomes'];

/** The catalog, by condition id. */
export interface MarketTextSource {
  marketByCondition(conditionId: string): MarketTexts | undefined;
}

export const NO_TEXTS: MarketTexts = {
  question: '',
  slug: '',
  icon: '',
  image: '',
  eventSlug: '',
  outcomes: ['Yes', 'No'],
  tags: [],
  creator: '',
};

/** Reads each market once. Make a finder for one reply and drop it with the reply. */
export function textFinder(source: MarketTextSource): (conditionId: string) => MarketTexts {
  const found = new Map<string, MarketTexts>();
  return (conditionId) => {
    const known = found.get(conditionId);
    if (known !== undefined) return known;
    const texts = source.marketByCondition(conditionId) ?? NO_TEXTS;
    found.set(conditionId, texts);
    return texts;
  };
}

/** Replaces an API key that the reader must not see. Strict clients need a UUID there. */
export const HIDDEN_KEY = '00000000-0000-0000-0000-000000000000';

/** States of an order; `POST /order` alone answers in lower case (wire 5.5). */
export const ORDER_STATUSES = ['LIVE', 'DELAYED', 'MATCHED', 'CANCELED', 'UNMATCHED'] as const;
export type ShownOrderStatus = (typeof ORDER_STATUSES)[number];

const SHOWN = {
  live: 'LIVE',
  delayed: 'DELAYED',
  matched: 'MATCHED',
  canceled: 'CANCELED',
  unmatched: 'UNMATCHED',
} as const satisfies Record<OrderRecord['status'], ShownOrderStatus>;

const text = Type.String();
const texts = Type.Array(Type.String());

export const AccountOrder = Type.Object({
  id: Text('The order hash'),
  status: Type.Enum(ORDER_STATUSES),
  market: Text('Condition id'),
  asset_id: Text('Token id'),
  side: Type.Enum(['BUY', 'SELL']),
  price: Text('Limit price'),
  original_size: Text('Outcome tokens; for a cash budget, what it buys at the limit price'),
  size_matched: Text('Outcome tokens'),
  outcome: Text('Outcome label'),
  owner: Text('API key that placed the order; all zeros in public lists'),
  maker_address: Text('Funding account, EIP-55'),
  order_type: Type.Enum(['GTC', 'GTD', 'FOK', 'FAK']),
  expiration: Text('Seconds since the epoch; "0" for none'),
  associate_trades: Type.Array(Type.String(), { description: 'Trade ids, oldest first' }),
  created_at: Type.Integer({ description: 'Seconds since the epoch' }),
  associateTrades: texts,
  originalSize: text,
  sizeMatched: text,
  makerAddress: text,
  assetId: text,
  createdAt: Text('ISO 8601'),
  releaseAt: OptionalText(
    'The end of the delay, ISO 8601; only for an order that its market delays or has delayed',
  ),
});
export type AccountOrder = Type.Static<typeof AccountOrder>;

/**
 * The size of an order. A FOK or FAK BUY names a cash budget: its size is what the budget buys at
 * the limit, or what it got if better prices gave more, so that `size_matched` never exceeds it.
 */
function originalLots(order: OrderRecord): Lots {
  if (order.budgetMicros === 0) return order.lots;
  const affordable = affordableLots(order.budgetMicros, order.priceTicks);
  return lots(Math.max(order.filledLots, affordable));
}

export function formatOrder(order: OrderRecord, labels: OutcomeLabels): AccountOrder {
  const originalSize = lotsText(originalLots(order));
  const sizeMatched = lotsText(order.filledLots);
  const makerAddress = toChecksumAddress(order.account);
  return {
    id: order.orderId,
    status: SHOWN[order.status],
    market: order.conditionId,
    asset_id: order.tokenId,
    side: order.side,
    price: ticksText(order.priceTicks),
    original_size: originalSize,
    size_matched: sizeMatched,
    outcome: labels[order.outcome],
    owner: order.apiKey,
    maker_address: makerAddress,
    order_type: order.type,
    expiration: `${epochSeconds(order.expiresAtMs)}`,
    associate_trades: [...order.tradeIds],
    created_at: epochSeconds(order.createdMs),
    associateTrades: [...order.tradeIds],
    originalSize,
    sizeMatched,
    makerAddress,
    assetId: order.tokenId,
    createdAt: isoTime(order.createdMs),
    ...(order.releaseMs > 0 ? { releaseAt: isoTime(order.releaseMs) } : {}),
  };
}
