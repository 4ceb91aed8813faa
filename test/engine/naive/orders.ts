/**
 * Orders in the naive engine: the checks in their documented order of precedence, and the plan,
 * which is the walk over the opposite side of the book that both checks and matching follow.
 */
import type {
  Answer,
  CancelAll,
  CancelOrders,
  Match,
  OpenAccount,
  Outcome,
  PlaceOrder,
  Rejected,
} from '../../../engine/index.ts';
import { isWhole, lots, ticks } from '../../../engine/index.ts';
import { checkAccount, detailsOf } from './accounts.ts';
import { checkStep, isWord, reject } from './answers.ts';
import { chargeOf, payableLots, ratesFor, requiredFees } from './fees.ts';
import { freeMicros, heldLots, heldMicros } from './holds.ts';
import { checkRunning, checkTrading } from './operator.ts';
import { checkTrader } from './standing.ts';
import type { NaiveMarket, NaiveOrder, NaiveState } from './state.ts';
import {
  accountAt,
  bookSide,
  liveOrdersOf,
  marketOfToken,
  opposite,
  priceIn,
  restingOrders,
  yesTicks,
} from './state.ts';

const LATEST_TIME_MS = 8.64e15;

/** A resting order on the walk: `lots` to fill, or 0 for an own order to cancel. */
export interface Step {
  readonly maker: NaiveOrder;
  readonly lots: number;
}

/** What a walk over the opposite side does, and why it ends. */
export interface Plan {
  readonly steps: readonly Step[];
  readonly end: 'satisfied' | 'self_trade' | 'bound' | 'book';
  /** Whether it ends at an own order that stays. */
  readonly meetsOwn: boolean;
  readonly filledLots: number;
  readonly spentMicros: number;
}

function isBudget(order: { side: string; type: string }): boolean {
  return order.side === 'BUY' && (order.type === 'FOK' || order.type === 'FAK');
}

export function canRest(order: { type: string }): boolean {
  return order.type === 'GTC' || order.type === 'GTD';
}

/** The answer that refuses an order; undefined for an order that is accepted. */
export function checkOrder(
  state: NaiveState,
  command: PlaceOrder,
  timeMs: number,
): Answer | undefined {
  const identity = checkIdentity(state, command);
  if (identity !== undefined) return identity;
  const account = accountAt(state, command.account);
  if (account === undefined) {
    const opening = openingOf(command);
    if (opening === undefined) {
      return reject('account_unknown', { field: 'account', actual: command.account });
    }
    const refusal = checkAccount(state, opening);
    if (refusal !== undefined) return refusal;
  } else if (account.terms.owner !== command.owner) {
    return reject('account_not_yours', { field: 'account', actual: command.account });
  }
  const barred = checkTrader(state, command);
  if (barred !== undefined) return barred;
  const market = marketOfToken(state, command.tokenId);
  if (market === undefined) {
    return reject('token_unknown', { field: 'tokenId', actual: command.tokenId });
  }
  return (
    checkTrading(state, market) ??
    checkExpiration(command, timeMs) ??
    checkPrice(command, market) ??
    checkSize(state, command, market) ??
    checkFunds(state, command, market) ??
    checkAgainstBook(state, command, market)
  );
}

/** The command that opens the order's account. */
export function openingOf(command: PlaceOrder): OpenAccount | undefined {
  const { account: address, owner, opens } = command;
  return opens === undefined ? undefined : { kind: 'open_account', address, owner, ...opens };
}

