/** The market channel as the document tells it (wire 7.1); its texts are market-texts.ts's. */
import { Type } from 'typebox';
import { OrderBook } from '../views/index.ts';
import {
  COMMON_CLOSINGS,
  conditionId,
  decimalText,
  FAULT,
  hash32,
  LEFT_OFF,
  millisecondText,
  missedReason,
  NAMES,
  PING,
  PONG,
  price,
  replayed,
  STAMP,
  type StreamChannel,
  type StreamMessage,
  side,
  size,
  tokenId,
  wantsDump,
  wholeText,
} from './streams-message.ts';

const channelType = Type.Optional(Type.Literal('market', { description: 'In any case' }));
const wantsFeatures = Type.Optional(
  Type.Boolean({
    description:
      'Whether `best_bid_ask`, `new_market` and `market_resolved` come, and a notice of unknown ' +
      'names; holds for the whole socket until another message says otherwise',
  }),
);

const ASKED: readonly StreamMessage[] = [
  {
    name: 'subscribe',
    summary: 'Begins to listen to tokens, also later and to more of them',
    payload: Type.Object({
      type: channelType,
      operation: Type.Optional(Type.Literal('subscribe', { description: 'In any case' })),
      ...NAMES,
      initial_dump: wantsDump,
      custom_feature_enabled: wantsFeatures,
    }),
  },
  {
    name: 'unsubscribe',
    summary: 'Listens to tokens no more',
    payload: Type.Object({
      type: channelType,
      operation: Type.Literal('unsubscribe', { description: 'In any case' }),
      ...NAMES,
      custom_feature_enabled: wantsFeatures,
    }),
  },
  {
    name: 'resume',
    summary: 'Listens to tokens again from where the client left off',
    payload: Type.Object({
      type: channelType,
      ...LEFT_OFF,
      sequence: Type.Optional(
        Type.Integer({ minimum: 0, description: 'That of the last message, of one market' }),
      ),
      sequences: Type.Optional(
        Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
          description:
            'The same of several markets, by condition id. Without `assets_ids` and `markets` it ' +
            'is for both tokens of each',
        }),
      ),
      ...NAMES,
      custom_feature_enabled: wantsFeatures,
    }),
  },
  PING,
];

const bestPrices = {
  best_bid: decimalText('"0" for none'),
  best_ask: decimalText('"1" for none'),
};

const LevelChange = Type.Object({
  asset_id: tokenId,
  price,
  size: decimalText('The whole new size of the level, in outcome tokens; "0" when it is gone'),
  side: Type.Enum(['BUY', 'SELL'], { description: 'BUY for a bid' }),
  hash: Type.String({
    description: 'The hash that `GET /book` has for the token after the batch',
    pattern: '^[0-9a-f]{40}$',
  }),
  ...bestPrices,
});

const BOOK_MESSAGES: readonly StreamMessage[] = [
  {
    name: 'book',
    summary: "A token's whole book, with the text of `GET /book` for the same state inside",
    payload: Type.Object({
      event_type: Type.Literal('book'),
      ...OrderBook.properties,
      ...STAMP,
    }),
  },
  {
    name: 'price_change',
    summary: 'Every level whose size differs after a batch, as both tokens show it; a step',
    payload: Type.Object({
      event_type: Type.Literal('price_change'),
      market: conditionId,
      timestamp: millisecondText('Of the books whose hashes it has'),
      price_changes: Type.Array(LevelChange),
      ...STAMP,
    }),
  },
  {
    name: 'last_trade_price',
    summary: 'A trade as one of the tokens shows it, in a copy for each, YES first; a step',
    payload: Type.Object({
      event_type: Type.Literal('last_trade_price'),
      asset_id: tokenId,
      market: conditionId,
      price,
      size,
      side: Type.Enum(['BUY', 'SELL'], {
        description: "The taker's, turned round for the token that it did not trade",
      }),
      fee_rate_bps: wholeText("The taker's rate"),
      timestamp: millisecondText('When it was matched'),
      transaction_hash: hash32('Of the trade'),
      ...STAMP,
    }),
  },
  {
    name: 'tick_size_change',
    summary: 'A new price step of the market, in a copy for each token, YES first; a step',
    payload: Type.Object({
      event_type: Type.Literal('tick_size_change'),
      asset_id: tokenId,
      market: conditionId,
      old_tick_size: decimalText('Until now'),
      new_tick_size: decimalText('From now on'),
      side,
      timestamp: millisecondText('When it was changed'),
      ...STAMP,
    }),
  },
];

