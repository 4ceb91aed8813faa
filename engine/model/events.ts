/**
 * Events: what a command did, in the order it happened. Changes are what replay must bring about
 * again; answers (`rejected`, `order_duplicate`, `known`) changed nothing and are not journaled.
 * Addresses, ids and units are as in commands.ts.
 */
import type {
  Command,
  FeeSchedule,
  KeyPurpose,
  OrderType,
  Outcome,
  SetBuilder,
  Side,
  Standing,
  TradingState,
  TradingTerms,
  Wallet,
} from './commands.ts';
import type { RejectCode, RejectDetails } from './rejects.ts';
import type { Lots, Micros, Ticks } from './units.ts';

export interface MarketCreated {
  readonly kind: 'market_created';
  readonly conditionId: string;
}

export interface AccountOpened {
  readonly kind: 'account_opened';
  readonly address: string;
  readonly owner: string;
  readonly wallet: Wallet;
  readonly paperMicros: Micros;
}

/** A deposit (positive) or a withdrawal (negative). */
export interface CashMoved {
  readonly kind: 'cash_moved';
  readonly account: string;
  readonly amountMicros: Micros;
  readonly key: string;
}

/** Cash became complete sets (lots positive, cash negative), or sets cash. */
export interface SetsMoved {
  readonly kind: 'sets_moved';
  readonly account: string;
  readonly conditionId: string;
  readonly splitLots: Lots;
  readonly amountMicros: Micros;
  readonly key: string;
}

/** All tokens of an account of a resolved market became cash, also those that pay nothing. */
export interface Redeemed {
  readonly kind: 'redeemed';
  readonly account: string;
  readonly conditionId: string;
  readonly yesLots: Lots;
  readonly noLots: Lots;
  readonly amountMicros: Micros;
  /** '' where nobody asked for it. */
  readonly key: string;
}

/** NO in these markets of a neg-risk event became cash, and YES in each of the others. */
export interface Converted {
  readonly kind: 'converted';
  readonly account: string;
  readonly eventId: string;
  readonly conditionIds: readonly string[];
  readonly lots: Lots;
  readonly amountMicros: Micros;
  readonly key: string;
}

export interface ApiKeyIssued {
  readonly kind: 'api_key_issued';
  readonly owner: string;
  readonly nonce: string;
  readonly apiKey: string;
  readonly purpose: KeyPurpose;
}

export interface ApiKeyRevoked extends Omit<ApiKeyIssued, 'kind'> {
  readonly kind: 'api_key_revoked';
}

/** The order passed every check. It rests unless an `order_closed` follows in the same command. */
export interface OrderAccepted {
  readonly kind: 'order_accepted';
  readonly orderId: string;
  readonly account: string;
  readonly conditionId: string;
}

/** transfer: BUY x SELL of one outcome; mint: two BUYs; merge: two SELLs (design 4). */
export type Match = 'transfer' | 'mint' | 'merge';

/** What a fill cost each side besides its price. Micros; zero for whom it cost nothing. */
export interface FillFees {
  readonly takerMicros: Micros;
  readonly makerMicros: Micros;
  /** Of these, what went to the builders of the two orders and not to the fee account. */
  readonly takerBuilderMicros: Micros;
  readonly makerBuilderMicros: Micros;
  /** The rates that were in force when each order was accepted. */
  readonly takerFeeBps: number;
  readonly makerFeeBps: number;
}

/** One resting order filled at its own price; in a mint or merge the two prices add up to one. */
export interface Fill {
  readonly kind: 'fill';
  readonly conditionId: string;
  readonly match: Match;
  readonly takerOrderId: string;
  readonly makerOrderId: string;
  readonly takerAccount: string;
  readonly makerAccount: string;
  readonly takerOutcome: Outcome;
  readonly takerSide: Side;
  readonly makerOutcome: Outcome;
  readonly makerSide: Side;
  readonly takerPriceTicks: Ticks;
  readonly makerPriceTicks: Ticks;
  readonly lots: Lots;
  /** Which trade record of the taker order the fill belongs to: one a price level (wire 9.4). */
  readonly bucket: number;
  /** Left out where neither order has a schedule that charges anything. */
  readonly fees?: FillFees | undefined;
}

