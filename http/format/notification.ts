/**
 * Notifications of an owner: fills and cancellations of its open orders, and resolutions of markets
 * in which it had tokens (wire 1.7).
 *
 * Invariant: the matched size so far and the remaining size add up to the order's size. A
 * cancellation and a resolution have the keys of a fill, with nothing matched, because strict
 * clients read all keys. In a resolution, `outcome`, `asset_id` and `price` say what a token of
 * that outcome pays, and the fields of the market follow, which the official SDK reads there.
 */
import { Type } from 'typebox';
import {
  cashFor,
  complement,
  type Lots,
  lots,
  micros,
  type Outcome,
  type Ticks,
} from '../../engine/model/index.ts';
import type { OrderNotification, ResolutionNotification } from '../../persistence/index.ts';
import { epochSeconds, lotsText, microsText, ticksText } from '../codec/index.ts';
import { Text } from '../parameters/index.ts';
import { FullMarket } from './full-market.ts';
import type { MarketTexts } from './order.ts';

function ofResolution(description: string) {
  return Type.Optional(Text(`Only in a resolution: ${description}`));
}

const CANCELLATION = 1;
const FILL = 2;
const RESOLUTION = 4;

const OWNER = 'API key that placed the order; in a resolution, the key of the request';

export const Notification = Type.Object({
  id: Type.Integer({ description: 'The id for DELETE /notifications' }),
  type: Type.Enum([CANCELLATION, FILL, RESOLUTION], {
    description: '1 cancellation, 2 fill, 4 market resolved',
  }),
  owner: Text(OWNER),
  timestamp: Type.Integer({ description: 'Seconds since the epoch' }),
  payload: Type.Object({
    ...Type.Partial(FullMarket).properties,
    asset_id: Text('Token id'),
    condition_id: Text('Condition id'),
    eventSlug: Type.String(),
    icon: Type.String(),
    image: Type.String(),
    market: Text('Condition id'),
    market_slug: Type.String(),
    matched_size: Text('Outcome tokens of this fill'),
    order_id: Text('Empty for a resolution'),
    original_size: Text('Outcome tokens'),
    outcome: Text(
      'Outcome label; in a resolution, of the winner, or of the first outcome of a tie',
    ),
    outcome_index: Type.Integer(),
    owner: Text(OWNER),
    price: Text('Price of the fill; in a cancellation, the limit; in a resolution, the payout'),
    question: Type.String(),
    remaining_size: Text('Unfilled outcome tokens at that time'),
    seriesSlug: Text('Empty'),
    side: Type.Enum(['BUY', 'SELL'], { description: 'SELL for a resolution' }),
    trade_id: Text('UUID; empty for all but fills'),
    transaction_hash: Text('0x and 64 hex digits; all zeros for all but fills'),
    type: Type.Enum(['GTC', 'GTD', 'FOK', 'FAK'], {
      description: 'Order type; GTC for a resolution',
    }),
    reason: Text(
      'Cause of a cancellation: expired, self_trade, switch_tripped, owner_banned, closed_only, ' +
        'market_closed, market_resolved, trading_paused, unmatched; otherwise empty',
    ),
    payout: ofResolution('payout of a token of the first outcome'),
    yes_size: ofResolution('your tokens of the first outcome'),
    no_size: ofResolution('your tokens of the second outcome'),
    amount: ofResolution('the payout of all your tokens, in collateral'),
  }),
});
export type Notification = Type.Static<typeof Notification>;

const ZERO_HASH = `0x${'0'.repeat(64)}`;
const NOTHING: Lots = lots(0);

const NOTHING_TEXT = lotsText(NOTHING);

/** Why an order was cancelled without its owner's request. */
function reasonOf({ kind, order }: OrderNotification): string {
  return kind === 'cancellation' ? order.closeReason : '';
}

/** The size of an order; for a cash budget, the size that was filled. */
function originalLots({ order, filledLots }: OrderNotification): Lots {
  return order.budgetMicros === 0 ? order.lots : filledLots;
}

/** The fields of the market, which every payload has. */
function marketKeys(conditionId: string, texts: MarketTexts) {
  return {
    condition_id: conditionId,
    eventSlug: texts.eventSlug,
    icon: texts.icon,
    image: texts.image,
    market: conditionId,
    market_slug: texts.slug,
    question: texts.question,
    seriesSlug: '',
  };
}

export function formatNotification(
  notification: OrderNotification,
  texts: MarketTexts,
): Notification {
  const { id, kind, timeMs, order, filledLots, trade } = notification;
  const original = originalLots(notification);
  return {
    id,
    type: kind === 'fill' ? FILL : CANCELLATION,
    owner: order.apiKey,
    timestamp: epochSeconds(timeMs),
    payload: {
      ...marketKeys(order.conditionId, texts),
      asset_id: order.tokenId,
      matched_size: lotsText(trade?.lots ?? NOTHING),
      order_id: order.orderId,
      original_size: lotsText(original),
      outcome: texts.outcomes[order.outcome],
      outcome_index: order.outcome,
      owner: order.apiKey,
      price: ticksText(trade?.priceTicks ?? order.priceTicks),
      remaining_size: lotsText(lots(original - filledLots)),
      side: order.side,
      trade_id: trade?.tradeId ?? '',
      transaction_hash: trade?.transactionHash ?? ZERO_HASH,
      type: order.type,
      reason: reasonOf(notification),
    },
  };
}

/** The key of the request, and the market's tokens; the catalog may not have the market itself. */
interface ResolutionReader {
  readonly apiKey: string;
  readonly tokenIds: readonly [string, string];
  readonly market: FullMarket | undefined;
}

/** The fields of a market; strict clients need a question id, of zeros where there is none. */
function fieldsOf(market: FullMarket): FullMarket {
  return { ...market, question_id: market.question_id || ZERO_HASH };
}

/** The winning outcome; the first one where both pay. */
function winnerOf(payoutTicks: Ticks): Outcome {
  return payoutTicks === 0 ? 1 : 0;
}

export function formatResolution(
  notification: ResolutionNotification,
  texts: MarketTexts,
  { apiKey, tokenIds, market }: ResolutionReader,
): Notification {
  const { id, timeMs, conditionId, payoutTicks, yesLots, noLots } = notification;
  const winner = winnerOf(payoutTicks);
  const noPayoutTicks = complement(payoutTicks);
  const worth = micros(cashFor(yesLots, payoutTicks) + cashFor(noLots, noPayoutTicks));
  return {
    id,
    type: RESOLUTION,
    owner: apiKey,
    timestamp: epochSeconds(timeMs),
    payload: {
      ...(market === undefined ? {} : fieldsOf(market)),
      ...marketKeys(conditionId, texts),
      asset_id: tokenIds[winner],
      matched_size: NOTHING_TEXT,
      order_id: '',
      original_size: NOTHING_TEXT,
      outcome: texts.outcomes[winner],
      outcome_index: winner,
      owner: apiKey,
      price: ticksText(winner === 0 ? payoutTicks : noPayoutTicks),
      remaining_size: NOTHING_TEXT,
      side: 'SELL',
      trade_id: '',
      transaction_hash: ZERO_HASH,
      type: 'GTC',
      reason: '',
      payout: ticksText(payoutTicks),
      yes_size: lotsText(yesLots),
      no_size: lotsText(noLots),
      amount: microsText(worth),
    },
  };
}
