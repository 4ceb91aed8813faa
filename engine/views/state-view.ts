/**
 * The whole state in the fixed order of model/state-view.ts, for tools and tests, and single parts
 * of it: balances, holders of a market, totals, delayed orders.
 */

import { NONE, type OrderStore } from '../book/index.ts';
import type { OrderFees } from '../fees/order-fees.ts';
import {
  type AccountState,
  type ArmedSwitch,
  type Balance,
  type BuilderState,
  type DelayedOrderRef,
  type DelayedOrderState,
  type EventState,
  type Holder,
  type IdempotencyKeyState,
  type Lots,
  type MarketState,
  type Micros,
  type Outcome,
  type PositionState,
  type RecentOrder,
  type RestingOrder,
  type StandingState,
  type StateView,
  statusName,
  type Ticks,
  type Totals,
  type UnfinishedOrderState,
} from '../model/index.ts';
import { exchangeState } from '../state/checks.ts';
import type { EngineState } from '../state/engine-state.ts';
import type { Ledger } from '../state/ledger.ts';
import { feesOf } from '../state/live-orders.ts';
import { tradingTermsOf } from '../state/market.ts';

export function viewState(state: EngineState): StateView {
  return {
    depositedMicros: state.ledger.depositedMicros as Micros, // a sum of whole micros
    withdrawnMicros: state.ledger.withdrawnMicros as Micros, // a sum of whole micros
    tradingState: exchangeState(state),
    markets: viewMarkets(state),
    delayedOrders: viewDelayed(state),
    unfinishedOrders: viewUnfinished(state),
    unfinishedCommands: state.clearing === undefined ? [] : [state.clearing],
    events: viewEvents(state),
    redeeming: viewRedeeming(state),
    accounts: viewAccounts(state),
    recentOrders: viewRecent(state),
    forgottenSeq: state.recent.forgottenSeq,
    apiKeys: state.apiKeys.all,
    switches: viewSwitches(state),
    standings: viewStandings(state),
    builders: viewBuilders(state),
    idempotencyKeys: viewMoneyKeys(state),
    forgottenKeySeq: state.moneyKeys.forgottenSeq,
  };
}

function* viewMoneyKeys({ moneyKeys }: EngineState): Generator<IdempotencyKeyState> {
  for (const { state, indexedSeq } of moneyKeys.all()) {
    yield indexedSeq === 0 ? state : { ...state, indexedSeq };
  }
}

/** undefined for an unknown account, 0 for an unknown token. */
export function viewBalance(
  state: EngineState,
  address: string,
  tokenId: string,
): Balance | undefined {
  const { ledger, positions } = state;
  const account = ledger.findAccount(address);
  if (account === NONE) return undefined;
  if (tokenId === '') {
    return { available: ledger.availableMicros[account]!, held: ledger.heldMicros[account]! };
  }
  const token = state.findToken(tokenId);
  if (token === undefined) return { available: 0, held: 0 };
  const position = positions.find(account, token.market.index);
  return {
    available: positions.available(position, token.outcome),
    held: positions.held(position, token.outcome),
  };
}

/** Walks over all positions of all markets. */
export function* viewHolders(state: EngineState, conditionId: string): Generator<Holder> {
  const { ledger, positions } = state;
  const market = state.marketByCondition.get(conditionId);
  if (market === undefined) return;
  for (const position of positions.ofMarket(market.index).reverse()) {
    const lotsOf = (outcome: Outcome): Lots =>
      (positions.available(position, outcome) + positions.held(position, outcome)) as Lots; // whole
    const [yesLots, noLots] = [lotsOf(0), lotsOf(1)];
    if (yesLots + noLots === 0) continue;
    yield { account: ledger.accounts[positions.account[position]!]!.address, yesLots, noLots };
  }
}