/** It would trade at once, and waits for its market's delay first; it follows its acceptance. */
export interface OrderDelayed {
  readonly kind: 'order_delayed';
  readonly orderId: string;
  readonly account: string;
  readonly conditionId: string;
  readonly releaseMs: number;
}

/** Its delay is over: its fills, and an `order_closed` unless it rests, follow. */
export interface OrderReleased {
  readonly kind: 'order_released';
  readonly orderId: string;
  readonly account: string;
  readonly conditionId: string;
}

/** Why an order left the book, or never rested. */
export type CloseReason =
  /** Nothing is left of it. */
  | 'matched'
  /** Its owner cancelled it. */
  | 'canceled'
  | 'expired'
  /** Self-trade prevention took it. */
  | 'self_trade'
  /** Its owner's dead man's switch took it. */
  | 'switch_tripped'
  /** Its owner was banned. */
  | 'owner_banned'
  /** Its owner may buy no more, and it was a BUY. */
  | 'closed_only'
  /** Its market was closed. */
  | 'market_closed'
  /** Its market was resolved. */
  | 'market_resolved'
  /** It was delayed, and its market or the exchange stopped taking orders. */
  | 'trading_paused'
  /** It was delayed, and at its release there was not what it had to match. */
  | 'unmatched'
  /** What a FAK could not fill, or a budget could not buy, was released. */
  | 'remainder_released';

export interface OrderClosed {
  readonly kind: 'order_closed';
  readonly orderId: string;
  readonly account: string;
  readonly owner: string;
  readonly conditionId: string;
  readonly reason: CloseReason;
  /** What it filled in its whole life. */
  readonly filledLots: Lots;
  readonly filledMicros: Micros;
  /** What it paid in fees in its whole life, builders' parts included; left out for nothing. */
  readonly feeMicros?: Micros;
}

/** The new total of one price level of the market's one book, in YES ticks; 0 when it is gone. */
export interface LevelChanged {
  readonly kind: 'level_changed';
  readonly conditionId: string;
  readonly side: 'bid' | 'ask';
  readonly priceTicks: Ticks;
  readonly lots: Lots;
}

/** From now on the owner's beats have to carry this id. */
export interface SwitchArmed {
  readonly kind: 'switch_armed';
  readonly owner: string;
  readonly heartbeatId: string;
}

/** The owner's orders are cancelled, by the events before it; nothing is armed any more. */
export interface SwitchTripped {
  readonly kind: 'switch_tripped';
  readonly owner: string;
  readonly heartbeatId: string;
}

export interface NotificationsDismissed {
  readonly kind: 'notifications_dismissed';
  readonly owner: string;
  readonly ids: readonly number[];
}

export interface TradingStateChanged {
  readonly kind: 'trading_state_changed';
  /** '' for the exchange. */
  readonly conditionId: string;
  readonly state: TradingState;
}

/** The terms in force from now on: those that were changed, and those that were not. */
export interface MarketChanged extends TradingTerms {
  readonly kind: 'market_changed';
  readonly conditionId: string;
}

/** What is earned with a builder code from now on, by orders accepted from now on. */
export interface BuilderChanged extends Omit<SetBuilder, 'kind'> {
  readonly kind: 'builder_changed';
}

/** Its orders are cancelled, by the events before it. */
export interface MarketClosed {
  readonly kind: 'market_closed';
  readonly conditionId: string;
}

/** Its orders are cancelled, by the events before it. */
export interface MarketResolved {
  readonly kind: 'market_resolved';
  readonly conditionId: string;
  /** What a YES lot pays in micros; a NO lot pays the rest of 10,000. */
  readonly payoutTicks: Ticks;
}

