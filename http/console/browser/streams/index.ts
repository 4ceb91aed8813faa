/**
 * The streams of a page: one connection of each kind, shared by all that is on it.
 *
 * Invariant: what pages read is the state after some message of the exchange, never with one
 * missing; while it may be old, a signal says so. Secrets are never kept in the messages that the
 * stream inspector shows. Bounds: bounds.ts.
 */
export { PAGE_BOUNDS, PAGE_TIMES } from './bounds.ts';
export { lotsOf, ONE_TICKS, ticksOf } from './decimals.ts';
export { browserEnvironment, type Environment } from './environment.ts';
export type { LinkState } from './link.ts';
export type { CommentParent, LiveStream } from './live-stream.ts';
export type { BookLevel, BookSide, MarketBook, Outcome } from './market-book.ts';
export type {
  MarketName,
  MarketState,
  MarketTerms,
  MarketTrade,
  MarketView,
} from './market-feed.ts';
export type { FetchTrades, FollowedMarket, MarketStream } from './market-stream.ts';
export type {
  CommentChange,
  LiveComment,
  LiveTrade,
  NewMarketMessage,
  OwnBalance,
  OwnOrder,
  OwnTrade,
  TradeRow,
} from './messages.ts';
export type { HistoryState } from './recent-list.ts';
export { openStreams, pageStreams, type Streams, type TradeSources } from './streams.ts';
export type { MessageTap, TapDirection, TapMessage } from './tap.ts';
export {
  balanceName,
  type FetchOwnTrades,
  type UserEvent,
  type UserStream,
} from './user-stream.ts';
