/**
 * Commands: everything that can change the engine, as plain records. A command carries every
 * setting it depends on, because replay reads no settings. Addresses are lower-case 0x + 40 hex
 * digits; condition ids and order ids are lower-case 0x + 64 hex digits; token ids are decimal
 * text.
 */
import type { IdempotencyKeyState } from './bounds.ts';
import type { Lots, Micros, Ticks } from './units.ts';

export const SIDES = ['BUY', 'SELL'] as const;
export type Side = (typeof SIDES)[number];
/** 0 is YES, 1 is NO. */
export type Outcome = 0 | 1;
/** Good till cancelled, good till date, fill or kill, fill and kill. */
export const ORDER_TYPES = ['GTC', 'GTD', 'FOK', 'FAK'] as const;
export type OrderType = (typeof ORDER_TYPES)[number];
/** Which order is cancelled when two orders of one owner would trade with each other. */
export const SELF_TRADE_MODES = ['cancel_maker', 'cancel_taker', 'cancel_both'] as const;
export type SelfTradeMode = (typeof SELF_TRADE_MODES)[number];
/** How an account's address belongs to its owner: as the same address, or as a derived wallet. */
export const WALLET_KINDS = ['eoa', 'proxy', 'safe', 'deposit'] as const;
export type WalletKind = (typeof WALLET_KINDS)[number];
/**
 * What an API key permits. The HTTP server enforces it; the engine numbers each purpose's nonces.
 */
export const KEY_PURPOSES = ['trading', 'readonly', 'builder'] as const;
export type KeyPurpose = (typeof KEY_PURPOSES)[number];
/** What is permitted: everything; cancels only; nothing. */
export type TradingState = 'open' | 'cancel_only' | 'halted';
/** What an owner may do: everything; all but buying; only cancel, merge, redeem and withdraw. */
export const STANDINGS = ['good', 'closed_only', 'banned'] as const;
export type Standing = (typeof STANDINGS)[number];

/**
 * What a market charges for its trades (wire 9.9): tokens x rate x (p(1-p))^exponent, where the
 * rate is in basis points. All zero for a market without fees.
 */
export interface FeeSchedule {
  /** 0 to 5,000. */
  readonly takerFeeBps: number;
  /** 0 to 5,000. */
  readonly makerFeeBps: number;
  readonly feeExponent: 0 | 1 | 2;
}

/**
 * How long an order that would trade at once is delayed (wire 9.8): the seconds if they are not
 * zero, else the milliseconds. Both zero for no delay.
 */
export interface TakerDelay {
  /** 0 to 60. */
  readonly delaySeconds: number;
  /** 0 to 60,000. */
  readonly takerDelayMs: number;
}

export interface CreateMarket extends Partial<FeeSchedule>, Partial<TakerDelay> {
  readonly kind: 'create_market';
  readonly conditionId: string;
  /** YES token, NO token. */
  readonly tokenIds: readonly [string, string];
  /** The market's own price step: 1,000, 100, 50, 25, 10 or 1 ticks. */
  readonly tickTicks: Ticks;
  /** Smallest GTC or GTD order. */
  readonly minimumLots: Lots;
  /** Smallest FOK or FAK BUY. */
  readonly minimumBudgetMicros: Micros;
  readonly negRisk: boolean;
  /** The catalog's id of the event that the market belongs to. */
  readonly eventId: string;
  readonly selfTrade: SelfTradeMode;
  /**
   * The price step that permanently replaces `tickTicks` once the midpoint is below 0.04 or above
   * 0.96 after a command (wire 4.7). It is finer than `tickTicks`, or 0 for none.
   */
  readonly finerTickTicks?: Ticks | 0;
}

/** Binds an address to its owner permanently. With paper funding it also gives play money. */
export interface OpenAccount {
  readonly kind: 'open_account';
  readonly address: string;
  readonly owner: string;
  readonly wallet: WalletKind;
  /** Play money; 0 with ledger funding. */
  readonly paperMicros: Micros;
  /**
   * Whether the operator opens it, who may use the accounts and deposits that are reserved. Absent
   * for an account that its holder opens.
   */
  readonly byOperator?: true;
}

/**
 * What the sender of a command with an idempotency key found in the journal's index of keys that
 * the engine has forgotten. Absent before it has forgotten any.
 */
export interface KeyLookup {
  /** The durable seq up to which the index was searched for the key. */
  readonly keyCheckedSeq?: number;
  /** What the index has. Such a command changes nothing, so this is never journaled. */
  readonly keyRecord?: IdempotencyKeyState;
}

export interface Deposit extends KeyLookup {
  readonly kind: 'deposit';
  readonly account: string;
  readonly amountMicros: Micros;
  /** Idempotency key, 1 to 128 printable characters. */
  readonly key: string;
}

export interface Withdraw extends Omit<Deposit, 'kind'> {
  readonly kind: 'withdraw';
}

