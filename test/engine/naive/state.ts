/**
 * The state of the naive twin: plain lists and Maps, and the questions asked of them. It owns
 * nothing that can be computed: held amounts, level totals and the sorted book are worked out from
 * the live orders each time. Invariant: an account's cash and tokens are totals, available plus
 * held. Bound: none, it is meant for a few hundred live orders.
 */
import type {
  ApiKeyState,
  ArmedSwitch,
  Bounds,
  BuilderState,
  CloseReason,
  CreateMarket,
  EngineEvent,
  FeeSchedule,
  IdempotencyKeyState,
  MarketState,
  OpenAccount,
  OrderType,
  Outcome,
  RecentOrder,
  SelfTradeMode,
  Side,
  StandingState,
  TradingState,
} from '../../../engine/index.ts';

export interface NaiveMarket {
  readonly created: CreateMarket;
  /** In force. */
  terms: Required<CreateMarket>;
  status: MarketState['status'];
  setsLots: number;
  /** Of a YES lot, once it is resolved. */
  payoutTicks: number | undefined;
}

/** A neg-risk event that was opened. */
export interface NaiveEvent {
  readonly eventId: string;
  readonly noneConditionId: string;
  readonly markets: readonly NaiveMarket[];
  bundlesLots: number;
  winner: NaiveMarket | undefined;
}

export interface NaiveAccount {
  readonly terms: OpenAccount;
  /** Available and held together. */
  cashMicros: number;
  /** Total lots, available and held together, by token id. */
  readonly tokens: Map<string, number>;
}

/** On the book, waiting for the end of its delay, or being matched as a taker. */
type Phase = 'resting' | 'waiting' | 'matching';

export interface NaiveOrder {
  phase: Phase;
  /** When it came to rest, counted over the whole exchange. */
  restedAs: number;
  /** When a waiting order goes on. */
  releaseMs: number;
  /** While it waited, its owner's dead man's switch tripped. */
  isTripped: boolean;
  /** Of its market, when it was accepted. */
  selfTrade: SelfTradeMode;
  readonly orderId: string;
  readonly account: string;
  readonly owner: string;
  readonly conditionId: string;
  readonly tokenId: string;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly type: OrderType;
  readonly postOnly: boolean;
  readonly priceTicks: number;
  readonly lots: number;
  readonly budgetMicros: number;
  readonly acceptedSeq: number;
  readonly acceptedMs: number;
  readonly expiresAtMs: number;
  /** What it is charged by, as it was when it was accepted; undefined for nothing. */
  readonly rates: NaiveRates | undefined;
  /** What its account had available when it came. */
  spendableMicros: number;
  readonly fills: NaiveFill[];
  filledLots: number;
  filledMicros: number;
}

export interface NaiveRates extends FeeSchedule, Omit<BuilderState, 'builder'> {}

/** What one order did in one fill. */
export interface NaiveFill {
  readonly isTaker: boolean;
  readonly lots: number;
  readonly priceTicks: number;
  readonly feeMicros: number;
  /** Of the fee, what went to the builder. */
  readonly builderMicros: number;
}

export interface NaiveState {
  readonly bounds: Bounds;
  tradingState: TradingState;
  readonly markets: NaiveMarket[];
  /** Those that were opened, in order. */
  readonly events: NaiveEvent[];
  /** Markets where everybody is being redeemed, as they were resolved. */
  redeeming: NaiveMarket[];
  readonly accounts: NaiveAccount[];
  /** By order id, in order of acceptance: those that rest, and those that wait. */
  readonly live: Map<string, NaiveOrder>;
  /** Oldest closed first. */
  readonly recent: RecentOrder[];
  /** Replaced one by one when they are revoked. */
  apiKeys: ApiKeyState[];
  /** In order of arming. */
  switches: ArmedSwitch[];
  /** Those that are not good, in order of their last change. */
  standings: StandingState[];
  /** In order of being set first. */
  readonly builders: BuilderState[];
  /** In order of creation. */
  readonly idempotencyKeys: IdempotencyKeyState[];
  forgottenSeq: number;
  /** How often an order came to rest. */
  restedCount: number;
  depositedMicros: number;
  withdrawnMicros: number;
}