/** From now on the event has these markets, in the order of their creation. */
export interface EventOpened {
  readonly kind: 'event_opened';
  readonly eventId: string;
  readonly conditionIds: readonly string[];
  readonly noneConditionId: string;
}

/** All its markets are resolved, by the events before it. */
export interface EventResolved {
  readonly kind: 'event_resolved';
  readonly eventId: string;
  /** The market that resolved to YES. */
  readonly conditionId: string;
}

/** The orders that the owner may no longer have are cancelled, by the events before it. */
export interface StandingChanged {
  readonly kind: 'standing_changed';
  readonly owner: string;
  readonly standing: Standing;
}

export interface Rejected extends RejectDetails {
  readonly kind: 'rejected';
  readonly code: RejectCode;
}

/** The same order again: nothing happens, its result stands (design 4). */
export interface OrderDuplicate {
  readonly kind: 'order_duplicate';
  readonly orderId: string;
  readonly acceptedSeq: number;
}

/** What the command asks for is so already: the same again, an account its owner has, no switch. */
export interface Known {
  readonly kind: 'known';
  readonly command: Command['kind'];
  /** Of a movement of tokens: what was done with its key then, cash as the account gained it. */
  readonly amountMicros?: Micros;
  readonly yesLots?: Lots;
  readonly noLots?: Lots;
}

/** What an order would come to if it were placed now. */
export interface OrderPreview {
  /** Why it would be refused, or that its id is known; undefined for one that would be accepted. */
  readonly event: Rejected | OrderDuplicate | undefined;
  /** What it would match at once. */
  readonly filledLots: Lots;
  readonly filledMicros: Micros;
  /** What would rest. */
  readonly restingLots: Lots;
  /** What it would pay in fees for what it would match at once. */
  readonly feeMicros: Micros;
  /** How long it would wait first; then the rest is what it would come to if it did not. */
  readonly delayMs: number;
}

export type Change =
  | MarketCreated
  | AccountOpened
  | CashMoved
  | SetsMoved
  | Redeemed
  | Converted
  | ApiKeyIssued
  | ApiKeyRevoked
  | OrderAccepted
  | OrderDelayed
  | OrderReleased
  | Fill
  | OrderClosed
  | LevelChanged
  | SwitchArmed
  | SwitchTripped
  | NotificationsDismissed
  | TradingStateChanged
  | MarketChanged
  | MarketClosed
  | BuilderChanged
  | MarketResolved
  | EventOpened
  | EventResolved
  | StandingChanged;
export type Answer = Rejected | OrderDuplicate | Known;
export type EngineEvent = Change | Answer;

/** Whether an event changed the state, so that its command has to be journaled. */
export function isChange(event: EngineEvent): event is Change {
  return event.kind !== 'rejected' && event.kind !== 'order_duplicate' && event.kind !== 'known';
}

/** What an order is charged by, as it was at its acceptance, and what it came to so far. */
export interface OrderFeeState extends FeeSchedule, Omit<SetBuilder, 'kind' | 'builder'> {
  /**
   * What its fills add up to before anything is rounded, as decimal text: by the market's rates in
   * micros x 10,000^(2 x exponent), by the builder's in micros x 10,000.
   */
  readonly baseSum: string;
  readonly flatSum: string;
  readonly feeMicros: Micros;
  /** Of these, what went to the builder. */
  readonly builderMicros: Micros;
}

/** An order as it rests, for state hashes and tests. */
export interface RestingOrder {
  readonly orderId: string;
  readonly account: string;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly type: OrderType;
  readonly postOnly: boolean;
  readonly priceTicks: Ticks;
  readonly lots: Lots;
  readonly remainingLots: Lots;
  readonly filledMicros: Micros;
  readonly acceptedSeq: number;
  readonly acceptedMs: number;
  readonly expiresAtMs: number;
  /** Left out for one that is charged nothing; `account` is the builder's, or ''. */
  readonly fees?: OrderFeeState;
}
