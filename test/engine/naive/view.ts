/** The state of the naive engine as the records that every implementation shares. */
import type {
  AccountState,
  MarketState,
  PositionState,
  RestingOrder,
  StateView,
  Totals,
} from '../../../engine/index.ts';
import { lots, micros, ticks } from '../../../engine/index.ts';
import { baseSum, builderFeesOf, feesOf, flatSum } from './fees.ts';
import { heldLots, heldMicros } from './holds.ts';
import type { NaiveAccount, NaiveMarket, NaiveOrder, NaiveState } from './state.ts';
import { liveOrdersOf, remainingLots, restingOrders, worthOf } from './state.ts';

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
    unfinishedOrders: (state.unfinished === undefined ? [] : [state.unfinished]).map((order) => {
      const { conditionId, budgetMicros, filledLots } = order;
      // The size of an order with a budget is what it bought.
      const size = budgetMicros > 0 ? { lots: lots(filledLots), remainingLots: lots(0) } : {};
      return { ...restingOrder(order), ...size, conditionId, budgetMicros: micros(budgetMicros) };
    }),
    unfinishedCommands: state.clearing === undefined ? [] : [state.clearing],
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
    forgottenKeySeq: state.forgottenKeySeq,
  };
}

/** Added up over all accounts, markets and events. */
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

/** What all tokens of a market are worth; 0 before its resolution. */
function owedMicros({ accounts }: NaiveState, market: NaiveMarket): number {
  if (market.payoutTicks === undefined) return 0;
  return accounts.reduce((sum, account) => sum + worthOf(account, market).amount, 0);
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
    earlyEndMs: order.earlyEndMs,
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
