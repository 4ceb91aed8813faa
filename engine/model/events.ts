/**
 * Events: what a command did, in order. A `Change` altered the state, so replay must produce it
 * again; an `Answer` (`rejected`, `order_duplicate`, `known`) altered nothing, and a command whose
 * only event is an answer is not journaled. Addresses, ids and units are as in commands.ts.
 */

import type { IdempotencyKeyState, Moved } from './bounds.ts';
import type {
  ArmSwitch,
  Command,
  DismissNotifications,
  FeeSchedule,
  IssueApiKey,
  OpenAccount,
  OpenEvent,
  Outcome,
  PlaceOrder,
  ResolveEvent,
  ResolveMarket,
  SetBuilder,
  SetStanding,
  SetTradingState,
  Side,
  TradingTerms,
} from './commands.ts';
import type { RejectCode, RejectDetails } from './rejects.ts';
import type { Lots, Micros, Ticks } from './units.ts';

export interface MarketCreated {
  readonly kind: 'market_created';
  readonly conditionId: string;
}

export interface AccountOpened extends Omit<OpenAccount, 'kind' | 'byOperator'> {
  readonly kind: 'account_opened';
}

/** A deposit (positive) or a withdrawal (negative). */
export interface CashMoved {
  readonly kind: 'cash_moved';
  readonly account: string;
  readonly amountMicros: Micros;
  readonly key: string;
}

/** An idempotency key left for the journal's index. The engine forgets it later. */
export interface MoneyKeyIndexed {
  readonly kind: 'money_key_indexed';
  readonly record: IdempotencyKeyState;
}

/** A split (lots positive, cash negative) or a merge (lots negative, cash positive). */
export interface SetsMoved {
  readonly kind: 'sets_moved';
  readonly account: string;
  readonly conditionId: string;
  readonly splitLots: Lots;
  readonly amountMicros: Micros;
  readonly key: string;
}

/** All tokens that an account had of a resolved market became cash, including worthless ones. */
export interface Redeemed extends Moved {
  readonly kind: 'redeemed';
  readonly account: string;
  readonly conditionId: string;
  /** '' for automatic redemption. */
  readonly key: string;
}

/** NO in these markets of a neg-risk event became cash and YES in each of its other markets. */
export interface Converted {
  readonly kind: 'converted';
  readonly account: string;
  readonly eventId: string;
  readonly conditionIds: readonly string[];
  readonly lots: Lots;
  readonly amountMicros: Micros;
  readonly key: string;
}

export interface ApiKeyIssued extends Required<Omit<IssueApiKey, 'kind'>> {
  readonly kind: 'api_key_issued';
}

export interface ApiKeyRevoked extends Omit<ApiKeyIssued, 'kind'> {
  readonly kind: 'api_key_revoked';
}

/**
 * The order passed every check. It rests unless an `order_closed` follows in the same command, or
 * an `order_continued` in the next one.
 */
export interface OrderAccepted {
  readonly kind: 'order_accepted';
  readonly orderId: string;
  readonly account: string;
  readonly conditionId: string;
}

/** transfer: BUY x SELL of one outcome; mint: BUY YES x BUY NO; merge: SELL YES x SELL NO. */
export type Match = 'transfer' | 'mint' | 'merge';

/** What a fill cost each side besides its price. */
export interface FillFees {
  readonly takerMicros: Micros;
  readonly makerMicros: Micros;
  /** The part of these that went to the builders of the two orders, not to the fee account. */
  readonly takerBuilderMicros: Micros;
  readonly makerBuilderMicros: Micros;
  /** The rates at which each order was accepted. */
  readonly takerFeeBps: number;
  readonly makerFeeBps: number;
}

/** One resting order filled at its price. In a mint or merge the two prices add up to one. */
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
  /** The taker's trade record; a new price or a new command begins the next (wire 9.4). */
  readonly bucket: number;
  /** Absent where neither order is charged fees. */
  readonly fees?: FillFees | undefined;
}

/** An order that would trade at once is delayed. This event follows its `order_accepted`. */
export interface OrderDelayed extends Omit<OrderAccepted, 'kind'> {
  readonly kind: 'order_delayed';
  readonly releaseMs: number;
}

/**
 * The delay is over. The order's fills follow, and an `order_closed` or an `order_continued` unless
 * it rests.
 */
export interface OrderReleased extends Omit<OrderAccepted, 'kind'> {
  readonly kind: 'order_released';
}

/**
 * The next part of an order that met more resting orders than one command does. The order is live,
 * and nothing happened since the part before. Its fills follow, and an `order_closed` or the next
 * part unless it rests.
 */
export interface OrderContinued extends Omit<OrderAccepted, 'kind'> {
  readonly kind: 'order_continued';
}

/** Why an order left the book, or never rested. */
export const CLOSE_REASONS = [
  /** It filled completely. */
  'matched',
  /** Its owner cancelled it. */
  'canceled',
  /** It was a FAK or had a budget, and the rest could not be filled. */
  'remainder_released',
  'expired',
  /** Self-trade prevention cancelled it. */
  'self_trade',
  /** Its owner's dead man's switch tripped. */
  'switch_tripped',
  /** Its owner was banned. */
  'owner_banned',
  /** Its owner was set to closed-only, and it was a BUY. */
  'closed_only',
  /** Its market was closed. */
  'market_closed',
  /** Its market was resolved. */
  'market_resolved',
  /** It was delayed, and trading in its market or on the exchange was paused. */
  'trading_paused',
  /** It was delayed, and at its release it could not trade as its type demands. */
  'unmatched',
] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];

