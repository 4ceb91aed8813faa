/**
 * The messages of the market channel, each with its schema (wire 7.1).
 *
 * Invariant: texts.ts makes exactly these messages; a test compares them.
 */
import { Type } from 'typebox';
import { OrderBook } from '../../views/index.ts';
import {
  bytes32,
  CLOSINGS,
  CONDITION_ID,
  decimal,
  heartbeatSchema,
  LEFT_OFF,
  message,
  NAMES,
  PRICE,
  RECEIVED_ALWAYS,
  resumedSchema,
  SENT_ALWAYS,
  type SentMessages,
  STAMP,
  side,
  snapshotRequiredSchema,
  TOKEN_ID,
  WANTS_DUMP,
  wholeText,
  word,
} from '../delivery/messages.ts';

const TYPE = Type.Optional(word('market'));
const SEQUENCE = { minimum: 0 } as const;
const WANTS_FEATURES = Type.Optional(
  Type.Boolean({
    description:
      'Whether to send `best_bid_ask`, `new_market` and `market_resolved`, and a notice of ' +
      'unknown names. It holds for the whole socket until another message changes it',
  }),
);

const MARKET = { market: CONDITION_ID } as const;

const BEST_PRICES = {
  best_bid: decimal('"0" for none'),
  best_ask: decimal('"1" for none'),
} as const;

/** What `new_market` and `market_resolved` say of a market. */
const CONTENT = {
  id: Type.String({ description: 'Id in the catalog' }),
  question: Type.String(),
  market: CONDITION_ID,
  slug: Type.String(),
  description: Type.String(),
  assets_ids: Type.Array(TOKEN_ID, { description: 'YES, NO' }),
  outcomes: Type.Array(Type.String(), {
    description: 'The names of both outcomes, in the same order',
  }),
  event_message: Type.Object({
    id: Type.String(),
    ticker: Type.String(),
    slug: Type.String(),
    title: Type.String(),
    description: Type.String(),
  }),
  tags: Type.Array(Type.String(), { description: 'Slugs' }),
} as const;

const RECEIVED = {
  subscribe: message(
    'Subscribes to tokens; later messages add more',
    Type.Object({
      type: TYPE,
      operation: Type.Optional(word('subscribe')),
      ...NAMES,
      initial_dump: WANTS_DUMP,
      custom_feature_enabled: WANTS_FEATURES,
    }),
  ),
  unsubscribe: message(
    'Unsubscribes from tokens',
    Type.Object({
      type: TYPE,
      operation: word('unsubscribe'),
      ...NAMES,
      custom_feature_enabled: WANTS_FEATURES,
    }),
  ),
  resume: message(
    'Subscribes to tokens again and asks for the missed messages',
    Type.Object({
      type: TYPE,
      ...LEFT_OFF,
      sequence: Type.Optional(
        Type.Integer({
          ...SEQUENCE,
          description: 'Sequence of the last message, if it was of a single market',
        }),
      ),
      sequences: Type.Optional(
        Type.Record(Type.String(), Type.Integer(SEQUENCE), {
          description:
            'Sequence of the last message of each of several markets, by condition id. Without ' +
            '`assets_ids` and `markets`, both tokens of each market are subscribed',
        }),
      ),
      ...NAMES,
      custom_feature_enabled: WANTS_FEATURES,
    }),
  ),
  ...RECEIVED_ALWAYS,
} as const;