/** Records that a key pair was issued. The secret is derived from the nonce and never stored. */
export interface IssueApiKey {
  readonly kind: 'issue_api_key';
  readonly owner: string;
  /** Decimal uint256, signed by the owner or assigned. Each purpose has nonces of its own. */
  readonly nonce: string;
  readonly apiKey: string;
  readonly purpose: KeyPurpose;
}

/** Ends an API key permanently. It stays known, so that its nonce is never issued again. */
export interface RevokeApiKey {
  readonly kind: 'revoke_api_key';
  readonly owner: string;
  readonly apiKey: string;
}

export interface PlaceOrder {
  readonly kind: 'place_order';
  readonly orderId: string;
  readonly account: string;
  /** The recovered signer, who must own the account. */
  readonly owner: string;
  readonly tokenId: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly postOnly: boolean;
  /** Limit price in the order's own outcome. */
  readonly priceTicks: Ticks;
  /** Size; 0 when `budgetMicros` is given. */
  readonly lots: Lots;
  /** Cash of a FOK or FAK BUY; 0 otherwise. */
  readonly budgetMicros: Micros;
  /** When a GTD order expires; 0 for the others. */
  readonly expiresAtMs: number;
  /** How far in the future an expiration must lie. */
  readonly minimumLeadMs: number;
  /**
   * How long before its expiration a GTD order ends, at most MOST_EARLY_END_MS; 0 for the others.
   * It is the rule at the order's arrival, so that a replay ends the order at the same time.
   */
  readonly earlyEndMs: number;
  /**
   * The durable seq up to which the journal's index was searched for this order id without a match.
   * The engine itself remembers the ids of all later orders.
   */
  readonly idCheckedSeq: number;
  /**
   * How to open the account if it does not exist: it opens when the order is accepted, so that a
   * refused order binds no address.
   */
  readonly opens?: Pick<OpenAccount, 'wallet' | 'paperMicros'>;
  /** The API key that sent the order. The engine does not use it. */
  readonly apiKey: string;
  /** The builder code that was signed, 0x + 64 lower-case hex digits; absent for zero. */
  readonly builder?: string;
  /**
   * The code of the builder whose headers came with an order that signs no code. The engine does
   * not use it: it charges nothing, because the owner did not sign it.
   */
  readonly broughtBy?: string;
}

export interface CancelOrders {
  readonly kind: 'cancel_orders';
  readonly owner: string;
  readonly orderIds: readonly string[];
}

/** One step of a cancel of all orders of an owner, those in one market, or those of one token. */
export interface CancelAll {
  readonly kind: 'cancel_all';
  readonly owner: string;
  /** Condition id, or '' for any market. */
  readonly conditionId: string;
  /** Token id, or '' for any token. */
  readonly tokenId: string;
  /**
   * It cancels at most `most` orders, the oldest first, and none that was accepted after `upToSeq`,
   * if that is given.
   */
  readonly step: CancelStep;
}

/** See `CancelAll.step`. */
export interface CancelStep {
  readonly upToSeq?: number;
  /** 1 to `cancelsPerCommand`. */
  readonly most: number;
}

/** Arms an owner's dead man's switch. If it is armed already, this replaces its heartbeat id. */
export interface ArmSwitch {
  readonly kind: 'arm_switch';
  readonly owner: string;
  /** Lower-case UUID that the owner's heartbeats carry. */
  readonly heartbeatId: string;
}

/** Cancels all orders of an owner whose heartbeats stopped, and disarms the switch. */
export interface TripSwitch extends Omit<ArmSwitch, 'kind'> {
  readonly kind: 'trip_switch';
  /**
   * Cancels at most this many orders, 1 to `cancelsPerCommand`, the oldest first. The switch stays
   * armed if so many were cancelled, and the next command continues.
   */
  readonly most: number;
}

/** An owner dismissed notifications. The engine only checks it, so that it is journaled. */
export interface DismissNotifications {
  readonly kind: 'dismiss_notifications';
  readonly owner: string;
  readonly ids: readonly number[];
}

/** Turns cash into complete sets, one lot of YES and one of NO for each 10,000 micros. */
export interface Split extends KeyLookup {
  readonly kind: 'split';
  readonly account: string;
  /** The account's owner, or '' for the operator, who may act for any account. */
  readonly owner: string;
  readonly conditionId: string;
  readonly lots: Lots;
  /** Idempotency key, 1 to 128 printable characters, unique within the owner. */
  readonly key: string;
}

/** Turns complete sets back into cash. */
export interface Merge extends Omit<Split, 'kind'> {
  readonly kind: 'merge';
}

/** Pays an account for all its tokens of a resolved market. */
export interface Redeem extends Omit<Split, 'kind' | 'lots'> {
  readonly kind: 'redeem';
}

