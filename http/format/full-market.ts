/**
 * The full and the sampling form of a market (wire 1.4).
 *
 * Invariant: every market has every field. A date is null or ISO 8601, never "", which the
 * strictest client refuses.
 */
import { type Static, Type } from 'typebox';
import type { TakerDelay } from '../../engine/index.ts';
import { isoTime } from '../codec/index.ts';
import { Text, TrueFalse } from '../parameters/index.ts';
import {
  DateOrNull,
  formatMirroredTokens,
  formatTokens,
  isEven,
  type LiveMarket,
  MarketToken,
  MirroredToken,
  noRewards,
  Rewards,
  ShownStatus,
} from './market.ts';

/** The delay of orders that would trade at once, as fields of a market. */
export function formatDelay({ delaySeconds, takerDelayMs }: TakerDelay) {
  return {
    seconds_delay: delaySeconds,
    // Whether there is a delay.
    itode: delaySeconds > 0 || takerDelayMs > 0,
    taker_order_delay_ms: takerDelayMs,
  };
}

const EventFields = Type.Object({
  id: Type.String(),
  slug: Type.String(),
  title: Type.String(),
  ticker: Type.String(),
  description: Type.String(),
});

const SharedFields = {
  enable_order_book: Type.Boolean(),
  active: Type.Boolean(),
  closed: Type.Boolean(),
  archived: Type.Boolean(),
  accepting_orders: Type.Boolean(),
  accepting_order_timestamp: DateOrNull,
  minimum_order_size: Type.Number({ description: 'Tokens' }),
  minimum_tick_size: Type.Number(),
  condition_id: Type.String(),
  question_id: Text('0x and 64 hex digits, or empty'),
  question: Type.String(),
  description: Type.String(),
  market_slug: Type.String(),
  end_date_iso: DateOrNull,
  game_start_time: DateOrNull,
  seconds_delay: Type.Integer(),
  fpmm: Type.String(),
  maker_base_fee: Type.Number({ description: 'Basis points' }),
  taker_base_fee: Type.Number({ description: 'Basis points' }),
  notifications_enabled: Type.Boolean(),
  neg_risk: Type.Boolean(),
  neg_risk_market_id: Text('0x and 64 hex digits, or empty'),
  neg_risk_request_id: Type.String(),
  icon: Type.String(),
  image: Type.String(),
  rewards: Rewards,
  is_50_50_outcome: Type.Boolean(),
  tags: Type.Array(Text("Slug of one of the event's tags")),
  status: ShownStatus,
  market_id: Type.Integer(),
  slug: Type.String(),
  assets_ids: Type.Array(Type.String()),
  outcomes: Type.Array(Type.String()),
  event: EventFields,
  creator: Type.String(),
  mirror_condition_id: Type.String(),
} as const;

export const FullMarket = Type.Object({
  ...SharedFields,
  tokens: Type.Array(MarketToken),
  itode: TrueFalse('Marketable orders are delayed'),
  taker_order_delay_ms: Type.Number(),
  order_age_seconds: Type.Number(),
  blockaid_check_enabled: Type.Boolean(),
  scanner_check_enabled: Type.Boolean(),
});
export type FullMarket = Static<typeof FullMarket>;

export const SamplingMarket = Type.Object({
  ...SharedFields,
  tokens: Type.Array(MirroredToken),
});
export type SamplingMarket = Static<typeof SamplingMarket>;

type Shared = Omit<SamplingMarket, 'tokens'>;

function formatState({ market, books, acceptsOrders, isClosed, status }: LiveMarket) {
  return {
    enable_order_book: market.enableOrderBook,
    active: market.active,
    closed: isClosed,
    archived: market.archived,
    accepting_orders: acceptsOrders,
    accepting_order_timestamp:
      books[0] !== undefined && acceptsOrders ? isoTime(books[0].book.market.createdMs) : null,
    status,
  };
}

function formatEvent(live: LiveMarket): Static<typeof EventFields> {
  return {
    id: live.market.eventId,
    slug: live.market.eventSlug,
    title: live.market.eventTitle,
    ticker: live.market.eventTicker,
    description: live.market.eventDescription,
  };
}

/** Fields that are always empty: no market has an automated market maker. */
const NO_EXTRAS = { fpmm: '', neg_risk_request_id: '' } as const;

function formatShared(live: LiveMarket): Shared {
  const { market, terms } = live;
  return {
    ...formatState(live),
    minimum_order_size: live.minimumSize,
    minimum_tick_size: live.tickSize,
    seconds_delay: terms.delaySeconds,
    maker_base_fee: terms.makerFeeBps,
    taker_base_fee: terms.takerFeeBps,
    ...NO_EXTRAS,
    is_50_50_outcome: isEven(live),
    condition_id: market.conditionId,
    question_id: market.questionId,
    question: market.question,
    description: market.description,
    market_slug: market.slug,
    end_date_iso: market.endDate,
    game_start_time: market.gameStartTime,
    notifications_enabled: true,
    neg_risk: market.negRisk,
    neg_risk_market_id: market.negRiskEventId,
    icon: market.icon,
    image: market.image,
    rewards: noRewards(),
    tags: [...market.tags],
    market_id: Number(market.id),
    slug: market.slug,
    assets_ids: [...market.tokenIds],
    outcomes: [...market.outcomes],
    event: formatEvent(live),
    creator: market.creator,
    mirror_condition_id: market.mirrorConditionId,
  };
}

export function formatFullMarket(live: LiveMarket): FullMarket {
  return {
    ...formatShared(live),
    tokens: formatTokens(live),
    ...formatDelay(live.terms),
    order_age_seconds: 0,
    blockaid_check_enabled: false,
    scanner_check_enabled: false,
  };
}

export function formatSamplingMarket(live: LiveMarket): SamplingMarket {
  return {
    ...formatShared(live),
    tokens: formatMirroredTokens(live),
  };
}