const SENT = {
  book: message(
    "A token's whole book, with the same text as `GET /book` for the same state",
    Type.Object({ event_type: Type.Literal('book'), ...OrderBook.properties, ...STAMP }),
  ),
  price_change: message(
    'Every level that a batch changed, as both tokens show it; a step',
    Type.Object({
      event_type: Type.Literal('price_change'),
      ...MARKET,
      timestamp: wholeText(
        'The time of the books whose hashes the message has; milliseconds since the epoch',
      ),
      price_changes: Type.Array(
        Type.Object({
          asset_id: TOKEN_ID,
          price: PRICE,
          size: decimal(
            'The new total size of the level, in outcome tokens; "0" for a removed level',
          ),
          side: side('BUY for a bid'),
          hash: Type.String({
            description: 'The hash in `GET /book` for the token after the batch',
            pattern: '^[0-9a-f]{40}$',
          }),
          ...BEST_PRICES,
        }),
      ),
      ...STAMP,
    }),
  ),
  last_trade_price: message(
    'A trade as one of the tokens shows it, in a copy for each, YES first; a step',
    Type.Object({
      event_type: Type.Literal('last_trade_price'),
      asset_id: TOKEN_ID,
      ...MARKET,
      price: PRICE,
      size: decimal('Outcome tokens'),
      side: side("The taker's side, reversed for the token that it did not trade"),
      fee_rate_bps: wholeText("The taker's fee rate"),
      timestamp: wholeText('When it was matched; milliseconds since the epoch'),
      transaction_hash: bytes32('Hash of the trade'),
      taker_asset_id: Type.String({ description: 'The token that the taker traded' }),
      ...STAMP,
    }),
  ),
  tick_size_change: message(
    'A new tick size of the market, in a copy for each token, YES first; a step',
    Type.Object({
      event_type: Type.Literal('tick_size_change'),
      asset_id: TOKEN_ID,
      ...MARKET,
      old_tick_size: decimal('The old tick size'),
      new_tick_size: decimal('The new tick size'),
      side: side(),
      timestamp: wholeText('When it was changed; milliseconds since the epoch'),
      ...STAMP,
    }),
  ),
  best_bid_ask: message(
    "A token's best prices after a change; with custom features only",
    Type.Object({
      event_type: Type.Literal('best_bid_ask'),
      ...MARKET,
      asset_id: TOKEN_ID,
      ...BEST_PRICES,
      spread: decimal('Best ask minus best bid'),
      timestamp: wholeText('When they changed; milliseconds since the epoch'),
      ...STAMP,
    }),
  ),
  new_market: message(
    'A new market, to all clients with custom features',
    Type.Object({
      event_type: Type.Literal('new_market'),
      ...CONTENT,
      condition_id: CONDITION_ID,
      active: Type.Boolean(),
      clob_token_ids: Type.Array(TOKEN_ID, { description: 'The same as `assets_ids`' }),
      order_price_min_tick_size: decimal('Its tick size'),
      group_item_title: Type.String({
        description: 'Its short name within the event; may be empty',
      }),
      taker_base_fee: wholeText("The taker's fee rate in basis points"),
      fees_enabled: Type.Boolean(),
      fee_schedule: Type.Object({
        exponent: wholeText('The exponent of the fee formula'),
        rate: decimal("The taker's rate as a fraction"),
        taker_only: Type.Boolean(),
        rebate_rate: decimal('Always "0": there are no rebates'),
      }),
      timestamp: wholeText('When it was created; milliseconds since the epoch'),
      ...STAMP,
    }),
  ),
  market_resolved: message(
    'The result of a market, to all clients with custom features, also if they subscribe later',
    Type.Object({
      event_type: Type.Literal('market_resolved'),
      ...CONTENT,
      winning_asset_id: Type.String({
        description: 'Id of the winning token; empty if both tokens pay',
      }),
      winning_outcome: Type.String({
        description: 'Name of the winning outcome; empty if both tokens pay',
      }),
      timestamp: wholeText('When it was resolved; milliseconds since the epoch'),
      ...STAMP,
    }),
  ),
  heartbeat: message(
    'Shows that the stream is alive after ten seconds without a message of the market',
    heartbeatSchema(MARKET),
  ),
  resumed: message('The answer to a resume, before the missed messages', resumedSchema(MARKET)),
  snapshot_required: message(
    'The answer to a resume that is not possible, before new books',
    snapshotRequiredSchema(MARKET),
  ),
  ...SENT_ALWAYS,
} as const;

export const MARKET_CHANNEL = {
  name: 'market',
  address: '/ws/market',
  title: 'Prices, trades and terms of markets',
  description: [
    'Public. It sends the `book` of each subscribed token first, then the changes.',
    '',
    'Each market counts its steps: a trade, a change of the tick size, or the level changes of a',
    'batch. Both tokens share the sequence; a client of both gets both copies of a step with the',
    'same sequence. All other messages carry the sequence of the last step. So the next message of',
    'a market has the sequence of the last one, or one more; anything else is a loss. The messages',
    'of a batch come in this order: trades, change of the tick size, levels, best prices, books.',
    'Books are sent at most four times a second, and the last state is always sent.',
  ],
  received: RECEIVED,
  sent: SENT,
  closings: CLOSINGS,
} as const;

export type MarketMessages = SentMessages<typeof MARKET_CHANNEL>;
