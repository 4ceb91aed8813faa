/** The user channel as the document tells it (wire 7.1); its texts are account-texts.ts's. */
import { Type } from 'typebox';
import type { OrderClosed } from '../../engine/index.ts';
import { MakerOrder } from '../format/index.ts';
import {
  addressText,
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
  secondText,
  side,
  size,
  tokenId,
  wantsDump,
  wholeText,
} from './streams-message.ts';

const channelType = Type.Optional(Type.Literal('user', { description: 'In any case' }));
const wantsNotice = Type.Optional(
  Type.Boolean({ description: 'Whether a notice of unknown names comes' }),
);

const auth = Type.Optional(
  Type.Object(
    {
      apikey: Type.String({ description: 'Of a trading or a read-only key; `apiKey` too' }),
      secret: Type.String(),
      passphrase: Type.String(),
    },
    { description: 'The first message of a socket has to have it' },
  ),
);

const ASKED: readonly StreamMessage[] = [
  {
    name: 'subscribe',
    summary: 'Says who it is and begins to listen, or adds to its filter',
    payload: Type.Object({
      type: channelType,
      operation: Type.Optional(Type.Literal('subscribe', { description: 'In any case' })),
      auth,
      ...NAMES,
      initial_dump: wantsDump,
      custom_feature_enabled: wantsNotice,
    }),
  },
  {
    name: 'unsubscribe',
    summary: 'Takes from its filter; without names, everything',
    payload: Type.Object({
      type: channelType,
      operation: Type.Literal('unsubscribe', { description: 'In any case' }),
      auth,
      ...NAMES,
      custom_feature_enabled: wantsNotice,
    }),
  },
  {
    name: 'resume',
    summary: 'Listens again from where the client left off; on a new socket with `auth`',
    payload: Type.Object({
      type: channelType,
      ...LEFT_OFF,
      sequence: Type.Integer({ minimum: 0, description: 'That of the last message' }),
      auth,
      ...NAMES,
      custom_feature_enabled: wantsNotice,
    }),
  },
  PING,
];

/** Why an order ended, if it did not match to its end. */
const END_REASONS = {
  canceled: 'its owner cancelled it',
  expired: 'its time was over',
  self_trade: 'it would have met another order of its owner',
  switch_tripped: "its owner's dead man's switch took it",
  owner_banned: 'its owner was banned',
  closed_only: 'its owner may only sell, and it was a BUY',
  market_closed: 'its market was closed',
  market_resolved: 'its market was resolved',
  trading_paused: 'it was delayed, and trading was paused',
  unmatched: 'it was delayed, and then there was nothing to match',
  remainder_released: 'there was nothing left to match',
} as const satisfies Record<Exclude<OrderClosed['reason'], 'matched'>, string>;

function ownKey(what: string) {
  return Type.String({ description: `${what}: the receiver's API key` });
}

const ORDER = {
  event_type: Type.Literal('order'),
  type: Type.Enum(['PLACEMENT', 'UPDATE', 'CANCELLATION'], {
    description: 'UPDATE: it traded, or a delay is over; CANCELLATION: it ended in another way',
  }),
  id: hash32('The order hash'),
  market: conditionId,
  asset_id: tokenId,
  side,
  price,
  original_size: decimalText('Outcome tokens; of a cash budget, those it stands for'),
  size_matched: decimalText('Outcome tokens, in all'),
  outcome: Type.String({ description: "The outcome's name" }),
  owner: ownKey('Owner'),
  order_owner: ownKey('The same'),
  associate_trades: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'The newest trades that it was in, oldest first; null before the first',
  }),
  timestamp: secondText('Of the step'),
  created_at: secondText('When it was accepted'),
  expiration: secondText('When it expires, "0" for never'),
  maker_address: addressText('Funding account'),
  order_type: Type.Enum(['GTC', 'GTD', 'FOK', 'FAK']),
  status: Type.Enum(['LIVE', 'DELAYED', 'MATCHED', 'CANCELED', 'UNMATCHED']),
};

