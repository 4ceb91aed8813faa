/** The market channel (wire 7.1). */
import { Type } from 'typebox';
import { OrderBook } from '../views/index.ts';
import {
  COMMON_CLOSINGS,
  conditionId,
  decimalText,
  FAULT,
  hash32,
  LEFT_OFF,
  live,
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
      'Whether to send `best_bid_ask`, `new_market` and `market_resolved`, and a notice of ' +
      'unknown ' +
      'names. It holds for the whole socket until another message changes it',
  }),
);

const RECEIVED: readonly StreamMessage[] = [
  {
    name: 'subscribe',
    summary: 'Subscribes to tokens; later messages add more',
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
    summary: 'Unsubscribes from tokens',
    payload: Type.Object({
      type: channelType,
      operation: Type.Literal('unsubscribe', { description: 'In any case' }),
      ...NAMES,
      custom_feature_enabled: wantsFeatures,
    }),
  },
  {
    name: 'resume',
    summary: 'Subscribes to tokens again and asks for the missed messages',
    payload: Type.Object({
      type: channelType,
      ...LEFT_OFF,
      sequence: Type.Optional(
        Type.Integer({ minimum: 0, description: 'From the last message, for one market' }),
      ),
      sequences: Type.Optional(
        Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
          description:
            'The same for several markets, by condition id. Without `assets_ids` and ' +
            '`markets` it ' +
            'stands for both tokens of each',
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
  size: decimalText('The new total size of the level, in outcome tokens; "0" for a removed level'),
  side: Type.Enum(['BUY', 'SELL'], { description: 'BUY for a bid' }),
  hash: Type.String({
    description: 'The hash in `GET /book` for the token after the batch',
    pattern: '^[0-9a-f]{40}$',
  }),
  ...bestPrices,
});

const BOOK_MESSAGES: readonly StreamMessage[] = [
  live('book', "A token's whole book, with the same text as `GET /book` for the same state", {
    ...OrderBook.properties,
  }),
  live('price_change', 'Every level that a batch changed, as both tokens show it; a step', {
    market: conditionId,
    timestamp: millisecondText('The time of the books whose hashes it has'),
    price_changes: Type.Array(LevelChange),
  }),
  live(
    'last_trade_price',
    'A trade as one of the tokens shows it, in a copy for each, YES first; a step',
    {
      asset_id: tokenId,
      market: conditionId,
      price,
      size,
      side: Type.Enum(['BUY', 'SELL'], {
        description: "The taker's side, reversed for the token that it did not trade",
      }),
      fee_rate_bps: wholeText("The taker's fee rate"),
      timestamp: millisecondText('When it was matched'),
      transaction_hash: hash32('Of the trade'),
    },
  ),
  live(
    'tick_size_change',
    'A new price step of the market, in a copy for each token, YES first; a step',
    {
      asset_id: tokenId,
      market: conditionId,
      old_tick_size: decimalText('The old step'),
      new_tick_size: decimalText('The new step'),
      side,
      timestamp: millisecondText('When it was changed'),
    },
  ),
];

/** The fields that `new_market` and `market_resolved` share. */
const MARKET_FIELDS = {
  id: Type.String({ description: 'Id in the catalog' }),
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
  live('best_bid_ask', "A token's best prices after a change; with custom features only", {
    market: conditionId,
    asset_id: tokenId,
    ...bestPrices,
    spread: decimalText('The difference of both'),
    timestamp: millisecondText('When they changed'),
  }),
  live('new_market', 'A new market, to all clients with custom features', {
    ...MARKET_FIELDS,
    condition_id: conditionId,
    active: Type.Boolean(),
    clob_token_ids: Type.Array(tokenId, { description: 'The same as `assets_ids`' }),
    order_price_min_tick_size: decimalText('Its price step'),
    group_item_title: Type.String({
      description: 'Its short name within the event; may be empty',
    }),
    taker_base_fee: wholeText("The taker's fee rate in basis points"),
    fees_enabled: Type.Boolean(),
    fee_schedule: Type.Object({
      exponent: wholeText('The exponent of the fee formula'),
      rate: decimalText("The taker's rate as a fraction"),
      taker_only: Type.Boolean(),
      rebate_rate: decimalText('Always "0": there are no rebates'),
    }),
    timestamp: millisecondText('When it was created'),
  }),
  {
    name: 'market_resolved',
    summary:
      'The result of a market; with custom features only, also to clients that subscribe later',
    payload: Type.Object({
      event_type: Type.Literal('market_resolved'),
      ...MARKET_FIELDS,
      winning_asset_id: Type.String({ description: 'Token id; empty if both tokens pay' }),
      winning_outcome: Type.String({ description: 'Its name; empty if both tokens pay' }),
      timestamp: millisecondText('When it was resolved'),
      ...STAMP,
    }),
  },
];

const timestamp = millisecondText('When the message was made');

const SIGNALS: readonly StreamMessage[] = [
  live(
    'heartbeat',
    'Shows that the stream is alive after ten seconds without a message of the market',
    {
      market: conditionId,
      timestamp,
    },
  ),
  live(
    'resumed',
    'The answer to a resume, before the missed messages',
    {
      market: conditionId,
      replayed,
      timestamp,
    },
    { sequence: Type.Integer({ minimum: 0, description: 'The sequence of the client' }) },
  ),
  live('snapshot_required', 'The answer to a resume that is not possible, before new books', {
    market: conditionId,
    reason: missedReason,
    timestamp,
  }),
];

export const MARKET_CHANNEL: StreamChannel = {
  name: 'market',
  address: '/ws/market',
  title: 'Prices, trades and terms of markets',
  description: [
    'Public. It sends the `book` of each subscribed token first, then the changes.',
    '',
    'Each market counts its steps: a trade, a change of the price step, or the level changes of a',
    'batch. Both tokens share the sequence; a client of both gets both copies of a step with the',
    'same sequence. All other messages carry the sequence of the last step. So the next ' +
      'message of a',
    'market has the sequence of the last one, or one more; anything else is a loss. The ' +
      'messages of',
    'a batch come in this order: trades, change of the price step, levels, best prices, ' +
      'books. Books',
    'are sent at most four times a second, and the last state is always sent.',
  ].join('\n'),
  received: RECEIVED,
  sent: [...BOOK_MESSAGES, ...FEATURES, ...SIGNALS, FAULT, PONG],
  closings: COMMON_CLOSINGS,
};
