/**
 * The messages of the user channel, each with its schema (wire 7.1).
 *
 * Invariant: texts.ts makes exactly these messages; a test compares them.
 */
import { Type } from 'typebox';
import type { OrderClosed } from '../../../engine/index.ts';
import { MakerOrder, ORDER_STATUSES, TRADE_STATUSES } from '../../format/index.ts';
import {
  address,
  bytes32,
  CLOSINGS,
  CONDITION_ID,
  decimal,
  heartbeatSchema,
  LEFT_OFF,
  type MessageOf,
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
  TIME_MS_TEXT,
  TOKEN_ID,
  WANTS_DUMP,
  wholeText,
  word,
} from '../delivery/messages.ts';

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

export type EndReason = keyof typeof END_REASONS;

const TYPE = Type.Optional(word('user'));
const WANTS_FEATURES = Type.Optional(
  Type.Boolean({
    description:
      'Whether to send `snapshot`, `balance`, `skipped`, `heartbeat` and notices of unknown ' +
      'names, which public venues do not have; `resume` implies it',
  }),
);
const AUTH = Type.Optional(
  Type.Object(
    {
      apikey: Type.String({
        description: 'A trading or read-only key; may also be named `apiKey`',
      }),
      secret: Type.String(),
      passphrase: Type.String(),
    },
    { description: 'Required in the first message of a socket' },
  ),
);
const OWN_KEY = Type.String({ description: "Owner: the receiver's API key" });
const SAME_KEY = Type.String({ description: "The same: the receiver's API key" });

const RECEIVED = {
  subscribe: message(
    'Authenticates and subscribes, or adds to the filter',
    Type.Object({
      type: TYPE,
      operation: Type.Optional(word('subscribe')),
      auth: AUTH,
      ...NAMES,
      initial_dump: WANTS_DUMP,
      custom_feature_enabled: WANTS_FEATURES,
    }),
  ),
  unsubscribe: message(
    'Removes names from the filter; without names, all of them',
    Type.Object({
      type: TYPE,
      operation: word('unsubscribe'),
      auth: AUTH,
      ...NAMES,
      custom_feature_enabled: WANTS_FEATURES,
    }),
  ),
  resume: message(
    'Subscribes again and asks for the missed messages; on a new socket with `auth`',
    Type.Object({
      type: TYPE,
      ...LEFT_OFF,
      sequence: Type.Integer({ minimum: 0, description: 'Sequence of the last message' }),
      auth: AUTH,
      ...NAMES,
      custom_feature_enabled: WANTS_FEATURES,
    }),
  ),
  ...RECEIVED_ALWAYS,
} as const;

const OrderFields = Type.Object({
  event_type: Type.Literal('order'),
  type: Type.Enum(['PLACEMENT', 'UPDATE', 'CANCELLATION'], {
    description:
      'UPDATE: it traded, or its delay ended; CANCELLATION: it ended before it was filled',
  }),
  id: bytes32('The order hash'),
  market: CONDITION_ID,
  asset_id: TOKEN_ID,
  side: side(),
  price: PRICE,
  original_size: decimal('Outcome tokens; for a cash budget, what it buys at the limit price'),
  size_matched: decimal('Outcome tokens in all its trades'),
  outcome: Type.String({ description: "The outcome's name" }),
  owner: OWN_KEY,
  order_owner: SAME_KEY,
  associate_trades: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Its latest trades, oldest first; null before the first',
  }),
  timestamp: wholeText('When it happened; milliseconds since the epoch'),
  created_at: wholeText('When it was accepted; seconds since the epoch'),
  expiration: wholeText('When it expires; "0" for never; seconds since the epoch'),
  maker_address: address('Funding account, EIP-55'),
  order_type: Type.Enum(['GTC', 'GTD', 'FOK', 'FAK']),
  status: Type.Enum(ORDER_STATUSES),
});
export type OrderFields = MessageOf<typeof OrderFields>;

const BalanceFields = Type.Object({
  event_type: Type.Literal('balance'),
  asset_type: Type.Enum(['COLLATERAL', 'CONDITIONAL']),
  asset_id: Type.String({ description: 'Token id; empty for cash' }),
  market: Type.String({ description: 'Condition id; empty for cash' }),
  address: address('The account, EIP-55'),
  balance: wholeText('The whole balance; base units of 6 decimals'),
  available: wholeText('Not held by orders; base units of 6 decimals'),
  held: wholeText('Held by orders; base units of 6 decimals'),
});
export type BalanceFields = MessageOf<typeof BalanceFields>;

