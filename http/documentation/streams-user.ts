/** The user channel (wire 7.1). */
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
  secondText,
  side,
  size,
  tokenId,
  wantsDump,
  wholeText,
} from './streams-message.ts';

const channelType = Type.Optional(Type.Literal('user', { description: 'In any case' }));
const wantsNotice = Type.Optional(
  Type.Boolean({ description: 'Whether to send a notice of unknown names' }),
);

const auth = Type.Optional(
  Type.Object(
    {
      apikey: Type.String({ description: 'A trading or read-only key; `apiKey` is read too' }),
      secret: Type.String(),
      passphrase: Type.String(),
    },
    { description: 'Required in the first message of a socket' },
  ),
);

const RECEIVED: readonly StreamMessage[] = [
  {
    name: 'subscribe',
    summary: 'Authenticates and subscribes, or adds to the filter',
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
    summary: 'Removes names from the filter; without names, all of them',
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
    summary: 'Subscribes again and asks for the missed messages; on a new socket with `auth`',
    payload: Type.Object({
      type: channelType,
      ...LEFT_OFF,
      sequence: Type.Integer({ minimum: 0, description: 'From the last message' }),
      auth,
      ...NAMES,
      custom_feature_enabled: wantsNotice,
    }),
  },
  PING,
];

/** The reasons for which an order ends before it is filled. */
const END_REASONS = {
  canceled: 'its owner cancelled it',
  expired: 'it expired',
  self_trade: 'it would have matched another order of its owner',
  switch_tripped: "its owner's dead man's switch cancelled it",
  owner_banned: 'its owner was banned',
  closed_only: 'its owner may only sell, and it was a BUY',
  market_closed: 'its market was closed',
  market_resolved: 'its market was resolved',
  trading_paused: 'it was delayed, and trading was paused',
  unmatched: 'it was delayed, and after the delay there was nothing to match',
  remainder_released: 'there was nothing left to match',
} as const satisfies Record<Exclude<OrderClosed['reason'], 'matched'>, string>;

function ownKey(what: string) {
  return Type.String({ description: `${what}: the receiver's API key` });
}

const ORDER = {
  event_type: Type.Literal('order'),
  type: Type.Enum(['PLACEMENT', 'UPDATE', 'CANCELLATION'], {
    description:
      'UPDATE: it traded, or its delay ended; CANCELLATION: it ended without being filled',
  }),
  id: hash32('The order hash'),
  market: conditionId,
  asset_id: tokenId,
  side,
  price,
  original_size: decimalText('Outcome tokens; for a cash budget, the tokens that it stands for'),
  size_matched: decimalText('Outcome tokens in all its trades'),
  outcome: Type.String({ description: "The outcome's name" }),
  owner: ownKey('Owner'),
  order_owner: ownKey('The same'),
  associate_trades: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Its latest trades, oldest first; null before the first',
  }),
  timestamp: secondText('When it happened'),
  created_at: secondText('When it was accepted'),
  expiration: secondText('When it expires; "0" for never'),
  maker_address: addressText('Funding account'),
  order_type: Type.Enum(['GTC', 'GTD', 'FOK', 'FAK']),
  status: Type.Enum(['LIVE', 'DELAYED', 'MATCHED', 'CANCELED', 'UNMATCHED']),
};

