/**
 * The messages of the streams, with the fields that the page reads (http/streams/streams.md;
 * /asyncapi.json has all).
 */
import type { AccountTrade } from '../wire/index.ts';

/** Any message of the exchange. Its channel knows which of the kinds below it is. */
export interface StreamMessage {
  readonly event_type?: string;
  /** `error` for the answer to a message of the page that is not valid. */
  readonly type?: string;
  readonly topic?: string;
  readonly market?: string;
}

export interface ErrorMessage extends StreamMessage {
  readonly message: string;
  readonly code: string;
  /** Of `names_unknown`: the unknown names. */
  readonly names?: readonly string[];
}

/** What all messages of the order-book sockets have. */
export interface Numbered extends StreamMessage {
  readonly event_type: string;
  readonly market: string;
  readonly asset_id?: string;
  readonly sequence: number;
  readonly stream_id: string;
  readonly timestamp: string;
}

export interface WireLevel {
  readonly price: string;
  readonly size: string;
}

export interface BookMessage extends Numbered {
  readonly asset_id: string;
  readonly hash: string;
  readonly bids: readonly WireLevel[];
  readonly asks: readonly WireLevel[];
  readonly min_order_size: string;
  readonly tick_size: string;
  readonly neg_risk: boolean;
  readonly last_trade_price: string;
}

export interface PriceChangeMessage extends Numbered {
  readonly price_changes: readonly (WireLevel & {
    readonly asset_id: string;
    readonly side: 'BUY' | 'SELL';
    readonly hash: string;
    readonly best_bid: string;
    readonly best_ask: string;
  })[];
}

export interface LastTradeMessage extends Numbered {
  readonly asset_id: string;
  readonly price: string;
  readonly size: string;
  readonly side: 'BUY' | 'SELL';
  readonly transaction_hash: string;
}

export interface TickSizeMessage extends Numbered {
  readonly new_tick_size: string;
}

export interface ResolvedMessage extends Numbered {
  /** '' if both tokens pay something. */
  readonly winning_asset_id: string;
  readonly winning_outcome: string;
}

export interface NewMarketMessage extends Numbered {
  readonly question: string;
  readonly slug: string;
  readonly assets_ids: readonly string[];
  readonly outcomes: readonly string[];
}

/** An own order, in the words of the wire. */
export interface OwnOrder extends Numbered {
  readonly type: 'PLACEMENT' | 'UPDATE' | 'CANCELLATION';
  readonly id: string;
  readonly asset_id: string;
  readonly side: 'BUY' | 'SELL';
  readonly price: string;
  readonly original_size: string;
  readonly size_matched: string;
  readonly outcome: string;
  readonly created_at: string;
  /** In seconds; "0" for none. */
  readonly expiration: string;
  readonly maker_address: string;
  readonly order_type: string;
  readonly status: 'LIVE' | 'DELAYED' | 'MATCHED' | 'CANCELED' | 'UNMATCHED';
  /** Why it was canceled. */
  readonly reason?: string;
}

/** A trade of the user, with the fields that `GET /data/trades` and the user channel share. */
export type OwnTrade = Omit<AccountTrade, 'type' | 'journal_seq'>;

export interface OwnBalance extends StreamMessage {
  readonly asset_type: 'COLLATERAL' | 'CONDITIONAL';
  /** '' for cash, as is `market`. */
  readonly asset_id: string;
  readonly market: string;
  readonly address: string;
  /** Base units: millionths of collateral, or of a token. */
  readonly balance: string;
  readonly available: string;
  readonly held: string;
}

export interface SnapshotMessage extends Numbered {
  readonly part: number;
  readonly parts: number;
  readonly orders: readonly OwnOrder[];
  readonly balances: readonly OwnBalance[];
}

export interface SkippedMessage extends Numbered {
  readonly first_sequence: number;
}

export interface LiveMessage<Payload> extends StreamMessage {
  readonly topic: string;
  readonly type: string;
  readonly timestamp: number;
  readonly payload: Payload;
}

/** A row of `GET /trades`, as the taker sees the trade. */
export interface TradeRow {
  readonly transactionHash: string;
  readonly conditionId: string;
  readonly side: 'BUY' | 'SELL';
  readonly outcomeIndex: number;
  readonly price: number;
  readonly size: number;
  /** In seconds. */
  readonly timestamp: number;
}

/** A trade of anyone, as the live-data socket tells it. */
export interface LiveTrade extends TradeRow {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly eventSlug: string;
  readonly outcome: string;
  readonly proxyWallet: string;
  readonly name: string;
  readonly pseudonym: string;
}

export const COMMENT_CHANGES = [
  'comment_created',
  'comment_removed',
  'reaction_created',
  'reaction_removed',
] as const;
export type CommentChange = (typeof COMMENT_CHANGES)[number];

/** A comment or a reaction. The wire's room has the types of their fields. */
export interface LiveComment {
  readonly id: string;
  readonly parentEntityType: string;
  readonly parentEntityID: number;
}