const SENT = {
  order: message(
    'A change of an order',
    Type.Object({
      ...OrderFields.properties,
      reason: Type.Optional(
        // Safe: they are the keys of that table.
        Type.Enum(Object.keys(END_REASONS) as EndReason[], {
          description: `The reason of a CANCELLATION. ${Object.entries(END_REASONS)
            .map(([reason, meaning]) => `\`${reason}\`: ${meaning}`)
            .join('; ')}`,
        }),
      ),
      ...STAMP,
    }),
  ),
  trade: message(
    'A trade, once for each status, to the taker and to each maker',
    Type.Object({
      event_type: Type.Literal('trade'),
      type: Type.Literal('TRADE'),
      id: Type.String({ description: 'UUID' }),
      taker_order_id: bytes32("The taker's order"),
      market: CONDITION_ID,
      asset_id: Type.String({ description: "The taker's token" }),
      side: side("The taker's side"),
      size: decimal('Outcome tokens'),
      price: decimal("Price of the taker's token"),
      status: Type.Enum(TRADE_STATUSES, {
        description:
          'The first three come one after the other and mean the same here; the others come only ' +
          'from a fault of the sandbox',
      }),
      outcome: Type.String({ description: "The name of the taker's outcome" }),
      owner: OWN_KEY,
      trade_owner: SAME_KEY,
      match_time: wholeText('When it was matched; seconds since the epoch'),
      last_update: wholeText('When it got its status; seconds since the epoch'),
      timestamp: wholeText('The same; milliseconds since the epoch'),
      fee_rate_bps: wholeText("The taker's rate"),
      fee: decimal("The taker's fee, in collateral"),
      bucket_index: Type.Integer({ description: 'Index among the trades of the taker order' }),
      maker_address: address('Account that funds the taker order, EIP-55'),
      transaction_hash: bytes32('Hash of the trade'),
      trader_side: Type.Enum(['TAKER', 'MAKER'], { description: 'The role of the receiver' }),
      maker_orders: Type.Array(MakerOrder, {
        description: 'Orders of the receiver have its API key as `owner`',
      }),
      ...STAMP,
    }),
  ),
  balance: message(
    'The balance of an asset in an account after a batch that changed it',
    Type.Object({
      ...BalanceFields.properties,
      timestamp: wholeText('The time of the batch; milliseconds since the epoch'),
      ...STAMP,
    }),
  ),
  snapshot: message(
    'Live orders and balances as of its sequence, in one or several parts',
    Type.Object({
      event_type: Type.Literal('snapshot'),
      part: Type.Integer({ minimum: 1 }),
      parts: Type.Integer({ minimum: 1, description: 'Number of parts' }),
      orders: Type.Array(OrderFields, { description: 'Each with the fields of a PLACEMENT' }),
      balances: Type.Array(BalanceFields, { description: 'Balances that are missing are 0' }),
      timestamp: TIME_MS_TEXT,
      ...STAMP,
    }),
  ),
  skipped: message(
    'The steps that the filter left out before the next message',
    Type.Object({
      event_type: Type.Literal('skipped'),
      first_sequence: Type.Integer({
        minimum: 1,
        description: 'Sequence of the first step left out',
      }),
      timestamp: TIME_MS_TEXT,
      ...STAMP,
      sequence: Type.Integer({ minimum: 1, description: 'Sequence of the last step left out' }),
    }),
  ),
  heartbeat: message(
    'Shows that the stream is alive after ten seconds without a message of the owner',
    heartbeatSchema({}),
  ),
  resumed: message('The answer to a resume, before the missed messages', resumedSchema({})),
  snapshot_required: message(
    'The answer to a resume that is not possible, before a snapshot',
    snapshotRequiredSchema({}),
  ),
  ...SENT_ALWAYS,
} as const;

export const USER_CHANNEL = {
  name: 'user',
  address: '/ws/user',
  title: "One owner's orders, trades and balances",
  description: [
    'For clients that send a valid API key of the owner, trading or read-only, in their first',
    'message. It sends the changes of orders and trades; with `custom_feature_enabled` also a',
    '`snapshot` first, balances, and what makes every lost message detectable:',
    '',
    'Each owner counts its steps: each message about an order, a trade or a balance is one, even',
    'if the filter of a socket leaves it out. The next message has the sequence of the last one',
    'plus 1, or is a `skipped` with that `first_sequence`, or a `heartbeat` with the sequence of',
    'the last one; anything else is a loss. Steps are counted whether the owner has a client or',
    'not. Their messages are kept for five minutes after the last client has left.',
  ],
  received: RECEIVED,
  sent: SENT,
  closings: [...CLOSINGS, 'unauthorized', 'too_many_failures', 'auth_missing', 'key_revoked'],
} as const;

export type UserMessages = SentMessages<typeof USER_CHANNEL>;