export interface OrderClosed extends Omit<OrderAccepted, 'kind'> {
  readonly kind: 'order_closed';
  readonly owner: string;
  readonly reason: CloseReason;
  /** Totals over the whole life of the order. */
  readonly filledLots: Lots;
  readonly filledMicros: Micros;
  /** Fees including the builder's part; absent for none. */
  readonly feeMicros?: Micros;
}

/**
 * The new total of one price level of a market's book, in YES ticks; 0 for a level that is gone.
 */
export interface LevelChanged {
  readonly kind: 'level_changed';
  readonly conditionId: string;
  readonly side: 'bid' | 'ask';
  readonly priceTicks: Ticks;
  readonly lots: Lots;
}

/** From now on the owner's heartbeats have to carry this id. */
export interface SwitchArmed extends Omit<ArmSwitch, 'kind'> {
  readonly kind: 'switch_armed';
}

/** The preceding events cancelled the owner's orders. The switch is disarmed. */
export interface SwitchTripped extends Omit<ArmSwitch, 'kind'> {
  readonly kind: 'switch_tripped';
}

export interface NotificationsDismissed extends Omit<DismissNotifications, 'kind'> {
  readonly kind: 'notifications_dismissed';
}

export interface TradingStateChanged extends Omit<SetTradingState, 'kind'> {
  readonly kind: 'trading_state_changed';
}

/** All terms in force from now on, changed or not. */
export interface MarketChanged extends TradingTerms {
  readonly kind: 'market_changed';
  readonly conditionId: string;
}

/** The terms of a builder code for orders accepted from now on. */
export interface BuilderChanged extends Omit<SetBuilder, 'kind'> {
  readonly kind: 'builder_changed';
}

/** The preceding events cancelled the market's orders. */
export interface MarketClosed {
  readonly kind: 'market_closed';
  readonly conditionId: string;
}

/** The preceding events cancelled the market's orders. */
export interface MarketResolved extends Omit<ResolveMarket, 'kind' | 'redeemAll'> {
  readonly kind: 'market_resolved';
}

/** The event has these markets permanently, in order of creation. */
export interface EventOpened extends Omit<OpenEvent, 'kind'> {
  readonly kind: 'event_opened';
  readonly conditionIds: readonly string[];
}

/** The preceding events resolved all markets of the event. */
export interface EventResolved extends Omit<ResolveEvent, 'kind' | 'redeemAll'> {
  readonly kind: 'event_resolved';
}

/** The preceding events cancelled the orders that the owner may no longer have. */
export interface StandingChanged extends Omit<SetStanding, 'kind'> {
  readonly kind: 'standing_changed';
}

export interface Rejected extends RejectDetails {
  readonly kind: 'rejected';
  readonly code: RejectCode;
}

/** The order was accepted before. Its result stands, and nothing happens. */
export interface OrderDuplicate {
  readonly kind: 'order_duplicate';
  readonly orderId: string;
  readonly acceptedSeq: number;
}

/**
 * The command asks for what is already the case, for example because it was sent twice. For a
 * movement of tokens, the event says what the first execution moved.
 */
export interface Known extends Partial<Moved> {
  readonly kind: 'known';
  readonly command: Command['kind'];
}

/** Why an order is not accepted. */
export type OrderAnswer = Rejected | OrderDuplicate;

/** What would happen to an order if it were placed now. */
export interface OrderPreview {
  /** The refusal, or that the id is known; undefined for an order that would be accepted. */
  readonly event: OrderAnswer | undefined;
  /** What it would fill at once. */
  readonly filledLots: Lots;
  readonly filledMicros: Micros;
  readonly restingLots: Lots;
  /** Fees for what it would fill at once. */
  readonly feeMicros: Micros;
  /** How long it would be delayed. The other fields then describe it without the delay. */
  readonly delayMs: number;
}

export type Change =
  | MarketCreated
  | AccountOpened
  | CashMoved
  | SetsMoved
  | Redeemed
  | Converted
  | MoneyKeyIndexed
  | ApiKeyIssued
  | ApiKeyRevoked
  | OrderAccepted
  | OrderDelayed
  | OrderReleased
  | OrderContinued
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

/** Whether an event changed the state. A command with such an event has to be journaled. */
export function isChange(event: EngineEvent): event is Change {
  return event.kind !== 'rejected' && event.kind !== 'order_duplicate' && event.kind !== 'known';
}

/** The fee rates of an order, frozen at its acceptance, and what it has been charged so far. */
export interface OrderFeeState extends FeeSchedule, Omit<SetBuilder, 'kind' | 'builder'> {
  /** Market fees of all fills before rounding: decimal, in micros x 10,000^(2 x exponent). */
  readonly baseSum: string;
  /** Fees of all fills by the builder's rates before rounding: decimal, in micros x 10,000. */
  readonly flatSum: string;
  readonly feeMicros: Micros;
  /** The part of `feeMicros` that went to the builder. */
  readonly builderMicros: Micros;
}

/** What a live order keeps of the command that placed it. */
type OrderField =
  | ('orderId' | 'account' | 'side' | 'type' | 'postOnly')
  | ('priceTicks' | 'lots' | 'expiresAtMs' | 'earlyEndMs');

/** A live order. Its field names are part of the state hash. */
export interface RestingOrder extends Pick<PlaceOrder, OrderField> {
  readonly outcome: Outcome;
  readonly remainingLots: Lots;
  readonly filledMicros: Micros;
  readonly acceptedSeq: number;
  readonly acceptedMs: number;
  /** Absent for an order that is charged no fees. `account` is the builder's, or ''. */
  readonly fees?: OrderFeeState;
}
