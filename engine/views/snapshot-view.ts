/**
 * Reads a `Core`: the whole state in the fixed order of state-view.ts, which is slow and for tools,
 * single balances, and who has tokens of a market.
 */

import { NONE } from '../book/index.ts';
import type {
  AccountState,
  ArmedSwitch,
  Balance,
  BuilderState,
  DelayedOrderState,
  EventState,
  Holder,
  Lots,
  MarketState,
  Micros,
  Outcome,
  PositionState,
  RecentOrder,
  RestingOrder,
  StandingState,
  StateView,
  Ticks,
  Totals,
  TradingTerms,
  DelayedOrderRef,
} from '../model/index.ts';
import { statusName } from '../model/index.ts';
import type { Core, Market } from '../state/index.ts';
import { exchangeState, feesOf } from '../state/index.ts';

export function viewState(core: Core): StateView {
  return {
    depositedMicros: core.ledger.depositedMicros as Micros, // a sum of whole micros
    withdrawnMicros: core.ledger.withdrawnMicros as Micros, // a sum of whole micros
    tradingState: exchangeState(core),
    markets: viewMarkets(core),
    delayedOrders: viewDelayed(core),
    events: viewEvents(core),
    redeeming: viewRedeeming(core),
    accounts: viewAccounts(core),
    recentOrders: viewRecent(core),
    forgottenSeq: core.recent.forgottenSeq,
    apiKeys: core.apiKeys.all,
    switches: viewSwitches(core),
    standings: viewStandings(core),
    builders: viewBuilders(core),
    idempotencyKeys: core.idempotencyKeys.values(),
  };
}

/** undefined for an account that is not open; nothing of a token that is not there. */
export function viewBalance(core: Core, address: string, tokenId: string): Balance | undefined {
  const { ledger, positions } = core;
  const account = ledger.findAccount(address);
  if (account === NONE) return undefined;
  if (tokenId === '') {
    return { available: ledger.availableMicros[account]!, held: ledger.heldMicros[account]! };
  }
  const token = core.findToken(tokenId);
  if (token === undefined) return { available: 0, held: 0 };
  const position = positions.find(account, token.market.index);
  return {
    available: positions.available(position, token.outcome),
    held: positions.held(position, token.outcome),
  };
}

/** Walks over all positions of all markets. */
export function* viewHolders(core: Core, conditionId: string): Generator<Holder> {
  const { ledger, positions } = core;
  const index = core.marketByCondition.get(conditionId)?.index;
  for (let position = 0; position < positions.count; position += 1) {
    if (positions.market[position] !== index) continue;
    const lotsOf = (outcome: Outcome): Lots =>
      (positions.available(position, outcome) + positions.held(position, outcome)) as Lots; // whole
    const [yesLots, noLots] = [lotsOf(0), lotsOf(1)];
    if (yesLots + noLots === 0) continue;
    yield { account: ledger.accounts[positions.account[position]!]!.address, yesLots, noLots };
  }
}

export function viewTotals({ ledger, lockedMicros }: Core): Totals {
  const { totalMicros: cashMicros, depositedMicros, withdrawnMicros } = ledger;
  const liveOrders = ledger.liveOrders.reduce((sum, count) => sum + count, 0);
  return { liveOrders, cashMicros, lockedMicros, depositedMicros, withdrawnMicros };
}

export function* viewSwitches(core: Core): Generator<ArmedSwitch> {
  for (const [owner, heartbeatId] of core.switches) yield { owner, heartbeatId };
}

function* viewEvents(core: Core): Generator<EventState> {
  for (const { eventId, markets, noneConditionId, winner } of core.negRiskEvents.values()) {
    yield {
      eventId,
      conditionIds: markets.map(({ terms }) => terms.conditionId),
      noneConditionId,
      bundlesLots: (markets[0]?.bundlesLots ?? 0) as Lots, // changed by whole lots only
      winner: winner?.terms.conditionId ?? null,
    };
  }
}

function* viewRedeeming({ markets, redemptions }: Core): Generator<string> {
  for (const market of redemptions.markets) yield markets[market]!.terms.conditionId;
}

export function* viewStandings(core: Core): Generator<StandingState> {
  for (const [owner, standing] of core.ledger.standings) yield { owner, standing };
}

export function* viewBuilders(core: Core): Generator<BuilderState> {
  for (const { accountIndex: _, ...terms } of core.builders.values()) yield terms;
}