export function viewTotals({ ledger, lockedMicros, liveCount: liveOrders }: EngineState): Totals {
  const { totalMicros: cashMicros, depositedMicros, withdrawnMicros } = ledger;
  return { liveOrders, cashMicros, lockedMicros, depositedMicros, withdrawnMicros };
}

export function* viewSwitches(state: EngineState): Generator<ArmedSwitch> {
  for (const [owner, heartbeatId] of state.switches) yield { owner, heartbeatId };
}

function* viewEvents(state: EngineState): Generator<EventState> {
  for (const { eventId, markets, noneConditionId, winner } of state.negRiskEvents.values()) {
    yield {
      eventId,
      conditionIds: markets.map(({ terms }) => terms.conditionId),
      noneConditionId,
      bundlesLots: (markets[0]?.bundlesLots ?? 0) as Lots, // changed by whole lots only
      winner: winner?.terms.conditionId ?? null,
    };
  }
}

function* viewRedeeming({ markets, redemptions }: EngineState): Generator<string> {
  for (const market of redemptions.markets) yield markets[market]!.terms.conditionId;
}

export function* viewStandings(state: EngineState): Generator<StandingState> {
  for (const [owner, standing] of state.ledger.standings) yield { owner, standing };
}

export function* viewBuilders(state: EngineState): Generator<BuilderState> {
  for (const { accountIndex: _, ...terms } of state.builders.values()) yield terms;
}

function* viewMarkets(state: EngineState): Generator<MarketState> {
  for (const market of state.markets) {
    yield {
      ...market.terms,
      status: statusName(market.status),
      original: tradingTermsOf(market.original),
      setsLots: market.setsLots as Lots, // changed by whole lots only
      // Safe: only a payout within its bounds is set.
      payoutTicks: market.payoutTicks === NONE ? null : (market.payoutTicks as Ticks),
      owedMicros: market.owedMicros as Micros, // whole micros by construction
      bids: Array.from(market.book.handles(true), (handle) => viewOrder(state, handle)),
      asks: Array.from(market.book.handles(false), (handle) => viewOrder(state, handle)),
    };
  }
}

function viewOrder(state: EngineState, handle: number): RestingOrder {
  const order = viewRecord(state.orders, state.ledger, handle);
  const fees = feesOf(state, handle);
  return fees === undefined ? order : { ...order, fees: viewFees(state.ledger, fees) };
}

/** An order without its fees. */
export function viewRecord(orders: OrderStore, ledger: Ledger, handle: number): RestingOrder {
  return {
    orderId: orders.id(handle),
    account: ledger.accounts[orders.account(handle)]!.address,
    outcome: orders.outcome(handle),
    side: orders.side(handle),
    type: orders.type(handle),
    postOnly: orders.isPostOnly(handle),
    priceTicks: orders.priceTicks(handle),
    lots: orders.lots(handle),
    remainingLots: orders.remainingLots(handle),
    filledMicros: orders.filledMicros(handle),
    acceptedSeq: orders.acceptedSeq(handle),
    acceptedMs: orders.acceptedMs(handle),
    expiresAtMs: orders.expiresAtMs(handle),
    earlyEndMs: orders.earlyEndMs(handle),
  };
}

function* viewUnfinished(state: EngineState): Generator<UnfinishedOrderState> {
  if (state.unfinished === undefined) return;
  const { handle, terms, market } = state.unfinished;
  const { budgetMicros } = terms;
  yield { ...viewOrder(state, handle), conditionId: market.terms.conditionId, budgetMicros };
}

function* viewDelayed(state: EngineState): Generator<DelayedOrderState> {
  for (const [handle, { budgetMicros, market, releaseMs, isTripped }] of state.delayed) {
    const { conditionId } = market.terms;
    yield { ...viewOrder(state, handle), conditionId, budgetMicros, releaseMs, isTripped };
  }
}

