/**
 * What an owner is told of its open orders and of resolved markets in which it had tokens, as the
 * wire tells it (wire 1.7).
 *
 * Invariant: sizes add up: what was matched by then and what remained are the order's size. A
 * cancellation and a resolution have the keys of a fill, with nothing matched, because strict
 * clients read them all. In a resolution, `outcome`, `asset_id` and `price` say what a token of
 * that outcome pays.
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
import type { MarketWords } from './market-words.ts';

function text(description: string) {
  return Type.String({ description });
}

function ofResolution(description: string) {
  return Type.Optional(text(`Of a resolution alone: ${description}`));
}

const CANCELLATION = 1;
const FILL = 2;
const RESOLUTION = 4;

const OWNER = 'API key that placed the order; of a resolution, the one that asks';

export const Notification = Type.Object({
  id: Type.Integer({ description: 'What DELETE /notifications takes' }),
  type: Type.Enum([CANCELLATION, FILL, RESOLUTION], {
    description: '1 cancellation, 2 fill, 4 market resolved',
  }),
  owner: text(OWNER),
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
    order_id: text('Empty for a resolution'),
    original_size: text('Outcome tokens'),
    outcome: text('Outcome label; of a resolution, of the winner, or of the first in a split'),
    outcome_index: Type.Integer(),
    owner: text(OWNER),
    price: text('Of the fill; of a cancellation, the limit; of a resolution, what a token pays'),
    question: Type.String(),
    remaining_size: text('What was unfilled then, in outcome tokens'),
    seriesSlug: text('Empty'),
    side: Type.Enum(['BUY', 'SELL'], { description: 'SELL for a resolution' }),
    trade_id: text('UUID; empty for all but fills'),
    transaction_hash: text('0x and 64 hex digits; all zeros for all but fills'),
    type: Type.Enum(['GTC', 'GTD', 'FOK', 'FAK'], {
      description: 'Order type; GTC for a resolution',
    }),
    reason: text(
      'Of a cancellation: expired, self_trade, switch_tripped, owner_banned, closed_only, ' +
        'market_closed, market_resolved, trading_paused, unmatched; else empty',
    ),
    payout: ofResolution('What a token of the first outcome pays'),
    yes_size: ofResolution('Tokens of the first outcome that you had then'),
    no_size: ofResolution('Tokens of the second outcome that you had then'),
    amount: ofResolution('What those are worth together, in collateral'),
  }),
});
export type Notification = Type.Static<typeof Notification>;

const NO_TRANSACTION = `0x${'0'.repeat(64)}`;
const NOTHING: Lots = lots(0);

const NOTHING_TEXT = lotsText(NOTHING);

/** Why an order that its owner did not cancel was closed. */
function reasonOf({ kind, order }: OrderNotification): string {
  return kind === 'cancellation' ? order.closeReason : '';
}

/** Of an order that names cash, what it filled is all that is known of its size. */
function originalLots({ order, filledLots }: OrderNotification): Lots {
  return order.budgetMicros === 0 ? order.lots : filledLots;
}

/** What every payload says of its market. */
function marketKeys(conditionId: string, words: MarketWords) {
  return {
    condition_id: conditionId,
    eventSlug: words.eventSlug,
    icon: words.icon,
    image: words.image,
    market: conditionId,
    market_slug: words.slug,
    question: words.question,
    seriesSlug: '',
  };
}

export function formatNotification(
  notification: OrderNotification,
  words: MarketWords,
): Notification {
  const { id, kind, timeMs, order, filledLots, trade } = notification;
  const original = originalLots(notification);
  return {
    id,
    type: kind === 'fill' ? FILL : CANCELLATION,
    owner: order.apiKey,
    timestamp: epochSeconds(timeMs),
    payload: {
      ...marketKeys(order.conditionId, words),
      asset_id: order.tokenId,
      matched_size: lotsText(trade?.lots ?? NOTHING),
      order_id: order.orderId,
      original_size: lotsText(original),
      outcome: words.outcomes[order.outcome],
      outcome_index: order.outcome,
      owner: order.apiKey,
      price: ticksText(trade?.priceTicks ?? order.priceTicks),
      remaining_size: lotsText(lots(original - filledLots)),
      side: order.side,
      trade_id: trade?.tradeId ?? '',
      transaction_hash: trade?.transactionHash ?? NO_TRANSACTION,
      type: order.type,
      reason: reasonOf(notification),
    },
  };
}

/** Who is told, and the tokens of the market, which the catalog need not have. */
interface Told {
  readonly apiKey: string;
  readonly tokenIds: readonly [string, string];
}

/** Of a market that pays both, the first outcome and what that pays. */
function winnerOf(payoutTicks: Ticks): Outcome {
  return payoutTicks === 0 ? 1 : 0;
}

export function formatResolution(
  notification: ResolutionNotification,
  words: MarketWords,
  { apiKey, tokenIds }: Told,
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
      ...marketKeys(conditionId, words),
      asset_id: tokenIds[winner],
      matched_size: NOTHING_TEXT,
      order_id: '',
      original_size: NOTHING_TEXT,
      outcome: words.outcomes[winner],
      outcome_index: winner,
      owner: apiKey,
      price: ticksText(winner === 0 ? payoutTicks : noPayoutTicks),
      remaining_size: NOTHING_TEXT,
      side: 'SELL',
      trade_id: '',
      transaction_hash: NO_TRANSACTION,
      type: 'GTC',
      reason: '',
      payout: ticksText(payoutTicks),
      yes_size: lotsText(yesLots),
      no_size: lotsText(noLots),
      amount: microsText(worth),
    },
  };
}
