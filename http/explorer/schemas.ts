/**
 * The answers of the explorer. Addresses and ids are lower case, as in the journal. amounts.ts says
 * how amounts are named.
 */
import { type Static, Type } from 'typebox';
import {
  KEY_PURPOSES,
  ORDER_TYPES,
  SIDES,
  STANDINGS,
  WALLET_KINDS,
} from '../../engine/model/index.ts';
import { OrNull, Text, TrueFalse } from '../parameters/index.ts';
import { Cash, Price, Size, Time } from './amounts.ts';
import { Signed } from './signed.ts';

const Outcome = Type.Integer({ description: '0 YES, 1 NO', minimum: 0, maximum: 1 });
const Side = Type.Enum([...SIDES]);
const Fields = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Names in snake_case; each amount with its decimal beside it',
});

/** Who asked for a command that nobody signed: the operator, the sandbox or the exchange itself. */
const AskedBy = Type.Object({
  by: Type.String(),
  reason: Type.String(),
  approval: Type.Optional(Type.Object({ by: Type.String(), reason: Type.String() })),
});

/** The first and last commands that can be read; both 0 for none. */
const RANGE = {
  first_seq: Type.Integer({ description: 'The first command that can be read; 0 for none' }),
  last_seq: Type.Integer({ description: 'The last command; 0 for none' }),
};

export const ExplorerListedCommand = Type.Object({
  seq: Type.Integer({ description: 'Its number in the journal' }),
  time_ms: Type.Integer(),
  time: Text('ISO 8601'),
  kind: Type.String(),
  command: Fields,
  asked_by: OrNull(AskedBy, 'null for a command of a client'),
  fill_count: Type.Integer(),
});
export type ExplorerListedCommand = Static<typeof ExplorerListedCommand>;

export const ExplorerCommandPage = Type.Object({
  data: Type.Array(ExplorerListedCommand, { description: 'Newest first' }),
  ...RANGE,
  looked_to_seq: Type.Integer({ description: 'All matches from this seq on are in `data`' }),
  next_before: OrNull(
    Type.Integer(),
    '`before` of the next page, which may have matches although this one has none; null for none',
  ),
});
export type ExplorerCommandPage = Static<typeof ExplorerCommandPage>;

export const ExplorerCommandTrade = Type.Object({
  id: Text('UUID'),
  transaction_hash: Type.String(),
  bucket_index: Type.Integer(),
  taker_order_id: Type.String(),
  ...Price('price'),
  lots: Type.Integer(),
  tokens: Type.String(),
});

export const ExplorerCommand = Type.Object({
  ...ExplorerListedCommand.properties,
  rules: Type.Integer({ description: "Version of the engine's rules under which it ran" }),
  checksum: Type.Integer({ description: 'CRC-32 of its row in the journal' }),
  signed: OrNull(Signed),
  events: Type.Array(Fields, {
    description:
      'What it did, in order, without changes of book levels, which follow from the rest; each ' +
      'has a `kind`',
  }),
  event_count: Type.Integer({ description: 'More than `events` has if there are too many' }),
  trades: Type.Array(ExplorerCommandTrade),
  trade_count: Type.Integer({ description: 'More than `trades` has if there are too many' }),
  previous_seq: OrNull(Type.Integer()),
  next_seq: OrNull(Type.Integer()),
  ...RANGE,
});
export type ExplorerCommand = Static<typeof ExplorerCommand>;

export const ExplorerOrderState = Type.Object({
  order_id: Type.String(),
  status: Type.Enum(['live', 'delayed', 'matched', 'canceled', 'unmatched']),
  close_reason: Text("The engine's reason; '' while it is open"),
  accepted_seq: Type.Integer({ description: 'The command that placed it' }),
  closed_seq: OrNull(Type.Integer(), 'The command that closed it; null while it is open'),
  account: Type.String(),
  owner: Text('The address that signed it'),
  api_key: Text("The key that sent it; zeros for all but the operator's listener"),
  builder: Text("Builder code, 0x and 64 hex digits; '' for none"),
  condition_id: Type.String(),
  token_id: Type.String(),
  outcome: Outcome,
  outcome_label: Type.String(),
  side: Side,
  type: Type.Enum([...ORDER_TYPES]),
  post_only: Type.Boolean(),
  ...Price('price'),
  lots: Type.Integer({ description: '0 for an order with a budget' }),
  tokens: Type.String(),
  ...Cash('budget'),
  ...Size('filled'),
  ...Cash('filled'),
  ...Cash('fee'),
  ...Time('created'),
  ...Time('updated'),
  ...Time('expires_at'),
  ...Time('release'),
});
export type ExplorerOrderState = Static<typeof ExplorerOrderState>;

/** What a party of a trade traded and paid. */
const FILLED = {
  ...Price('price'),
  lots: Type.Integer(),
  tokens: Type.String(),
  ...Cash('fee'),
  ...Cash('builder_fee'),
  fee_bps: Type.Integer(),
};

export const ExplorerOrderFill = Type.Object({
  trade_id: Type.String(),
  transaction_hash: Type.String(),
  seq: Type.Integer(),
  time_ms: Type.Integer(),
  time: Type.String(),
  role: Type.Enum(['TAKER', 'MAKER']),
  ...FILLED,
});

