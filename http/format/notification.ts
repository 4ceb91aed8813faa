/**
 * What an owner is told of its resting orders, as the wire tells it (wire 1.7).
 *
 * Invariant: sizes add up: what was matched by then and what remained are the order's size. A
 * cancellation has the keys of a fill, with nothing matched, because strict clients read them all.
 */
import { Type } from 'typebox';
import { type Lots, lots } from '../../engine/index.ts';
import type { OrderNotification } from '../../persistence/index.ts';
import { lotsText, ticksText } from './decimal.ts';
import type { MarketWords } from './market-words.ts';
import { epochSeconds } from './time.ts';

const text = (description: string) => Type.String({ description });

const CANCELLATION = 1;
const FILL = 2;

export const Notification = Type.Object({
  id: Type.Integer({ description: 'What DELETE /notifications takes' }),
  type: Type.Enum([CANCELLATION, FILL], { description: '1 cancellation, 2 fill' }),
  owner: text('API key that placed the order'),
  timestamp: Type.Integer({ description: 'Seconds since the epoch' }),
  payload: Type.Object({
    asset_id: text('Token id'),
    condition_id: text('Condition id'),
    eventSlug: Type.String(),
    icon: Type.String(),
    image: Type.String(),
    market: text('Condition id'),
    market_slug: Type.String(),
    matched_size: text('Outcome tokens of this fill'),
    order_id: Type.String(),
    original_size: text('Outcome tokens'),
    outcome: text('Outcome label'),
    outcome_index: Type.Integer(),
    owner: text('API key that placed the order'),
    price: text('Of the fill; of a cancellation, the limit'),
    question: Type.String(),
    remaining_size: text('What was unfilled then, in outcome tokens'),
    seriesSlug: text('Empty'),
    side: Type.Enum(['BUY', 'SELL']),
    trade_id: text('UUID; empty for a cancellation'),
    transaction_hash: text('0x and 64 hex digits; all zeros for a cancellation'),
    type: Type.Enum(['GTC', 'GTD', 'FOK', 'FAK'], { description: 'Order type' }),
    reason: text('Of a cancellation: expired, self_trade, switch_tripped; else empty'),
  }),
});
export type Notification = Type.Static<typeof Notification>;

const NO_TRANSACTION = `0x${'0'.repeat(64)}`;
const NOTHING: Lots = lots(0);

/** Why an order that its owner did not cancel was closed. */
const reasonOf = ({ kind, order }: OrderNotification): string =>
  kind === 'cancellation' ? order.closeReason : '';

/** Of an order that names cash, what it filled is all that is known of its size. */
const originalLots = ({ order, filledLots }: OrderNotification): Lots =>
  order.budgetMicros === 0 ? order.lots : filledLots;

export const formatNotification = (
  notification: OrderNotification,
  words: MarketWords,
): Notification => {
  const { id, kind, timeMs, order, filledLots, trade } = notification;
  const original = originalLots(notification);
  return {
    id,
    type: kind === 'fill' ? FILL : CANCELLATION,
    owner: order.apiKey,
    timestamp: epochSeconds(timeMs),
    payload: {
      asset_id: order.tokenId,
      condition_id: order.conditionId,
      eventSlug: words.eventSlug,
      icon: words.icon,
      image: words.image,
      market: order.conditionId,
      market_slug: words.slug,
      matched_size: lotsText(trade?.lots ?? NOTHING),
      order_id: order.orderId,
      original_size: lotsText(original),
      outcome: words.outcomes[order.outcome],
      outcome_index: order.outcome,
      owner: order.apiKey,
      price: ticksText(trade?.priceTicks ?? order.priceTicks),
      question: words.question,
      remaining_size: lotsText(lots(original - filledLots)),
      seriesSlug: '',
      side: order.side,
      trade_id: trade?.tradeId ?? '',
      transaction_hash: trade?.transactionHash ?? NO_TRANSACTION,
      type: order.type,
      reason: reasonOf(notification),
    },
  };
};
