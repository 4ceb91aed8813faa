/**
 * The text of one token's order book and its hash (wire 1.5, 6.3).
 *
 * Invariant: exactly these keys in this order, because clients hash the text as they got it.
 * Bound: 9,999 levels a side, some 40 characters each.
 */
import { hash as digest } from 'node:crypto';
import { Type } from 'typebox';

const Levels = Type.Array(Type.Object({ price: Type.String(), size: Type.String() }), {
  description: 'Worst first: the best price is the last one',
});

/** The order of the keys is part of the interface. */
export const OrderBook = Type.Object({
  market: Type.String({ description: 'Condition id' }),
  asset_id: Type.String({ description: 'Token id' }),
  timestamp: Type.String({
    description: 'Time of the last change, in milliseconds since the epoch',
  }),
  hash: Type.String({ description: 'SHA-1 of this text with an empty hash' }),
  bids: Levels,
  asks: Levels,
  min_order_size: Type.String(),
  tick_size: Type.String(),
  neg_risk: Type.Boolean(),
  last_trade_price: Type.String({ description: 'Empty before the first trade' }),
});

export interface BookFields {
  readonly market: string;
  readonly assetId: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: string;
  /** JSON of the levels, worst first, without the brackets. */
  readonly bids: string;
  readonly asks: string;
  readonly minimumOrderSize: string;
  readonly tickSize: string;
  readonly negRisk: boolean;
  /** '' before the first trade. */
  readonly lastTradePrice: string;
}

export interface HashedBook {
  readonly text: string;
  /** 40 lower-case hex digits. */
  readonly hash: string;
}

/** One price level. Both are decimal texts, which need no escaping. */
export function levelText(price: string, size: string): string {
  // `join` makes a flat string. A template literal makes a rope of seven strings: each level takes
  // 160 bytes more, and the text of a whole book takes 1.5 times as long to make.
  return ['{"price":"', price, '","size":"', size, '"}'].join('');
}

/** The book as JSON. Ids and decimals need no escaping: none holds a quote or a backslash. */
export function bookText(book: BookFields): HashedBook {
  const head =
    `{"market":"${book.market}","asset_id":"${book.assetId}",` +
    `"timestamp":"${book.timestamp}","hash":"`;
  const tail =
    `","bids":[${book.bids}],"asks":[${book.asks}],"min_order_size":"${book.minimumOrderSize}",` +
    `"tick_size":"${book.tickSize}","neg_risk":${book.negRisk},` +
    `"last_trade_price":"${book.lastTradePrice}"}`;
  // Wire 6.3: SHA-1 of the text whose hash is empty.
  const hash = digest('sha1', head + tail, 'hex');
  return { text: head + hash + tail, hash };
}