/** Checks the id, and that no order with it was accepted before. */
function checkIdentity(state: NaiveState, command: PlaceOrder): Answer | undefined {
  const { orderId, idCheckedSeq } = command;
  if (!isWord(orderId)) return reject('order_id_malformed', { field: 'orderId', actual: orderId });
  const seen = state.live.get(orderId) ?? state.recent.find((recent) => recent.orderId === orderId);
  if (seen !== undefined) {
    for (const field of ['type', 'postOnly', 'expiresAtMs'] as const) {
      if (seen[field] === command[field]) continue;
      const details = { field, limit: String(seen[field]), actual: String(command[field]) };
      return reject('order_id_reused', details);
    }
    return { kind: 'order_duplicate', orderId, acceptedSeq: seen.acceptedSeq };
  }
  if (idCheckedSeq < state.forgottenSeq) {
    const details = { field: 'idCheckedSeq', limit: state.forgottenSeq, actual: idCheckedSeq };
    return reject('order_id_unchecked', details);
  }
  return undefined;
}

/** Checks post-only and the expiration. */
function checkExpiration(command: PlaceOrder, timeMs: number): Rejected | undefined {
  const { type, postOnly, expiresAtMs } = command;
  if (postOnly && !canRest(command)) {
    return reject('post_only_needs_resting_order', { field: 'postOnly', actual: type });
  }
  const actual = expiresAtMs;
  if (type !== 'GTD') {
    if (expiresAtMs === 0) return undefined;
    return reject('expiration_not_allowed', { field: 'expiresAtMs', limit: 0, actual });
  }
  if (!isWhole(expiresAtMs, 1, LATEST_TIME_MS)) {
    return reject('expiration_required', { field: 'expiresAtMs', actual });
  }
  const limit = timeMs + Math.max(command.minimumLeadMs, command.earlyEndMs + 1);
  if (expiresAtMs >= limit) return undefined;
  return reject('expiration_too_soon', { field: 'expiresAtMs', limit, actual });
}

function checkPrice(command: PlaceOrder, market: NaiveMarket): Rejected | undefined {
  const tick = market.terms.tickTicks;
  const actual = command.priceTicks;
  if (!isWhole(actual, tick, 10_000 - tick)) {
    const limit = `${tick}..${10_000 - tick}`;
    return reject('price_out_of_bounds', { field: 'priceTicks', limit, actual });
  }
  if (actual % tick === 0) return undefined;
  return reject('price_off_tick', { field: 'priceTicks', limit: tick, actual });
}

function checkSize(
  { bounds }: NaiveState,
  command: PlaceOrder,
  market: NaiveMarket,
): Rejected | undefined {
  const { lots, budgetMicros } = command;
  const { minimumLots, minimumBudgetMicros } = market.terms;
  if (isBudget(command)) {
    if (lots !== 0) return reject('size_out_of_bounds', { field: 'lots', limit: 0, actual: lots });
    const details = { field: 'budgetMicros', actual: budgetMicros };
    if (!isWhole(budgetMicros, 1, bounds.amountMicros)) {
      return reject('amount_out_of_bounds', { ...details, limit: `1..${bounds.amountMicros}` });
    }
    if (budgetMicros >= minimumBudgetMicros) return undefined;
    return reject('budget_below_minimum', { ...details, limit: minimumBudgetMicros });
  }
  if (budgetMicros !== 0) {
    const details = { field: 'budgetMicros', limit: 0, actual: budgetMicros };
    return reject('amount_out_of_bounds', details);
  }
  const details = { field: 'lots', actual: lots };
  if (!isWhole(lots, 1, bounds.orderLots)) {
    return reject('size_out_of_bounds', { ...details, limit: `1..${bounds.orderLots}` });
  }
  if (!canRest(command) || lots >= minimumLots) return undefined;
  return reject('size_below_minimum', { ...details, limit: minimumLots });
}

/** Checks the bound of live orders, and the balance. */
function checkFunds(
  state: NaiveState,
  command: PlaceOrder,
  market: NaiveMarket,
): Rejected | undefined {
  const { account, tokenId, lots, budgetMicros, priceTicks } = command;
  const orders = liveOrdersOf(state, account);
  const full = canRest(command) ? checkLiveOrders(state, command) : undefined;
  if (full !== undefined) return full;
  const holder = accountAt(state, account);
  if (command.side === 'BUY') {
    const cash = isBudget(command) ? budgetMicros : lots * priceTicks;
    const required = cash + requiredFees(takerFrom(state, command, market, NOT_ACCEPTED));
    const held = heldMicros(orders);
    const available = availableMicros(state, command);
    if (available >= required) return undefined;
    const details = { field: 'account', asset: 'cash', required, available, held };
    return reject('not_enough_cash', details);
  }
  const held = heldLots(orders, tokenId);
  const available = (holder?.tokens.get(tokenId) ?? 0) - held;
  if (available >= lots) return undefined;
  const details = { field: 'account', asset: tokenId, required: lots, available, held };
  return reject('not_enough_tokens', details);
}

