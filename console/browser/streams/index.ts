/**
 * The streams of a page: one connection of each kind, shared by all that is on it.
 *
 * Invariant: what pages read is the state after some message of the exchange, never with one
 * missing; while it may be old, a signal says so. Secrets are never kept in the messages that the
 * stream inspector shows. Bounds: bounds.ts.
 */
export type { LinkState } from './link.ts';
export type { CommentParent } from './live-stream.ts';
export type { BookLevel, BookSide, MarketBook, Outcome } from './market-book.ts';
export type {
  MarketName,
  MarketState,
  MarketTerms,
  MarketTrade,
  MarketView,
} from './market-feed.ts';
export type { FollowedMarket } from './market-stream.ts';
export type { OwnBalance, OwnOrder, OwnTrade, TradeRow } from './messages.ts';
export type { HistoryState } from './recent-list.ts';
export { pageStreams, type Streams } from './streams.ts';
export type { MessageTap, TapDirection, TapMessage } from './tap.ts';
export { balanceName, type UserEvent } from './user-stream.ts';
