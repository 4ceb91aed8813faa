/**
 * Records in their wire form, shared by routes and streams, each with its schema.
 *
 * Invariant: pure. Numbers are exact; a field that clients require is always there.
 */
export { BuilderTrade, formatBuilderTrade } from './builder-trade.ts';
export { Comment, CommentProfile, openObject, Reaction } from './comment.ts';
export { FeeDetails, FeeRate, formatFeeDetails, formatFeeRate, NO_FEES } from './fees.ts';
export {
  FullMarket,
  formatDelay,
  formatFullMarket,
  formatSamplingMarket,
  SamplingMarket,
} from './full-market.ts';
export { formatTradeEvent, MarketTradeEvent } from './live-activity.ts';
export {
  DateOrNull,
  formatSimplifiedMarket,
  type LiveMarket,
  liveMarket,
  noRewards,
  Rewards,
  SimplifiedMarket,
} from './market.ts';
export { formatNotification, formatResolution, Notification } from './notification.ts';
export {
  AccountOrder,
  formatOrder,
  HIDDEN_KEY,
  type MarketTexts,
  NO_TEXTS,
  ORDER_STATUSES,
  type OutcomeLabels,
  type ShownOrderStatus,
  textFinder,
} from './order.ts';
export {
  Fidelity,
  type HistoryWindow,
  historyWindow,
  Interval,
  Points,
  pointsText,
  refuseTooMany,
} from './price-history.ts';
export {
  type Actor,
  CONVERT,
  ConversionAnswer,
  conditionIn,
  MERGE,
  type MoveKind,
  REDEEM,
  RedemptionAnswer,
  SETS,
  SetsAnswer,
  SPLIT,
} from './token-moves.ts';
export {
  AccountTrade,
  formatMaker,
  formatTrade,
  LastTradePrice,
  LastTradesPrices,
  lastTradeOf,
  MakerOrder,
  type ToldStatus,
  type ToldTrades,
  TRADE_STATUSES,
  type TradeStatus,
} from './trade.ts';
export { FILL_FIELDS, formatTradeFill, MARKET_TEXTS, PROFILE_TEXTS } from './trade-fill.ts';
