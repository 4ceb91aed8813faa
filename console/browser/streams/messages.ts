/**
 * The messages of the streams. Their types are those of the schemas that /asyncapi.json is made of.
 */
import type { LiveMessages, MarketMessages, UserMessages } from '../../../http/streams/index.ts';
import type { AccountTrade } from '../wire/index.ts';

/** Any message of the exchange. Its channel knows which of the kinds below it is. */
export interface StreamMessage {
  readonly event_type?: string;
  /** `error` for the answer to a message of the page that is not valid. */
  readonly type?: string;
  readonly topic?: string;
  readonly market?: string;
}

/** The answer to a message of the page that is not valid. */
export type ErrorMessage = MarketMessages['error'];

type Numbered<Messages extends MarketMessages | UserMessages> = Exclude<
  Messages[keyof Messages],
  Messages['error'] | Messages['pong']
>;
/** What the order-book sockets send of a market, and of the user. */
export type MarketMessage = Numbered<MarketMessages>;
export type UserMessage = Numbered<UserMessages>;

export type BookMessage = MarketMessages['book'];
export type PriceChangeMessage = MarketMessages['price_change'];
export type LastTradeMessage = MarketMessages['last_trade_price'];
export type TickSizeMessage = MarketMessages['tick_size_change'];
export type ResolvedMessage = MarketMessages['market_resolved'];
export type NewMarketMessage = MarketMessages['new_market'];
export type SnapshotMessage = UserMessages['snapshot'];
export type WireLevel = BookMessage['bids'][number];

/** An own order, in the words of the wire. */
export type OwnOrder = SnapshotMessage['orders'][number] & Pick<UserMessages['order'], 'reason'>;

/** Amounts are base units: millionths of collateral, or of a token. */
export type OwnBalance = SnapshotMessage['balances'][number];

/** A trade of the user, with the fields that `GET /data/trades` and the user channel share. */
export type OwnTrade = Pick<
  UserMessages['trade'],
  Exclude<keyof UserMessages['trade'] & keyof AccountTrade, 'type'>
>;

/** What the live-data socket sends. */
export type LiveMessage = Exclude<
  LiveMessages[keyof LiveMessages],
  LiveMessages['error'] | LiveMessages['pong']
>;

/** A trade of anyone, as the live-data socket tells it. */
export type LiveTrade = LiveMessages['trades']['payload'];

/** The part of it that is read of a row of `GET /trades`. */
export type TradeRow = Pick<
  LiveTrade,
  | 'transactionHash'
  | 'proxyWallet'
  | 'conditionId'
  | 'side'
  | 'outcomeIndex'
  | 'price'
  | 'size'
  | 'timestamp'
>;

export const COMMENT_CHANGES = [
  'comment_created',
  'comment_removed',
  'reaction_created',
  'reaction_removed',
] as const satisfies readonly (keyof LiveMessages)[];
export type CommentChange = (typeof COMMENT_CHANGES)[number];

/** A comment or a reaction. The wire's room has the types of their fields. */
export type LiveComment = LiveMessages[CommentChange]['payload'];