/** Checks the bounds of live orders, of the account and of its owner. */
function checkLiveOrders(state: NaiveState, { account, owner }: PlaceOrder): Rejected | undefined {
  const code = 'too_many_live_orders';
  const actual = liveOrdersOf(state, account).length;
  const limit = state.bounds.liveOrdersPerAccount;
  if (actual >= limit) return reject(code, { field: 'account', limit, actual });
  const own = [...state.live.values()].filter((order) => order.owner === owner).length;
  const most = state.bounds.liveOrdersPerOwner;
  if (own >= most) return reject(code, { field: 'owner', limit: most, actual: own });
  const room = state.bounds[own < state.bounds.quietLiveOrders ? 'liveOrders' : 'busyLiveOrders'];
  const { size } = state.live;
  return size < room ? undefined : reject(code, { field: 'orderId', limit: room, actual: size });
}

/** Stands for the acceptance of an order that is only checked. */
const NOT_ACCEPTED = { seq: 0, timeMs: 0 };

/** Available cash; the play money for an account that opens with the order. */
function availableMicros(state: NaiveState, { account, opens }: PlaceOrder): number {
  const isKnown = accountAt(state, account) !== undefined;
  return isKnown ? freeMicros(state, account) : (opens?.paperMicros ?? 0);
}

/** Checks the order against the book, and the bounds of delayed orders. */
function checkAgainstBook(
  state: NaiveState,
  command: PlaceOrder,
  market: NaiveMarket,
): Rejected | undefined {
  const taker = takerFrom(state, command, market, NOT_ACCEPTED);
  const fault = checkTaker(state, taker);
  if (fault !== undefined || !mustWait(state, taker, market)) return fault;
  const full = checkLiveOrders(state, command);
  if (full !== undefined) return full;
  const waiting = [...state.live.values()].filter(({ phase }) => phase === 'waiting');
  const own = waiting.filter(({ owner }) => owner === command.owner).length;
  const share = state.bounds.delayedOrdersPerOwner;
  if (own >= share) {
    return reject('too_many_delayed_orders', { field: 'owner', limit: share, actual: own });
  }
  const { conditionId } = market.terms;
  const actual = waiting.filter((order) => order.conditionId === conditionId).length;
  const isQuiet = own < state.bounds.quietDelayedOrders;
  const limit = state.bounds[isQuiet ? 'delayedOrdersPerMarket' : 'busyDelayedOrdersPerMarket'];
  if (actual < limit) return undefined;
  return reject('too_many_delayed_orders', { field: 'conditionId', limit, actual });
}

export function delayOf({ terms }: NaiveMarket): number {
  return terms.delaySeconds > 0 ? terms.delaySeconds * 1_000 : terms.takerDelayMs;
}

/** Whether the market has a delay and the order crosses, so that it is delayed. */
export function mustWait(state: NaiveState, taker: NaiveOrder, market: NaiveMarket): boolean {
  const [best] = facing(state, taker);
  return delayOf(market) > 0 && best !== undefined && crosses(taker, best);
}