const reason = Type.Optional(
  Type.Enum(Object.keys(END_REASONS), {
    description: `The reason of a CANCELLATION. ${Object.entries(END_REASONS)
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
  balance: amount('The whole balance'),
  available: amount('Not held by orders'),
  held: amount('Held by orders'),
};

const STEPS: readonly StreamMessage[] = [
  {
    name: 'order',
    summary: 'A change of an order',
    payload: Type.Object({ ...ORDER, reason, ...STAMP }),
  },
  live('trade', 'A trade, once for each status, to the taker and to each maker', {
    type: Type.Literal('TRADE'),
    id: Type.String({ description: 'UUID' }),
    taker_order_id: hash32("The taker's order"),
    market: conditionId,
    asset_id: Type.String({ description: "The taker's token" }),
    side: Type.Enum(['BUY', 'SELL'], { description: "The taker's side" }),
    size,
    price: decimalText("Of the taker's token"),
    status: Type.Enum(['MATCHED', 'MINED', 'CONFIRMED'], {
      description: 'Sent one after the other; they mean the same here',
    }),
    outcome: Type.String({ description: "The name of the taker's outcome" }),
    owner: ownKey('Owner'),
    trade_owner: ownKey('The same'),
    matchtime: secondText('When it was matched'),
    match_time: secondText('The same'),
    last_update: secondText('The same'),
    timestamp: secondText('The same'),
    fee_rate_bps: wholeText("The taker's rate"),
    fee: decimalText("The taker's fee, in collateral"),
    bucket_index: Type.Integer({ description: 'Index among the trades of the taker order' }),
    maker_address: addressText('Account that funds the taker order'),
    transaction_hash: hash32('Of the trade'),
    trader_side: Type.Enum(['TAKER', 'MAKER'], { description: 'The role of the receiver' }),
    maker_orders: Type.Array(MakerOrder, {
      description: 'Orders of the receiver have its API key as `owner`',
    }),
  }),
  {
    name: 'balance',
    summary: 'The balance of an asset in an account after a batch that changed it',
    payload: Type.Object({ ...BALANCE, timestamp: secondText('The time of the batch'), ...STAMP }),
  },
];

const timestamp = millisecondText('When the message was made');

const SIGNALS: readonly StreamMessage[] = [
  live('snapshot', 'Live orders and balances as of its sequence, in one or several parts', {
    part: Type.Integer({ minimum: 1 }),
    parts: Type.Integer({ minimum: 1, description: 'Number of parts' }),
    orders: Type.Array(Type.Object(ORDER), { description: 'Each as in a PLACEMENT' }),
    balances: Type.Array(Type.Object(BALANCE), {
      description: 'Balances that are missing are 0',
    }),
    timestamp: secondText('When the message was made'),
  }),
  live(
    'skipped',
    'The steps that the filter left out before the next message',
    {
      first_sequence: Type.Integer({ minimum: 1, description: 'The first one left out' }),
      timestamp,
    },
    { sequence: Type.Integer({ minimum: 1, description: 'The last one left out' }) },
  ),
  {
    name: 'heartbeat',
    summary: 'Shows that the stream is alive after ten seconds without a message of the owner',
    payload: Type.Object({ event_type: Type.Literal('heartbeat'), timestamp, ...STAMP }),
  },
  live(
    'resumed',
    'The answer to a resume, before the missed messages',
    {
      replayed,
      timestamp,
    },
    { sequence: Type.Integer({ minimum: 0, description: 'The sequence of the client' }) },
  ),
  live('snapshot_required', 'The answer to a resume that is not possible, before a snapshot', {
    reason: missedReason,
    timestamp,
  }),
];

export const USER_CHANNEL: StreamChannel = {
  name: 'user',
  address: '/ws/user',
  title: "One owner's orders, trades and balances",
  description: [
    'For clients that send a valid API key of the owner, trading or read-only, in their first',
    'message. It sends a `snapshot` first, then the changes.',
    '',
    'Each owner counts its steps: each message about an order, a trade or a balance is one, ' +
      'even if',
    'the filter of a socket leaves it out. The next message has the sequence of the last one ' +
      'plus 1,',
    'or is a `skipped` with that `first_sequence`, or a `heartbeat` with the sequence of the last',
    'one; anything else is a loss. While the owner has had no client for five minutes, everything',
    'that happens counts as one step.',
  ].join('\n'),
  received: RECEIVED,
  sent: [...STEPS, ...SIGNALS, FAULT, PONG],
  closings: [
    ...COMMON_CLOSINGS,
    'unauthorized',
    'too_many_failures',
    'auth_missing',
    'key_revoked',
  ],
};