function* viewMarkets(core: Core): Generator<MarketState> {
  for (const market of core.markets) {
    yield {
      ...market.terms,
      status: statusName(market.status),
      original: tradingTerms(market.original),
      setsLots: market.setsLots as Lots, // changed by whole lots only
      // Safe: only a payout in bounds is set.
      payoutTicks: market.payoutTicks === NONE ? null : (market.payoutTicks as Ticks),
      owedMicros: market.owedMicros as Micros, // whole micros by construction
      bids: [...restingOrders(core, market, true)],
      asks: [...restingOrders(core, market, false)],
    };
  }
}

function tradingTerms(terms: TradingTerms): TradingTerms {
  return {
    tickTicks: terms.tickTicks,
    minimumLots: terms.minimumLots,
    minimumBudgetMicros: terms.minimumBudgetMicros,
    selfTrade: terms.selfTrade,
    takerFeeBps: terms.takerFeeBps,
    makerFeeBps: terms.makerFeeBps,
    feeExponent: terms.feeExponent,
    delaySeconds: terms.delaySeconds,
    takerDelayMs: terms.takerDelayMs,
    finerTickTicks: terms.finerTickTicks,
  };
}

/** Handles of one side, best price first, then first come first. */
export function* restingHandles(core: Core, market: Market, isBid: boolean): Generator<number> {
  const { book } = market;
  let level = isBid ? book.bestBid : book.bestAsk;
  while (level !== NONE) {
    for (let at = book.head(level); at !== NONE; at = core.orders.next(at)) yield at;
    level = book.worse(level, isBid);
  }
}

function* restingOrders(core: Core, market: Market, isBid: boolean): Generator<RestingOrder> {
  for (const handle of restingHandles(core, market, isBid)) yield viewOrder(core, handle);
}

export function viewOrder(core: Core, handle: number): RestingOrder {
  const { orders, ledger } = core;
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
    ...viewFees(core, handle),
  };
}

function* viewDelayed(core: Core): Generator<DelayedOrderState> {
  for (const [handle, { command, market, releaseMs, isTripped }] of core.delayed) {
    const { conditionId } = market.terms;
    const { budgetMicros } = command;
    yield { ...viewOrder(core, handle), conditionId, budgetMicros, releaseMs, isTripped };
  }
}

/** An owner's delayed orders, in order of acceptance. */
export function viewWaiting({ delayed }: Core, owner: string): DelayedOrderRef[] {
  const waiting: DelayedOrderRef[] = [];
  // One walk and no list of all: every cancel of an order asks for this.
  for (const { command, market } of delayed.values()) {
    if (command.owner !== owner) continue;
    const { orderId, tokenId } = command;
    waiting.push({ orderId, conditionId: market.terms.conditionId, tokenId });
  }
  return waiting;
}

function viewFees(core: Core, handle: number): Pick<RestingOrder, 'fees'> {
  const fees = feesOf(core, handle);
  if (fees === undefined) return {};
  const { schedule, sums, chargedMicros: feeMicros, builderMicros } = fees;
  const { builderAccount, ...rates } = schedule;
  const account = core.ledger.accounts[builderAccount]?.address ?? '';
  const [baseSum, flatSum] = [String(sums.base), String(sums.flat)];
  return { fees: { ...rates, account, baseSum, flatSum, feeMicros, builderMicros } };
}

function* viewAccounts(core: Core): Generator<AccountState> {
  const { ledger } = core;
  const positions = positionsByAccount(core);
  for (const [index, { address, owner, wallet }] of ledger.accounts.entries()) {
    yield {
      address,
      owner,
      wallet,
      availableMicros: ledger.availableMicros[index]! as Micros, // whole micros by construction
      heldMicros: ledger.heldMicros[index]! as Micros, // whole micros by construction
      positions: positions.get(index) ?? [],
    };
  }
}

function positionsByAccount(core: Core): Map<number, PositionState[]> {
  const { positions } = core;
  const handles = Array.from({ length: positions.count }, (_, position) => position);
  handles.sort((a, b) => positions.market[a]! - positions.market[b]!);
  const byAccount = new Map<number, PositionState[]>();
  for (const position of handles) {
    const list = byAccount.get(positions.account[position]!) ?? [];
    byAccount.set(positions.account[position]!, list);
    for (const outcome of [0, 1] as const) {
      const availableLots = positions.available(position, outcome);
      const heldLots = positions.held(position, outcome);
      if (availableLots + heldLots === 0) continue;
      const { conditionId } = core.markets[positions.market[position]!]!.terms;
      list.push({ conditionId, outcome, availableLots, heldLots });
    }
  }
  return byAccount;
}

function* viewRecent(core: Core): Generator<RecentOrder> {
  const { recent } = core;
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