/** An owner's delayed orders, in order of acceptance. */
export function viewDelayedOf(state: EngineState, address: string): DelayedOrderRef[] {
  const { orders, ledger, delayed } = state;
  const owner = ledger.findOwner(address);
  const refs: DelayedOrderRef[] = [];
  // Every cancel of an order calls this, so it looks at no order of other owners.
  let handle = owner?.firstOrder ?? NONE;
  while (refs.length < (owner?.delayedCount ?? 0)) {
    const order = delayed.get(handle);
    if (order !== undefined) {
      const { conditionId, tokenIds } = order.market.terms;
      const tokenId = tokenIds[orders.outcome(handle)];
      refs.push({ orderId: orders.id(handle), conditionId, tokenId });
    }
    handle = orders.ownerNext(handle);
  }
  return refs;
}

/** An order's fees at one time: further charges do not change it. */
export type ChargedFees = Pick<OrderFees, 'schedule' | 'sums' | 'chargedMicros' | 'builderMicros'>;

/** undefined for an order without fees. */
export function chargedFees(state: EngineState, handle: number): ChargedFees | undefined {
  const fees = feesOf(state, handle);
  if (fees === undefined) return undefined;
  const { schedule, sums, chargedMicros, builderMicros } = fees;
  return { schedule, sums, chargedMicros, builderMicros };
}

export function viewFees({ accounts }: Ledger, fees: ChargedFees): RestingOrder['fees'] & object {
  const { schedule, sums, chargedMicros: feeMicros, builderMicros } = fees;
  const { builderAccount, ...rates } = schedule;
  const account = accounts[builderAccount]?.address ?? '';
  const [baseSum, flatSum] = [String(sums.base), String(sums.flat)];
  return { ...rates, account, baseSum, flatSum, feeMicros, builderMicros };
}

function* viewAccounts(state: EngineState): Generator<AccountState> {
  const positions = positionsByAccount(state);
  for (const index of state.ledger.accounts.keys()) {
    yield viewAccount(state, index, positions.get(index) ?? []);
  }
}

export function viewAccount(
  { ledger }: EngineState,
  index: number,
  positions: readonly PositionState[],
): AccountState {
  const { address, owner, wallet } = ledger.accounts[index]!;
  const availableMicros = ledger.availableMicros[index]! as Micros; // whole micros
  const heldMicros = ledger.heldMicros[index]! as Micros; // whole micros
  return { address, owner, wallet, availableMicros, heldMicros, positions };
}

/** Positions by account index, in the markets' order of creation. */
function positionsByAccount(state: EngineState): Map<number, PositionState[]> {
  const { positions } = state;
  const indexes = Array.from({ length: positions.count }, (_, position) => position);
  indexes.sort((a, b) => positions.market[a]! - positions.market[b]!);
  const byAccount = new Map<number, PositionState[]>();
  for (const position of indexes) {
    const list = byAccount.get(positions.account[position]!) ?? [];
    byAccount.set(positions.account[position]!, list);
    list.push(...viewPosition(state, position));
  }
  return byAccount;
}

/** The outcomes of a position that are not empty. */
export function* viewPosition(
  { positions, markets }: Pick<EngineState, 'positions' | 'markets'>,
  position: number,
): Generator<PositionState> {
  const { conditionId } = markets[positions.market[position]!]!.terms;
  for (const outcome of [0, 1] as const) {
    const availableLots = positions.available(position, outcome);
    const heldLots = positions.held(position, outcome);
    if (availableLots + heldLots > 0) yield { conditionId, outcome, availableLots, heldLots };
  }
}

function* viewRecent(state: EngineState): Generator<RecentOrder> {
  const { recent } = state;
  for (let position = 0; position < recent.count; position += 1) {
    const place = recent.at(position);
    yield {
      orderId: recent.id(place),
      acceptedSeq: recent.acceptedSeq(place),
      type: recent.type(place),
      postOnly: recent.isPostOnly(place),
      expiresAtMs: recent.expiresAtMs(place),
    };
  }
}
