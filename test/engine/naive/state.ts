/**
 * The state of the naive engine: plain lists and Maps, and lookups in them. It stores nothing that
 * can be computed: held amounts, level totals and the sorted book follow from the live orders.
 * Invariant: an account's cash and tokens are totals of available and held. Bound: none; it is
 * meant for a few hundred live orders.
 */
import type {
  ApiKeyState,
  ArmedSwitch,
  Bounds,
  BuilderState,
  Command,
  CreateMarket,
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
  /** The terms in force. */
  terms: Required<CreateMarket>;
  status: MarketState['status'];
  setsLots: number;
  /** What a YES lot pays once it is resolved. */
  payoutTicks: number | undefined;
}

/** An opened neg-risk event. */
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

/** On the book, delayed, or being matched as a taker. */
type Phase = 'resting' | 'waiting' | 'matching';

export interface NaiveOrder {
  phase: Phase;
  /** Its number among all orders that have come to rest, for time priority. */
  restedAs: number;
  /** When a delayed order is released. */
  releaseMs: number;
  /** Whether its owner's dead man's switch tripped during its delay. */
  isTripped: boolean;
  /** The market's mode when the order was accepted; `cancel_maker` after a delay. */
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
  readonly earlyEndMs: number;
  /** The rates when the order was accepted; undefined for no fees. */
  readonly rates: NaiveRates | undefined;
  /** The available cash of its account at its arrival or release. */
  spendableMicros: number;
  readonly fills: NaiveFill[];
  filledLots: number;
  filledMicros: number;
}

export interface NaiveRates extends FeeSchedule, Omit<BuilderState, 'builder'> {}

/** One side of a fill. */
export interface NaiveFill {
  readonly isTaker: boolean;
  readonly lots: number;
  readonly priceTicks: number;
  readonly feeMicros: number;
  /** The builder's part of the fee. */
  readonly builderMicros: number;
}

export interface NaiveState {
  readonly bounds: Bounds;
  tradingState: TradingState;
  readonly markets: NaiveMarket[];
  /** Opened neg-risk events, in order. */
  readonly events: NaiveEvent[];
  /** Markets in automatic redemption, in order of resolution. */
  redeeming: NaiveMarket[];
  readonly accounts: NaiveAccount[];
  /** Resting and delayed orders by id, in order of acceptance. */
  readonly live: Map<string, NaiveOrder>;
  /** Oldest closed first. */
  readonly recent: RecentOrder[];
  apiKeys: ApiKeyState[];
  /** In order of arming. */
  switches: ArmedSwitch[];
  /** Restricted owners, in order of their last change. */
  standings: StandingState[];
  /** In order of the first setting. */
  readonly builders: BuilderState[];
  /** In order of creation. */
  readonly idempotencyKeys: IdempotencyKeyState[];
  /** When the key that was forgotten last was indexed. */
  forgottenKeySeq: number;
  forgottenSeq: number;
  /** The order that the next command continues. */
  unfinished: NaiveOrder | undefined;
  /** The command that the next command goes on with, because it has more orders to end. */
  clearing: Command | undefined;
  /** How many orders have come to rest. */
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

/** Converts a price of `ofOutcome` to that of the same book level in `outcome`. */
export function priceIn(outcome: Outcome, priceTicks: number, ofOutcome: Outcome): number {
  return outcome === ofOutcome ? priceTicks : 10_000 - priceTicks;
}

export function yesTicks(order: NaiveOrder): number {
  return priceIn(0, order.priceTicks, order.outcome);
}

export function remainingLots(order: NaiveOrder): number {
  return order.lots - order.filledLots;
}

/** Defaults of the terms that `create_market` may leave out. */
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

/** The markets of an event of the catalog; '' is no event. */
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

/** One side of a market's book: best price first, then oldest first. */
export function restingOrders(state: NaiveState, conditionId: string, side: BookSide) {
  const better = side === 'bid' ? -1 : 1;
  return [...state.live.values()]
    .filter((order) => order.phase === 'resting' && order.conditionId === conditionId)
    .filter((order) => bookSide(order.outcome, order.side) === side)
    .sort((a, b) => better * (yesTicks(a) - yesTicks(b)) || a.restedAs - b.restedAs);
}

/** The total size at the level of an order, in lots. */
export function levelLots(state: NaiveState, like: NaiveOrder): number {
  const side = bookSide(like.outcome, like.side);
  return restingOrders(state, like.conditionId, side)
    .filter((order) => yesTicks(order) === yesTicks(like))
    .reduce((total, order) => total + remainingLots(order), 0);
}

/** An account's tokens of a market, and what they pay once it is resolved. */
export function worthOf({ tokens }: NaiveAccount, { terms, payoutTicks }: NaiveMarket) {
  const [yes = 0, no = 0] = terms.tokenIds.map((tokenId) => tokens.get(tokenId) ?? 0);
  const amount = payoutTicks === undefined ? 0 : yes * payoutTicks + no * 10_000 - no * payoutTicks;
  return { yes, no, amount };
}

/** Counts a deposit. Beyond 2^53 what was withdrawn leaves both sums. */
export function countDeposit(state: NaiveState, amountMicros: number): void {
  if (state.depositedMicros + amountMicros > Number.MAX_SAFE_INTEGER) {
    state.depositedMicros -= state.withdrawnMicros;
    state.withdrawnMicros = 0;
  }
  state.depositedMicros += amountMicros;
}