/** The refusal of a taker by the present book. */
export function checkTaker(state: NaiveState, taker: NaiveOrder): Rejected | undefined {
  const { type, priceTicks } = taker;
  const best = facing(state, taker)[0];
  const limit = best === undefined ? undefined : priceAt(taker, best);
  if (taker.postOnly && best !== undefined && limit !== undefined && crosses(taker, best)) {
    return reject('post_only_would_cross', { field: 'priceTicks', limit, actual: priceTicks });
  }
  const plan = planOf(state, taker);
  const nothing = plan.filledLots === 0;
  if (plan.end === 'bound' && (type !== 'FAK' || nothing)) {
    const field = isBudget(taker) ? 'budgetMicros' : 'lots';
    return reject('too_many_fills', { field, limit: state.bounds.fillsPerCommand });
  }
  if (type === 'FOK' && (plan.end !== 'satisfied' || nothing)) {
    return reject('fill_or_kill_unfilled', unfilled(taker, plan));
  }
  if (type === 'FAK' && nothing) {
    const details = { field: 'priceTicks', actual: priceTicks };
    return reject('nothing_to_match', limit === undefined ? details : { ...details, limit });
  }
  return undefined;
}

function unfilled(taker: NaiveOrder, plan: Plan) {
  return isBudget(taker)
    ? { field: 'budgetMicros', limit: plan.spentMicros, actual: taker.budgetMicros }
    : { field: 'lots', limit: plan.filledLots, actual: taker.lots };
}

/** The order as it is accepted, with nothing filled. */
export function takerFrom(
  state: NaiveState,
  command: PlaceOrder,
  market: NaiveMarket,
  accepted: { readonly seq: number; readonly timeMs: number },
): NaiveOrder {
  const { orderId, account, owner, tokenId, side, type, postOnly } = command;
  const outcome: Outcome = market.terms.tokenIds[0] === tokenId ? 0 : 1;
  return {
    phase: 'matching',
    restedAs: 0,
    releaseMs: 0,
    isTripped: false,
    selfTrade: market.terms.selfTrade,
    orderId,
    account,
    owner,
    conditionId: market.terms.conditionId,
    tokenId,
    outcome,
    side,
    type,
    postOnly,
    priceTicks: command.priceTicks,
    lots: command.lots,
    budgetMicros: command.budgetMicros,
    acceptedSeq: accepted.seq,
    acceptedMs: accepted.timeMs,
    expiresAtMs: command.expiresAtMs,
    earlyEndMs: command.earlyEndMs,
    rates: ratesFor(state, market, command.builder),
    spendableMicros: availableMicros(state, command),
    fills: [],
    filledLots: 0,
    filledMicros: 0,
  };
}

/** The opposite side of the book, best price first. */
function facing(state: NaiveState, taker: NaiveOrder): NaiveOrder[] {
  const side = opposite(bookSide(taker.outcome, taker.side));
  return restingOrders(state, taker.conditionId, side);
}

/** The price of a resting order in the taker's outcome. */
export function priceAt(taker: NaiveOrder, maker: NaiveOrder): number {
  return priceIn(taker.outcome, maker.priceTicks, maker.outcome);
}

function crosses(taker: NaiveOrder, maker: NaiveOrder): boolean {
  const isBid = bookSide(taker.outcome, taker.side) === 'bid';
  return isBid ? yesTicks(maker) <= yesTicks(taker) : yesTicks(maker) >= yesTicks(taker);
}

/**
 * Walks over the opposite side until the taker is satisfied or stopped. It may have met some
 * orders before.
 */