export const ExplorerOrder = Type.Object({
  ...ExplorerOrderState.properties,
  fills: Type.Array(ExplorerOrderFill, { description: 'Newest first' }),
  has_older_fills: TrueFalse('Whether it has older fills than these'),
});
export type ExplorerOrder = Static<typeof ExplorerOrder>;

/** A participant of a trade, from its own view: in a mint or merge its price is the complement. */
export const ExplorerParty = Type.Object({
  order_id: Type.String(),
  account: Type.String(),
  owner: Type.String(),
  builder: Text("Builder code; '' for none"),
  token_id: Type.String(),
  outcome: Outcome,
  outcome_label: Type.String(),
  side: Side,
  ...FILLED,
});

export const ExplorerTrade = Type.Object({
  id: Text('UUID; http/orders/receipts.md says how it follows from the other fields'),
  transaction_hash: Type.String(),
  seq: Type.Integer({ description: 'Its command' }),
  time_ms: Type.Integer(),
  time: Type.String(),
  bucket_index: Type.Integer(),
  condition_id: Type.String(),
  taker: ExplorerParty,
  makers: Type.Array(ExplorerParty, { description: 'In the order of their fills' }),
});
export type ExplorerTrade = Static<typeof ExplorerTrade>;

export const ExplorerPosition = Type.Object({
  condition_id: Type.String(),
  token_id: Type.String(),
  outcome: Outcome,
  outcome_label: Type.String(),
  question: Text("The market's question; '' without a catalog record"),
  ...Size('available'),
  ...Size('held'),
  price: Text('What one token is worth, as in GET /positions'),
  value_cash: Text('What all are worth'),
});

export const ExplorerKey = Type.Object({
  api_key: Text("UUID; zeros for all but the operator's listener"),
  purpose: Type.Enum([...KEY_PURPOSES]),
  nonce: Type.String(),
  ...Time('issued'),
});

export const ExplorerAccount = Type.Object({
  address: Type.String(),
  owner: Text('The address that signs for it'),
  wallet: OrNull(
    Type.Enum([...WALLET_KINDS]),
    'null for an owner without an account of this address',
  ),
  standing: Type.Enum([...STANDINGS]),
  opened_seq: OrNull(Type.Integer(), 'The command that opened it'),
  ...Cash('available'),
  ...Cash('held'),
  positions: Type.Array(ExplorerPosition),
  has_more_positions: Type.Boolean(),
  open_orders: Type.Array(ExplorerOrderState, {
    description: "Oldest first: those of the account among the owner's oldest 100",
  }),
  has_more_orders: TrueFalse('Whether the owner has more than 100 open orders'),
  accounts: Type.Array(
    Type.Object({ address: Type.String(), wallet: Type.Enum([...WALLET_KINDS]) }),
    { description: 'The accounts of its owner' },
  ),
  has_more_accounts: Type.Boolean(),
  keys: Type.Array(ExplorerKey, {
    description: 'The valid API keys of its owner, without secrets',
  }),
});
export type ExplorerAccount = Static<typeof ExplorerAccount>;

export const ExplorerMarketToken = Type.Object({
  token_id: Type.String(),
  outcome: Outcome,
  label: Type.String(),
  ...Size('supply'),
  midpoint: OrNull(Type.String(), 'null while a side of the book is empty'),
  last_price: OrNull(Type.String(), 'The price of the last trade; null for none'),
  payout: OrNull(Type.String(), 'What one token pays; null until it is resolved'),
});

export const ExplorerMarket = Type.Object({
  condition_id: Type.String(),
  question: Text("'' without a catalog record"),
  slug: Type.String(),
  event_id: Text('Id of its event in the catalog'),
  neg_risk: Type.Boolean(),
  status: Type.String(),
  created_seq: Type.Integer({ description: 'The command that created it' }),
  ...Time('created'),
  ...Time('resolved'),
  terms: Fields,
  tokens: Type.Array(ExplorerMarketToken),
  volume_cash: Text('What takers paid or received'),
  volume_24h_cash: Text('The same since the first full hour of the last 24'),
  last_trade: OrNull(
    Type.Object({
      id: Type.String(),
      seq: Type.Integer(),
      time_ms: Type.Integer(),
      time: Type.String(),
    }),
  ),
});
export type ExplorerMarket = Static<typeof ExplorerMarket>;

export const BalanceHistory = Type.Object({
  account: Type.String(),
  step_seconds: Type.Integer(),
  history: Type.Array(
    Type.Object({
      t: Type.Integer({ description: 'Start of the step, in seconds since the epoch' }),
      ...Cash('balance'),
      value_cash: Text('The value of all tokens'),
      total_cash: Text('Balance and value'),
    }),
    {
      description:
        'Oldest first, without gaps. `balance` is cash, available and held, at the end of the ' +
        'step. Tokens are worth the last known price of their market at that time, as in ' +
        'GET /prices-history, and what they pay once it is resolved',
    },
  ),
});
export type BalanceHistory = Static<typeof BalanceHistory>;
