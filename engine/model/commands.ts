/**
 * Commands: everything that can change the engine, as plain records (design 1 and 6). A command
 * carries every setting it depends on, because replay reads no settings. Addresses are lower-case
 * 0x + 40 hex; condition ids and order ids are lower-case 0x + 64 hex; token ids are decimal text.
 */
import type { Lots, Micros, Ticks } from './units.ts';

export type Side = 'BUY' | 'SELL';
/** 0 is YES, 1 is NO. */
export type Outcome = 0 | 1;
export type OrderType = 'GTC' | 'GTD' | 'FOK' | 'FAK';
export type SelfTradeMode = 'cancel_maker' | 'cancel_taker' | 'cancel_both';
/** How an account's address belongs to its owner (design 3). */
export type Wallet = 'eoa' | 'proxy' | 'safe' | 'deposit';
/** What an API key is good for. Only the shell minds it; the engine keeps the purposes apart. */
export type KeyPurpose = 'trading' | 'readonly' | 'builder';
/** What may be done: everything; cancels, but no orders; nothing. */
export type TradingState = 'open' | 'cancel_only' | 'halted';
/** What an owner may do: everything; nothing that buys; nothing but cancel and cash in. */
export type Standing = 'good' | 'closed_only' | 'banned';

/**
 * What a market charges on its trades (wire 9.9): tokens x rate x (p(1-p))^exponent, the rate
 * being these basis points over 10,000. All zero: nothing.
 */
export interface FeeSchedule {
  /** 0 to 5,000. */
  readonly takerFeeBps: number;
  /** 0 to 5,000. */
  readonly makerFeeBps: number;
  readonly feeExponent: 0 | 1 | 2;
}

/**
 * How long an order that would trade at once waits first (wire 9.8): the seconds if there are any,
 * else the milliseconds. Both zero: not at all.
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
   * The price step that takes over for good once the midpoint is below 0.04 or above 0.96 after a
   * command (wire 4.7): finer than `tickTicks`, or 0 for never.
   */
  readonly finerTickTicks?: Ticks | 0;
}

/** Binds an address to its owner, for good; with paper funding, gives it play money. */
export interface OpenAccount {
  readonly kind: 'open_account';
  readonly address: string;
  readonly owner: string;
  readonly wallet: Wallet;
  /** Play money that comes with the account; 0 in ledger funding. */
  readonly paperMicros: Micros;
}

export interface Deposit {
  readonly kind: 'deposit';
  readonly account: string;
  readonly amountMicros: Micros;
  /** Idempotency key, 1 to 128 printable characters. */
  readonly key: string;
}

export interface Withdraw {
  readonly kind: 'withdraw';
  readonly account: string;
  readonly amountMicros: Micros;
  readonly key: string;
}

/** Records that a key pair was issued; the secret is derived, never stored (design 7). */
export interface IssueApiKey {
  readonly kind: 'issue_api_key';
  readonly owner: string;
  /** Decimal uint256 that the owner signed, or was given: one number runs for each purpose. */
  readonly nonce: string;
  readonly apiKey: string;
  /** Left out for trading, as in every command from before there were others. */
  readonly purpose?: KeyPurpose;
}

/** Ends an API key for good: it stays known, so that its nonce is never issued again. */
export interface RevokeApiKey {
  readonly kind: 'revoke_api_key';
  readonly owner: string;
  readonly apiKey: string;
}

export interface PlaceOrder {
  readonly kind: 'place_order';
  readonly orderId: string;
  readonly account: string;
  /** Who must own the account: the signer that was recovered. */
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
  /** The durable seq at which the journal's index did not know this order id (design 4). */
  readonly idCheckedSeq: number;
  /**
   * How to open the account if it is not known yet: it opens with the order, and only if the order
   * is accepted, so that a refused order binds nobody's address (design 3).
   */
  readonly opens?: Pick<OpenAccount, 'wallet' | 'paperMicros'>;
  /** The API key the order came with: its `owner` on the wire. The engine only carries it. */
  readonly apiKey: string;
  /** The builder code that was signed, 0x + 64 lower-case hex; left out for zero. Only carried. */
  readonly builder?: string;
}

export interface CancelOrders {
  readonly kind: 'cancel_orders';
  readonly owner: string;
  readonly orderIds: readonly string[];
}