/** What `new_market` and `market_resolved` say alike. */
const MARKET_WORDS = {
  id: Type.String({ description: 'Of the catalog' }),
  question: Type.String(),
  market: conditionId,
  slug: Type.String(),
  description: Type.String(),
  assets_ids: Type.Array(tokenId, { description: 'YES, NO' }),
  outcomes: Type.Array(Type.String(), { description: 'The names of both, in the same order' }),
  event_message: Type.Object({
    id: Type.String(),
    ticker: Type.String(),
    slug: Type.String(),
    title: Type.String(),
    description: Type.String(),
  }),
  tags: Type.Array(Type.String(), { description: 'Slugs' }),
};

const FEATURES: readonly StreamMessage[] = [
  {
    name: 'best_bid_ask',
    summary: "A token's best prices when they changed; with custom features",
    payload: Type.Object({
      event_type: Type.Literal('best_bid_ask'),
      market: conditionId,
      asset_id: tokenId,
      ...bestPrices,
      spread: decimalText('Between them'),
      timestamp: millisecondText('Of the change'),
      ...STAMP,
    }),
  },
  {
    name: 'new_market',
    summary: 'A market that was created, to everybody with custom features',
    payload: Type.Object({
      event_type: Type.Literal('new_market'),
      ...MARKET_WORDS,
      condition_id: conditionId,
      active: Type.Boolean(),
      clob_token_ids: Type.Array(tokenId, { description: 'As `assets_ids`' }),
      order_price_min_tick_size: decimalText('Its price step'),
      group_item_title: Type.String({ description: 'Its short name in its event; may be empty' }),
      taker_base_fee: wholeText("The taker's rate in basis points"),
      fees_enabled: Type.Boolean(),
      fee_schedule: Type.Object({
        exponent: wholeText('Of the formula'),
        rate: decimalText("The taker's, as a fraction"),
        taker_only: Type.Boolean(),
        rebate_rate: decimalText('Always "0": there are no rebates'),
      }),
      timestamp: millisecondText('When it was created'),
      ...STAMP,
    }),
  },
  {
    name: 'market_resolved',
    summary: 'How a market ended; with custom features, also to who subscribes later',
    payload: Type.Object({
      event_type: Type.Literal('market_resolved'),
      ...MARKET_WORDS,
      winning_asset_id: Type.String({ description: 'Token id; empty where both tokens pay' }),
      winning_outcome: Type.String({ description: 'Its name; empty where both tokens pay' }),
      timestamp: millisecondText('When it was resolved'),
      ...STAMP,
    }),
  },
];

const timestamp = millisecondText('When it was made');

const SIGNALS: readonly StreamMessage[] = [
  {
    name: 'heartbeat',
    summary: 'A market that had no message for ten seconds is still there',
    payload: Type.Object({
      event_type: Type.Literal('heartbeat'),
      market: conditionId,
      timestamp,
      ...STAMP,
    }),
  },
  {
    name: 'resumed',
    summary: 'The answer to a resume, before what was missed',
    payload: Type.Object({
      event_type: Type.Literal('resumed'),
      market: conditionId,
      replayed,
      timestamp,
      ...STAMP,
      sequence: Type.Integer({ minimum: 0, description: 'Where the client left off' }),
    }),
  },
  {
    name: 'snapshot_required',
    summary: 'The answer to a resume that can not be carried out, before fresh books',
    payload: Type.Object({
      event_type: Type.Literal('snapshot_required'),
      market: conditionId,
      reason: missedReason,
      timestamp,
      ...STAMP,
    }),
  },
];

export const MARKET_CHANNEL: StreamChannel = {
  name: 'market',
  address: '/ws/market',
  title: 'Prices, trades and terms of markets',
  description: [
    'Public. First the `book` of each token that is subscribed to, then what changes.',
    '',
    'Each market counts its steps: a trade, a change of the price step, or the level changes of a',
    'batch. Both tokens share the sequence, and whoever listens to both gets both copies of a step',
    'with the same sequence. All other messages carry the sequence of the last step. So in each',
    'market the next message has the sequence of the last one, or one more; anything else is a',
    'loss. A batch is told in this order: trades, change of the price step, levels, best prices,',
    'books. Books follow at most four times a second, and the last state always comes.',
  ].join('\n'),
  asked: ASKED,
  told: [...BOOK_MESSAGES, ...FEATURES, ...SIGNALS, FAULT, PONG],
  closings: COMMON_CLOSINGS,
};