type BookSide = 'bid' | 'ask';

export function bookSide(outcome: Outcome, side: Side): BookSide {
  return (side === 'BUY') === (outcome === 0) ? 'bid' : 'ask';
}

export function opposite(side: BookSide): BookSide {
  return side === 'bid' ? 'ask' : 'bid';
}

/** A price in one outcome, said in another: both are the same place in the one book. */
export function priceIn(outcome: Outcome, priceTicks: number, ofOutcome: Outcome): number {
  return outcome === ofOutcome ? priceTicks : 10_000 - priceTicks;
}

export function yesTicks(order: NaiveOrder): number {
  return priceIn(0, order.priceTicks, order.outcome);
}

export function remainingLots(order: NaiveOrder): number {
  return order.lots - order.filledLots;
}

/** What a creation leaves out. */
const DEFAULT_TERMS = {
  takerFeeBps: 0,
  makerFeeBps: 0,
  feeExponent: 0,
  delaySeconds: 0,
  takerDelayMs: 0,
  finerTickTicks: 0,
} as const;

export function newMarket(created: CreateMarket): NaiveMarket {
  const terms = { ...DEFAULT_TERMS, ...created };
  return { created, terms, status: 'open', setsLots: 0, payoutTicks: undefined };
}

export function marketOfToken(state: NaiveState, tokenId: string): NaiveMarket | undefined {
  return state.markets.find((market) => market.terms.tokenIds.includes(tokenId));
}

export function eventAt(state: NaiveState, eventId: string): NaiveEvent | undefined {
  return state.events.find((event) => event.eventId === eventId);
}

/** The markets of a catalog event, opened or not; none of the event ''. */
export function marketsOfEvent(state: NaiveState, eventId: string): NaiveMarket[] {
  return eventId === '' ? [] : state.markets.filter(({ terms }) => terms.eventId === eventId);
}

export function marketAt(state: NaiveState, conditionId: string): NaiveMarket | undefined {
  return state.markets.find((market) => market.terms.conditionId === conditionId);
}

export function accountAt(state: NaiveState, address: string): NaiveAccount | undefined {
  return state.accounts.find((account) => account.terms.address === address);
}

export function liveOrdersOf(state: NaiveState, address: string): NaiveOrder[] {
  return [...state.live.values()].filter((order) => order.account === address);
}

/** One side of a market's book: best price first, then first come first. */
export function restingOrders(state: NaiveState, conditionId: string, side: BookSide) {
  const better = side === 'bid' ? -1 : 1;
  return [...state.live.values()]
    .filter((order) => order.phase === 'resting' && order.conditionId === conditionId)
    .filter((order) => bookSide(order.outcome, order.side) === side)
    .sort((a, b) => better * (yesTicks(a) - yesTicks(b)) || a.restedAs - b.restedAs);
}

/** What rests at one price of one side, in lots. */
export function levelLots(state: NaiveState, like: NaiveOrder): number {
  const side = bookSide(like.outcome, like.side);
  return restingOrders(state, like.conditionId, side)
    .filter((order) => yesTicks(order) === yesTicks(like))
    .reduce((total, order) => total + remainingLots(order), 0);
}

/** An account's tokens of a market, and what they are worth once it is resolved. */
export function worthOf({ tokens }: NaiveAccount, { terms, payoutTicks }: NaiveMarket) {
  const [yes = 0, no = 0] = terms.tokenIds.map((tokenId) => tokens.get(tokenId) ?? 0);
  const amount = payoutTicks === undefined ? 0 : yes * payoutTicks + no * 10_000 - no * payoutTicks;
  return { yes, no, amount };
}

/** Takes an order off the book for a reason, and tells it. */
export type EndOrder = (order: NaiveOrder, reason: CloseReason) => EngineEvent[];