/** Turns NO in some markets of a neg-risk event into cash and YES in each of its other markets. */
export interface Convert extends KeyLookup {
  readonly kind: 'convert';
  readonly account: string;
  /** See `Split`. */
  readonly owner: string;
  readonly eventId: string;
  /** The markets whose NO is converted: at least one, each once, in any order. */
  readonly conditionIds: readonly string[];
  /** Lots of NO in each of these markets. */
  readonly lots: Lots;
  readonly key: string;
}

/** Opens or pauses a market, or the whole exchange. */
export interface SetTradingState {
  readonly kind: 'set_trading_state';
  /** Condition id, or '' for the exchange. */
  readonly conditionId: string;
  readonly state: TradingState;
}

/** The terms of a market that the operator may change later. Snapshots store them in this order. */
export const TRADING_TERMS = [
  'tickTicks',
  'minimumLots',
  'minimumBudgetMicros',
  'selfTrade',
  'takerFeeBps',
  'makerFeeBps',
  'feeExponent',
  'delaySeconds',
  'takerDelayMs',
  'finerTickTicks',
] as const;

export type TradingTerms = Required<Pick<CreateMarket, (typeof TRADING_TERMS)[number]>>;

/** Changes at least one term of a market. */
export interface ChangeMarket extends Partial<TradingTerms> {
  readonly kind: 'change_market';
  readonly conditionId: string;
}

/** Ends a market's trading permanently. */
export interface CloseMarket {
  readonly kind: 'close_market';
  readonly conditionId: string;
}

/** Fixes what the tokens of a market are worth. It can't be changed later. */
export interface ResolveMarket {
  readonly kind: 'resolve_market';
  readonly conditionId: string;
  /** What a YES lot pays in micros, 0 to 10,000; a NO lot pays the rest. */
  readonly payoutTicks: Ticks;
  /** Whether the engine redeems all tokens by itself. */
  readonly redeemAll: boolean;
}

/**
 * Sets what a builder earns on orders that carry its code (wire 9.9): a share of the market's fees,
 * which are raised accordingly, and rates on the cash traded. Other codes earn nothing.
 */
export interface SetBuilder {
  readonly kind: 'set_builder';
  /** 0x + 64 lower-case hex, not zero. */
  readonly builder: string;
  /** The account that receives the earnings. */
  readonly account: string;
  /** 0 to 5,000: share of the fees. */
  readonly shareBps: number;
  /** 0 to 1,000: rate on the cash that a taker with this code trades. */
  readonly takerRateBps: number;
  /** 0 to 100: rate on the cash that a maker with this code trades. */
  readonly makerRateBps: number;
}

/** Declares that an event has no further markets and that exactly one resolves to YES. */
export interface OpenEvent {
  readonly kind: 'open_event';
  readonly eventId: string;
  /** The market for "none of the others", or ''. */
  readonly noneConditionId: string;
}

/** Fixes which market of an opened event resolves to YES. It can't be changed later. */
export interface ResolveEvent {
  readonly kind: 'resolve_event';
  readonly eventId: string;
  /** The market that resolves to YES. */
  readonly conditionId: string;
  /** See `ResolveMarket`. */
  readonly redeemAll: boolean;
}

/** Restricts an owner, or lifts the restriction. It may precede the owner's first account. */
export interface SetStanding {
  readonly kind: 'set_standing';
  readonly owner: string;
  readonly standing: Standing;
}

/** Processes what is due, like every command, and pays the next automatic redemptions. */
export interface AdvanceTime {
  readonly kind: 'advance_time';
}

export type Command =
  | CreateMarket
  | OpenAccount
  | Deposit
  | Withdraw
  | IssueApiKey
  | RevokeApiKey
  | PlaceOrder
  | CancelOrders
  | CancelAll
  | ArmSwitch
  | TripSwitch
  | DismissNotifications
  | Split
  | Merge
  | Redeem
  | Convert
  | SetTradingState
  | ChangeMarket
  | CloseMarket
  | ResolveMarket
  | OpenEvent
  | ResolveEvent
  | SetStanding
  | SetBuilder
  | AdvanceTime;

/** Every kind of command; the compiler says if one is missing or unknown. */
const KINDS: Readonly<Record<Command['kind'], true>> = {
  create_market: true,
  open_account: true,
  deposit: true,
  withdraw: true,
  issue_api_key: true,
  revoke_api_key: true,
  place_order: true,
  cancel_orders: true,
  cancel_all: true,
  arm_switch: true,
  trip_switch: true,
  dismiss_notifications: true,
  split: true,
  merge: true,
  redeem: true,
  convert: true,
  set_trading_state: true,
  change_market: true,
  close_market: true,
  resolve_market: true,
  open_event: true,
  resolve_event: true,
  set_standing: true,
  set_builder: true,
  advance_time: true,
};
// Safe: the keys of the record above.
export const COMMAND_KINDS = Object.keys(KINDS) as readonly Command['kind'][];