/** Cancels all orders of an owner, or those in one market, or those of one token. */
export interface CancelAll {
  readonly kind: 'cancel_all';
  readonly owner: string;
  /** Condition id, or '' for any market. */
  readonly conditionId: string;
  /** Token id, or '' for any token. */
  readonly tokenId: string;
}

/** Arms an owner's dead man's switch. An owner has one: arming replaces what was armed. */
export interface ArmSwitch {
  readonly kind: 'arm_switch';
  readonly owner: string;
  /** Lower-case UUID that the owner's beats carry. */
  readonly heartbeatId: string;
}

/** The beats stopped: cancels all orders of the owner and disarms the switch. */
export interface TripSwitch {
  readonly kind: 'trip_switch';
  readonly owner: string;
  readonly heartbeatId: string;
}

/** An owner has seen notifications. The engine only carries it, to those who show them. */
export interface DismissNotifications {
  readonly kind: 'dismiss_notifications';
  readonly owner: string;
  readonly ids: readonly number[];
}

/** Turns cash into complete sets, one lot of YES and one of NO for each 10,000 micros. */
export interface Split {
  readonly kind: 'split';
  readonly account: string;
  /** Who acts for the account: its owner, or '' for the operator, who may act for any. */
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

/** Turns all tokens that an account has of a resolved market into what they are worth. */
export interface Redeem {
  readonly kind: 'redeem';
  readonly account: string;
  /** As in `Split`. */
  readonly owner: string;
  readonly conditionId: string;
  readonly key: string;
}

/** Turns NO in some markets of a neg-risk event into cash, and YES in each of the others. */
export interface Convert {
  readonly kind: 'convert';
  readonly account: string;
  /** As in `Split`. */
  readonly owner: string;
  readonly eventId: string;
  /** Where NO is given away: at least one, each once, in any order. */
  readonly conditionIds: readonly string[];
  /** Of NO in each of them. */
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

/**
 * What the operator may change of a market's terms. A market that is created without some of them
 * has zeros there.
 */
export type TradingTerms = Required<
  Pick<
    CreateMarket,
    | 'tickTicks'
    | 'minimumLots'
    | 'minimumBudgetMicros'
    | 'selfTrade'
    | 'finerTickTicks'
    | keyof FeeSchedule
    | keyof TakerDelay
  >
>;

/** At least one of the terms. */
export interface ChangeMarket extends Partial<TradingTerms> {
  readonly kind: 'change_market';
  readonly conditionId: string;
}

/** Ends a market's trading for good. */
export interface CloseMarket {
  readonly kind: 'close_market';
  readonly conditionId: string;
}

/** Says, for good, what the tokens of a market are worth. */
export interface ResolveMarket {
  readonly kind: 'resolve_market';
  readonly conditionId: string;
  /** What a YES lot pays in micros, 0 to 10,000; a NO lot pays the rest. */
  readonly payoutTicks: Ticks;
  /** Whether everybody is paid without asking for it. */
  readonly redeemAll: boolean;
}

/**
 * What a builder earns on orders that carry its code (wire 9.9): its share of the market's fees,
 * which are raised by as much, and rates on the cash traded. A code that nobody set earns nothing.
 */
export interface SetBuilder {
  readonly kind: 'set_builder';
  /** 0x + 64 lower-case hex, not zero. */
  readonly builder: string;
  /** The account that is paid. */
  readonly account: string;
  /** 0 to 5,000: share of the fees, in basis points. */
  readonly shareBps: number;
  /** 0 to 1,000: of the cash that a taker with this code trades. */
  readonly takerRateBps: number;
  /** 0 to 100: of the cash that a maker with this code trades. */
  readonly makerRateBps: number;
}

/** Declares that exactly one of the markets of an event resolves to YES, and that no more come. */
export interface OpenEvent {
  readonly kind: 'open_event';
  readonly eventId: string;
  /** The market that wins when none of the named ones does, or ''. */
  readonly noneConditionId: string;
}

/** Says, for good, which market of an opened event resolves to YES. */
export interface ResolveEvent {
  readonly kind: 'resolve_event';
  readonly eventId: string;
  readonly conditionId: string;
  /** As in `ResolveMarket`. */
  readonly redeemAll: boolean;
}

/** Restricts an owner, or lets it go. It may come before the owner's first account. */
export interface SetStanding {
  readonly kind: 'set_standing';
  readonly owner: string;
  readonly standing: Standing;
}

/** Makes what is due happen on a quiet exchange, and pays the next of those who wait for it. */
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