export function planOf(state: NaiveState, taker: NaiveOrder, met = 0): Plan {
  const mode = taker.selfTrade;
  const steps: Step[] = [];
  let { filledLots, filledMicros: spentMicros } = taker;
  // The taker after the steps so far.
  const planner: NaiveOrder = { ...taker, fills: [...taker.fills] };
  const planned = (end: Plan['end'], meetsOwn = false): Plan => {
    return { steps, end, meetsOwn, filledLots, spentMicros };
  };
  const isSatisfied = (): boolean =>
    isBudget(taker)
      ? taker.budgetMicros - spentMicros < taker.priceTicks ||
        payableLots(planner, 1, taker.priceTicks) === 0
      : filledLots === taker.lots;
  // A budget too small for a lot at its limit is satisfied, but may buy more at a better price.
  const stoppedBy = (end: Plan['end']): Plan['end'] => (isSatisfied() ? 'satisfied' : end);
  for (const maker of facing(state, taker)) {
    if (!crosses(taker, maker)) break;
    const price = priceAt(taker, maker);
    const wanted = isBudget(taker)
      ? Number(BigInt(taker.budgetMicros - spentMicros) / BigInt(price))
      : taker.lots - filledLots;
    if (wanted === 0) break;
    if (payableLots(planner, 1, price) === 0) return planned('satisfied');
    if (met + steps.length === state.bounds.fillsPerCommand) return planned(stoppedBy('bound'));
    if (maker.owner === taker.owner) {
      if (mode !== 'cancel_taker') steps.push({ maker, lots: 0 });
      const stays = mode === 'cancel_taker';
      if (mode !== 'cancel_maker') return planned(stoppedBy('self_trade'), stays);
      continue;
    }
    const offered = Math.min(wanted, maker.lots - maker.filledLots);
    const lots = payableLots(planner, offered, price);
    steps.push({ maker, lots });
    const trade = { isTaker: true, lots, priceTicks: price };
    planner.fills.push({ ...trade, ...chargeOf(planner, trade) });
    filledLots += lots;
    spentMicros += lots * price;
    // The cash is used up at this price, so the order does not continue to worse prices.
    if (lots < offered) return planned('satisfied');
  }
  return planned(isSatisfied() ? 'satisfied' : 'book');
}

function matchOf(taker: NaiveOrder, maker: NaiveOrder): Match {
  if (taker.side !== maker.side) return 'transfer';
  return taker.side === 'BUY' ? 'mint' : 'merge';
}

/** The event of a fill, but for its trade and fees. */
export function fillOf(taker: NaiveOrder, { maker, lots: size }: Step) {
  return {
    kind: 'fill',
    conditionId: taker.conditionId,
    match: matchOf(taker, maker),
    takerOrderId: taker.orderId,
    makerOrderId: maker.orderId,
    takerAccount: taker.account,
    makerAccount: maker.account,
    takerOutcome: taker.outcome,
    takerSide: taker.side,
    makerOutcome: maker.outcome,
    makerSide: maker.side,
    takerPriceTicks: ticks(priceAt(taker, maker)),
    makerPriceTicks: ticks(maker.priceTicks),
    lots: lots(size),
  } as const;
}

/** Expirations and releases by time, then acceptance; an order with both at once expires. */
export function dueOrders(state: NaiveState) {
  const live = [...state.live.values()];
  const expiring = live
    .filter((order) => order.type === 'GTD')
    .map((order) => ({ order, dueMs: order.expiresAtMs - order.earlyEndMs, isRelease: false }));
  const waiting = live
    .filter((order) => order.phase === 'waiting')
    .map((order) => ({ order, dueMs: order.releaseMs, isRelease: true }));
  return [...expiring, ...waiting].sort(
    (a, b) => a.dueMs - b.dueMs || a.order.acceptedSeq - b.order.acceptedSeq,
  );
}

export function checkCancels(state: NaiveState, command: CancelOrders): Answer | undefined {
  const actual = command.orderIds.length;
  const limit = state.bounds.cancelsPerCommand;
  if (actual <= limit) return checkRunning(state);
  return reject('too_many_order_ids', { field: 'orderIds', limit, actual });
}

export function checkCancelAll(state: NaiveState, command: CancelAll): Answer | undefined {
  const { conditionId, tokenId, step } = command;
  const long = checkStep(state, step.most);
  if (long !== undefined) return long;
  const isMarket = state.markets.some((market) => market.terms.conditionId === conditionId);
  if (conditionId !== '' && !isMarket) {
    return reject('market_unknown', detailsOf('conditionId', conditionId));
  }
  if (tokenId !== '' && marketOfToken(state, tokenId) === undefined) {
    return reject('token_unknown', detailsOf('tokenId', tokenId));
  }
  return checkRunning(state);
}