const reason = Type.Optional(
  Type.Enum(Object.keys(END_REASONS), {
    description: `Of a CANCELLATION. ${Object.entries(END_REASONS)
      .map(([word, meaning]) => `\`${word}\`: ${meaning}`)
      .join('; ')}`,
  }),
);

function amount(description: string) {
  return wholeText(`${description}; base units of 6 decimals`);
}

const BALANCE = {
  event_type: Type.Literal('balance'),
  asset_type: Type.Enum(['COLLATERAL', 'CONDITIONAL']),
  asset_id: Type.String({ description: 'Token id; empty for cash' }),
  market: Type.String({ description: 'Condition id; empty for cash' }),
  address: addressText('The account'),
  balance: amount('All of it'),
  available: amount('What no order holds'),
  held: amount('What orders hold'),
};

const STEPS: readonly StreamMessage[] = [
  {
    name: 'order',
    summary: 'A step in the life of an order',
    payload: Type.Object({ ...ORDER, reason, ...STAMP }),
  },
  {
    name: 'trade',
    summary: 'A trade, once for each status, to the taker and to each maker',
    payload: Type.Object({
      event_type: Type.Literal('trade'),
      type: Type.Literal('TRADE'),
      id: Type.String({ description: 'UUID' }),
      taker_order_id: hash32("The taker's order"),
      market: conditionId,
      asset_id: Type.String({ description: "The taker's token" }),
      side: Type.Enum(['BUY', 'SELL'], { description: "The taker's" }),
      size,
      price: decimalText("Of the taker's token"),
      status: Type.Enum(['MATCHED', 'MINED', 'CONFIRMED'], {
        description: 'One thing here, told one after the other',
      }),
      outcome: Type.String({ description: "The name of the taker's outcome" }),
      owner: ownKey('Owner'),
      trade_owner: ownKey('The same'),
      matchtime: secondText('When it was matched'),
      match_time: secondText('The same'),
      last_update: secondText('The same'),
      timestamp: secondText('The same'),
      fee_rate_bps: wholeText("The taker's rate"),
      fee: decimalText('What it cost the taker besides, in collateral'),
      bucket_index: Type.Integer({ description: 'Place among the trades of the taker order' }),
      maker_address: addressText('Account that funded the taker order'),
      transaction_hash: hash32('Of the trade'),
      trader_side: Type.Enum(['TAKER', 'MAKER'], { description: 'What the receiver was in it' }),
      maker_orders: Type.Array(MakerOrder, {
        description: 'Orders of the receiver have its own key as `owner`',
      }),
      ...STAMP,
    }),
  },
  {
    name: 'balance',
    summary: 'What an account has of an asset after a batch that changed it',
    payload: Type.Object({ ...BALANCE, timestamp: secondText('Of the batch'), ...STAMP }),
  },
];

const timestamp = millisecondText('When it was made');

const SIGNALS: readonly StreamMessage[] = [
  {
    name: 'snapshot',
    summary: 'Live orders and balances after the step of its sequence, in one or several parts',
    payload: Type.Object({
      event_type: Type.Literal('snapshot'),
      part: Type.Integer({ minimum: 1 }),
      parts: Type.Integer({ minimum: 1, description: 'How many there are' }),
      orders: Type.Array(Type.Object(ORDER), { description: 'Each as a PLACEMENT tells it' }),
      balances: Type.Array(Type.Object(BALANCE), { description: 'What is not here is nothing' }),
      timestamp: secondText('When it was made'),
      ...STAMP,
    }),
  },
  {
    name: 'skipped',
    summary: 'Steps that the filter left out, before the next message',
    payload: Type.Object({
      event_type: Type.Literal('skipped'),
      first_sequence: Type.Integer({ minimum: 1, description: 'The first one left out' }),
      timestamp,
      ...STAMP,
      sequence: Type.Integer({ minimum: 1, description: 'The last one left out' }),
    }),
  },
  {
    name: 'heartbeat',
    summary: 'An owner that had no message for ten seconds is still listened to',
    payload: Type.Object({ event_type: Type.Literal('heartbeat'), timestamp, ...STAMP }),
  },
  {
    name: 'resumed',
    summary: 'The answer to a resume, before what was missed',
    payload: Type.Object({
      event_type: Type.Literal('resumed'),
      replayed,
      timestamp,
      ...STAMP,
      sequence: Type.Integer({ minimum: 0, description: 'Where the client left off' }),
    }),
  },
  {
    name: 'snapshot_required',
    summary: 'The answer to a resume that can not be carried out, before a snapshot',
    payload: Type.Object({
      event_type: Type.Literal('snapshot_required'),
      reason: missedReason,
      timestamp,
      ...STAMP,
    }),
  },
];

export const USER_CHANNEL: StreamChannel = {
  name: 'user',
  address: '/ws/user',
  title: "One owner's orders, trades and balances",
  description: [
    'For whoever sends a good API key of the owner, trading or read-only, in its first message.',
    'First a `snapshot`, then what changes.',
    '',
    'Each owner counts its steps: each message of an order, a trade or a balance is one, whatever',
    "a socket's filter makes of it. The next message has the sequence of the last one plus 1, or",
    'is a `skipped` whose `first_sequence` is, or a `heartbeat` with the sequence of the last one;',
    'anything else is a loss. While nobody listens as the owner, and nobody has for five minutes,',
    'all that happens counts as one step.',
  ].join('\n'),
  asked: ASKED,
  told: [...STEPS, ...SIGNALS, FAULT, PONG],
  closings: [
    ...COMMON_CLOSINGS,
    'unauthorized',
    'too_many_failures',
    'auth_missing',
    'key_revoked',
  ],
};
