/**
 * The state of the naive twin: plain lists and Maps, and the questions asked of them. It owns
 * nothing that can be computed: held amounts, level totals and the sorted book are worked out from
 * the live orders each time. Invariant: an account's cash and tokens are totals, available plus
 * held. Bound: none, it is meant for a few hundred live orders.
 */
import type {
  AccountState,
  ApiKeyState,
  ArmedSwitch,
  Bounds,
  BuilderState,
  CreateMarket,
  FeeSchedule,
  IdempotencyKeyState,
  MarketState,
  OpenAccount,
  OrderType,
  Outcome,
  PositionState,
  RecentOrder,
  RestingOrder,
  SelfTradeMode,
  Side,
  StandingState,
  StateView,
  Totals,
  TradingState,
} from '../../../engine/index.ts';
import { lots, micros, ticks } from '../../../engine/index.ts';
import { baseSum, builderFeesOf, feesOf, flatSum, heldFees, requiredFees } from './fees.ts';

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
  purseMicros: number;
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
const UNNAMED = {
  takerFeeBps: 0,
  makerFeeBps: 0,
  feeExponent: 0,
  delaySeconds: 0,
  takerDelayMs: 0,
  finerTickTicks: 0,
} as const;

export function newMarket(created: CreateMarket): NaiveMarket {
  const terms = { ...UNNAMED, ...created };
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

/** The cash that these orders of one account hold. */
export function heldMicros(orders: readonly NaiveOrder[]): number {
  return orders
    .filter((order) => order.side === 'BUY')
    .reduce((sum, order) => sum + heldFor(order), 0);
}

/** What a BUY holds: what its arrival required while it waits, what its rest costs on the book. */
function heldFor(order: NaiveOrder): number {
  if (order.phase === 'matching') return 0;
  const fees = order.phase === 'waiting' ? requiredFees(order) : heldFees(order);
  return order.budgetMicros + remainingLots(order) * order.priceTicks + fees;
}

/** The lots of one token that these orders of one account hold. */
export function heldLots(orders: readonly NaiveOrder[], tokenId: string): number {
  return orders
    .filter((order) => order.side === 'SELL' && order.tokenId === tokenId)
    .reduce((total, order) => total + remainingLots(order), 0);
}

/** The state as the records that every implementation shares. */
export function viewOf(state: NaiveState): StateView {
  return {
    depositedMicros: micros(state.depositedMicros),
    withdrawnMicros: micros(state.withdrawnMicros),
    tradingState: state.tradingState,
    markets: state.markets.map((market) => marketState(state, market)),
    delayedOrders: [...state.live.values()]
      .filter((order) => order.phase === 'waiting')
      .map((order) => ({
        ...restingOrder(order),
        conditionId: order.conditionId,
        budgetMicros: micros(order.budgetMicros),
        releaseMs: order.releaseMs,
        isTripped: order.isTripped,
      })),
    events: state.events.map((event) => ({
      eventId: event.eventId,
      conditionIds: event.markets.map(({ terms }) => terms.conditionId),
      noneConditionId: event.noneConditionId,
      bundlesLots: lots(event.bundlesLots),
      winner: event.winner?.terms.conditionId ?? null,
    })),
    redeeming: state.redeeming.map(({ terms }) => terms.conditionId),
    accounts: state.accounts.map((account) => accountState(state, account)),
    recentOrders: [...state.recent],
    forgottenSeq: state.forgottenSeq,
    apiKeys: [...state.apiKeys],
    switches: [...state.switches],
    standings: [...state.standings],
    builders: [...state.builders],
    idempotencyKeys: [...state.idempotencyKeys],
  };
}

/** Worked out anew from every account, market and event. */
export function totalsOf(state: NaiveState): Totals {
  const { live, accounts, markets, events, depositedMicros, withdrawnMicros } = state;
  const sum = (amounts: readonly number[]): number => amounts.reduce((a, b) => a + b, 0);
  const sets = markets.map((market) => market.setsLots * 10_000 + owedMicros(state, market));
  const paid = events.map((event) => (event.markets.length - 1) * event.bundlesLots * 10_000);
  return {
    liveOrders: live.size,
    cashMicros: sum(accounts.map((account) => account.cashMicros)),
    lockedMicros: sum(sets) - sum(paid),
    depositedMicros,
    withdrawnMicros,
  };
}

/** What all tokens of a market would be redeemed for; nothing before its resolution. */
function owedMicros({ accounts }: NaiveState, market: NaiveMarket): number {
  if (market.payoutTicks === undefined) return 0;
  return accounts.reduce((sum, account) => sum + worthOf(account, market).amount, 0);
}

/** An account's tokens of a market, and what they are worth once it is resolved. */
export function worthOf({ tokens }: NaiveAccount, { terms, payoutTicks }: NaiveMarket) {
  const [yes = 0, no = 0] = terms.tokenIds.map((tokenId) => tokens.get(tokenId) ?? 0);
  const amount = payoutTicks === undefined ? 0 : yes * payoutTicks + no * 10_000 - no * payoutTicks;
  return { yes, no, amount };
}

function marketState(state: NaiveState, market: NaiveMarket): MarketState {
  const { kind: _, ...terms } = market.terms;
  return {
    ...terms,
    status: market.status,
    original: {
      tickTicks: market.created.tickTicks,
      minimumLots: market.created.minimumLots,
      minimumBudgetMicros: market.created.minimumBudgetMicros,
      selfTrade: market.created.selfTrade,
      takerFeeBps: market.created.takerFeeBps ?? 0,
      makerFeeBps: market.created.makerFeeBps ?? 0,
      feeExponent: market.created.feeExponent ?? 0,
      delaySeconds: market.created.delaySeconds ?? 0,
      takerDelayMs: market.created.takerDelayMs ?? 0,
      finerTickTicks: market.created.finerTickTicks ?? 0,
    },
    setsLots: lots(market.setsLots),
    payoutTicks: market.payoutTicks === undefined ? null : ticks(market.payoutTicks),
    owedMicros: micros(owedMicros(state, market)),
    bids: restingOrders(state, terms.conditionId, 'bid').map(restingOrder),
    asks: restingOrders(state, terms.conditionId, 'ask').map(restingOrder),
  };
}

function restingOrder(order: NaiveOrder): RestingOrder {
  return {
    orderId: order.orderId,
    account: order.account,
    outcome: order.outcome,
    side: order.side,
    type: order.type,
    postOnly: order.postOnly,
    priceTicks: ticks(order.priceTicks),
    lots: lots(order.lots),
    remainingLots: lots(remainingLots(order)),
    filledMicros: micros(order.filledMicros),
    acceptedSeq: order.acceptedSeq,
    acceptedMs: order.acceptedMs,
    expiresAtMs: order.expiresAtMs,
    ...feeState(order),
  };
}

function feeState(order: NaiveOrder): Pick<RestingOrder, 'fees'> {
  const { rates, fills } = order;
  if (rates === undefined) return {};
  const { takerFeeBps, makerFeeBps, feeExponent, account } = rates;
  const { shareBps, takerRateBps, makerRateBps } = rates;
  return {
    fees: {
      takerFeeBps,
      makerFeeBps,
      feeExponent,
      shareBps,
      takerRateBps,
      makerRateBps,
      account,
      baseSum: String(baseSum(rates, fills)),
      flatSum: String(flatSum(rates, fills)),
      feeMicros: micros(feesOf(order)),
      builderMicros: micros(builderFeesOf(order)),
    },
  };
}

function accountState(state: NaiveState, account: NaiveAccount): AccountState {
  const { address, owner, wallet } = account.terms;
  const orders = liveOrdersOf(state, address);
  const held = heldMicros(orders);
  return {
    address,
    owner,
    wallet,
    availableMicros: micros(account.cashMicros - held),
    heldMicros: micros(held),
    positions: state.markets
      .flatMap((market) => positionsOf(account, orders, market))
      .filter((position) => position.availableLots !== 0 || position.heldLots !== 0),
  };
}

function positionsOf(
  account: NaiveAccount,
  orders: readonly NaiveOrder[],
  market: NaiveMarket,
): PositionState[] {
  return ([0, 1] as const).map((outcome) => {
    const tokenId = market.terms.tokenIds[outcome];
    const held = heldLots(orders, tokenId);
    const total = account.tokens.get(tokenId) ?? 0;
    return {
      conditionId: market.terms.conditionId,
      outcome,
      availableLots: lots(total - held),
      heldLots: lots(held),
    };
  });
}
