/**
 * Placing an order: flat checks in one documented order of precedence, then the mutation. The
 * precedence: the id (a retry is answered whatever else has changed since), who, what, whether it
 * trades, terms, size, bounds, balance, and last the state of the book. A refused order changes
 * nothing.
 */

import { addAccount, isOwned, mayOpen, mayTrade, type NewAccount } from '../accounts/index.ts';
import { NONE, placeOf, readOrderId, traitsOf } from '../book/index.ts';
import type {
  OrderDuplicate,
  OrderPreview,
  PlaceOrder,
  RejectCode,
  RejectDetails,
  Rejected,
} from '../model/index.ts';
import { isWhole, type Lots, type Micros, ONE_TICKS } from '../model/index.ts';
import {
  type Core,
  checkMarket,
  closeOrder,
  isOpen,
  type Market,
  OrderFees,
  reject,
  reportLevel,
  restOrder,
  scheduleFor,
  type Token,
  takesBudget,
} from '../state/index.ts';
import { delayOrder, hasRoomToWait, waitMs } from './delayed-orders.ts';
import { bestOpposite, match, dryRun } from './matching.ts';

/** The largest time a Date can hold. */
const MAX_TIME_MS = 8.64e15;

export function placeOrder(core: Core, command: PlaceOrder): void {
  const market = checkOrder(core, command);
  if (market === undefined) return;
  if (core.taker.account === NONE) beginAccount(core, command);
  const handle = accept(core, command, market);
  if (waitMs(core, market) > 0) delayOrder(core, command, market, handle);
  else execute(core, command, market, handle);
}

/** Judges an order by the checks of `placeOrder` and changes nothing. */
export function previewOrder(core: Core, command: PlaceOrder): OrderPreview {
  const none = { filledLots: 0 as Lots, filledMicros: 0 as Micros, restingLots: 0 as Lots };
  const nothing = { ...none, feeMicros: 0 as Micros, delayMs: 0 };
  const market = checkOrder(core, command);
  if (market === undefined) {
    // Safe: a check that ends a placing pushes one of these two, and is the last to push any.
    return { event: core.events.at(-1) as Rejected | OrderDuplicate, ...nothing };
  }
  const { taker } = core;
  const delayMs = waitMs(core, market);
  dryRun(core, market, false);
  const { filledLots, filledMicros, leftLots, stoppedBySelfTrade } = taker;
  const rests = canRest(command) && !stoppedBySelfTrade;
  return {
    event: undefined,
    filledLots,
    filledMicros,
    restingLots: rests ? leftLots : (0 as Lots),
    feeMicros: taker.fees?.chargedMicros ?? (0 as Micros),
    delayMs,
  };
}

/** All checks, with `core.taker` begun; undefined for an order that is refused, or is known. */
function checkOrder(core: Core, command: PlaceOrder): Market | undefined {
  if (!isNewOrder(core, command)) return undefined;
  const account = core.ledger.findAccount(command.account);
  const opening = account === NONE ? openingOf(command) : undefined;
  if (opening === undefined) {
    if (!isOwned(core, command, account)) return undefined;
  } else if (!mayOpen(core, opening)) return undefined;
  if (!mayTrade(core, account, command.owner, command.side)) return undefined;
  const token = core.findToken(command.tokenId);
  if (token === undefined) {
    reject(core, 'token_unknown', { field: 'tokenId', actual: command.tokenId });
    return undefined;
  }
  const { market } = token;
  if (!isOpen(core, market)) return undefined;
  if (!checkTimes(core, command)) return undefined;
  if (!checkPrice(core, command, market)) return undefined;
  if (!(takesBudget(command) ? checkBudget : checkSize)(core, command, market)) return undefined;
  if (!checkLiveOrders(core, command, account)) return undefined;
  beginTaker(core, command, token, account);
  beginFees(core, command, market);
  if (!checkBalance(core, command)) return undefined;
  if (!checkBook(core, command, market)) return undefined;
  return hasRoomToWait(core, market) ? market : undefined;
}

/** The account that would open with this order; undefined if the order can't open one. */
function openingOf({ account: address, owner, opens }: PlaceOrder): NewAccount | undefined {
  return opens && { address, owner, ...opens };
}

/** Everything is checked: from here on the order has an account. */
function beginAccount(core: Core, command: PlaceOrder): void {
  const account = addAccount(core, openingOf(command)!);
  core.taker.account = account;
  core.taker.ownerIndex = core.ledger.accounts[account]!.ownerIndex;
}

function isNewOrder(core: Core, command: PlaceOrder): boolean {
  if (!readOrderId(command.orderId, core.idWords)) {
    reject(core, 'order_id_malformed', { field: 'orderId', actual: command.orderId });
    return false;
  }
  const known = core.ids.find(core.idWords);
  if (known !== NONE) {
    answerKnown(core, command, known);
    return false;
  }
  const limit = core.recent.forgottenSeq;
  if (command.idCheckedSeq < limit) {
    const actual = command.idCheckedSeq;
    reject(core, 'order_id_unchecked', { field: 'idCheckedSeq', limit, actual });
    return false;
  }
  return true;
}

/** The id is the hash of the signed content: only what is not signed can differ. */
function answerKnown(core: Core, command: PlaceOrder, known: number): void {
  const stored = storedOrder(core, known);
  for (const field of ['type', 'postOnly', 'expiresAtMs'] as const) {
    if (stored[field] === command[field]) continue;
    const limit = String(stored[field]);
    reject(core, 'order_id_reused', { field, limit, actual: String(command[field]) });
    return;
  }
  core.events.push({
    kind: 'order_duplicate',
    orderId: command.orderId,
    acceptedSeq: stored.acceptedSeq,
  });
}

/** What is known of an order that is live, or was until recently. */
function storedOrder({ orders, recent }: Core, entry: number) {
  if (entry >= 0) {
    return {
      type: orders.type(entry),
      postOnly: orders.isPostOnly(entry),
      expiresAtMs: orders.expiresAtMs(entry),
      acceptedSeq: orders.acceptedSeq(entry),
    };
  }
  const place = placeOf(entry);
  return {
    type: recent.type(place),
    postOnly: recent.isPostOnly(place),
    expiresAtMs: recent.expiresAtMs(place),
    acceptedSeq: recent.acceptedSeq(place),
  };
}

/** undefined for an id that is neither of a live order nor remembered. */
export function acceptedSeqOf(core: Core, orderId: string): number | undefined {
  const entry = readOrderId(orderId, core.idWords) ? core.ids.find(core.idWords) : NONE;
  return entry === NONE ? undefined : storedOrder(core, entry).acceptedSeq;
}

function checkTimes(core: Core, command: PlaceOrder): boolean {
  const { type, expiresAtMs: actual } = command;
  if (command.postOnly && (type === 'FOK' || type === 'FAK')) {
    reject(core, 'post_only_needs_resting_order', { field: 'postOnly', actual: type });
    return false;
  }
  if (type !== 'GTD') {
    if (actual === 0) return true;
    reject(core, 'expiration_not_allowed', { field: 'expiresAtMs', limit: 0, actual });
    return false;
  }
  if (!isWhole(actual, 1, MAX_TIME_MS)) {
    reject(core, 'expiration_required', { field: 'expiresAtMs', actual });
    return false;
  }
  const limit = core.timeMs + Math.max(command.minimumLeadMs, 1);
  if (actual < limit) {
    reject(core, 'expiration_too_soon', { field: 'expiresAtMs', limit, actual });
    return false;
  }
  return true;
}

function checkPrice(core: Core, command: PlaceOrder, market: Market): boolean {
  const tick = market.terms.tickTicks;
  const actual = command.priceTicks;
  if (!isWhole(actual, tick, ONE_TICKS - tick)) {
    const limit = `${tick}..${ONE_TICKS - tick}`;
    reject(core, 'price_out_of_bounds', { field: 'priceTicks', limit, actual });
    return false;
  }
  if (actual % tick !== 0) {
    reject(core, 'price_off_tick', { field: 'priceTicks', limit: tick, actual });
    return false;
  }
  return true;
}

function checkBudget(core: Core, command: PlaceOrder, market: Market): boolean {
  const most = core.bounds.amountMicros;
  const actual = command.budgetMicros;
  if (command.lots !== 0) {
    reject(core, 'size_out_of_bounds', { field: 'lots', limit: 0, actual: command.lots });
    return false;
  }
  if (!isWhole(actual, 1, most)) {
    reject(core, 'amount_out_of_bounds', { field: 'budgetMicros', limit: `1..${most}`, actual });
    return false;
  }
  const limit = market.terms.minimumBudgetMicros;
  if (actual < limit) {
    reject(core, 'budget_below_minimum', { field: 'budgetMicros', limit, actual });
    return false;
  }
  return true;
}

function checkSize(core: Core, command: PlaceOrder, market: Market): boolean {
  const most = core.bounds.orderLots;
  const { lots: actual, budgetMicros } = command;
  if (budgetMicros !== 0) {
    const details = { field: 'budgetMicros', limit: 0, actual: budgetMicros };
    reject(core, 'amount_out_of_bounds', details);
    return false;
  }
  if (!isWhole(actual, 1, most)) {
    reject(core, 'size_out_of_bounds', { field: 'lots', limit: `1..${most}`, actual });
    return false;
  }
  const limit = market.terms.minimumLots;
  if (canRest(command) && actual < limit) {
    reject(core, 'size_below_minimum', { field: 'lots', limit, actual });
    return false;
  }
  return true;
}

function canRest(command: PlaceOrder): boolean {
  return command.type === 'GTC' || command.type === 'GTD';
}

function checkLiveOrders(core: Core, command: PlaceOrder, account: number): boolean {
  const limit = core.bounds.liveOrdersPerAccount;
  const actual = core.ledger.liveOrders[account] ?? 0;
  if (!canRest(command) || actual < limit) return true;
  reject(core, 'too_many_live_orders', { field: 'account', limit, actual });
  return false;
}

/** Makes `core.taker` of an order; `account` is NONE for one that would open. */
export function beginTaker(core: Core, command: PlaceOrder, token: Token, account: number): void {
  const { taker } = core;
  taker.account = account;
  // Its owner was compared; only one that opens with this order is looked for by its text.
  taker.ownerIndex =
    account === NONE
      ? core.ledger.findOwnerIndex(command.owner)
      : core.ledger.accounts[account]!.ownerIndex;
  taker.position = core.positions.find(account, token.market.index);
  taker.begin(command, token.market, token.outcome);
}

/** Lets a new order be charged by what is in force now. */
function beginFees(core: Core, command: PlaceOrder, market: Market): void {
  const schedule = scheduleFor(core, market, command);
  if (schedule === undefined) return;
  const { taker } = core;
  const fees = new OrderFees(schedule, { ...command, isSell: taker.isSell });
  taker.beginFees(fees, availableMicros(core, command));
}

/** Cash that an order has to draw on: that of an account that opens with it is there at once. */
function availableMicros({ taker, ledger }: Core, command: PlaceOrder): number {
  return taker.account === NONE
    ? command.opens!.paperMicros
    : ledger.availableMicros[taker.account]!;
}

/** The whole worst cost has to be available, price improvement or not. */
function checkBalance(core: Core, command: PlaceOrder): boolean {
  const { taker, ledger, positions } = core;
  if (taker.isSell) {
    const available = positions.available(taker.position, taker.outcome);
    const required = command.lots;
    if (available >= required) return true;
    const held = positions.held(taker.position, taker.outcome);
    const asset = command.tokenId;
    reject(core, 'not_enough_tokens', { field: 'account', asset, required, available, held });
    return false;
  }
  const available = availableMicros(core, command);
  const required = taker.requiredMicros(command);
  if (available >= required) return true;
  const held = ledger.heldMicros[taker.account] ?? 0;
  reject(core, 'not_enough_cash', { field: 'account', asset: 'cash', required, available, held });
  return false;
}

/** Why the book does not allow an order. */
interface BookFault extends RejectDetails {
  readonly code: RejectCode;
}

function checkBook(core: Core, command: PlaceOrder, market: Market): boolean {
  const fault = bookFault(core, command, market);
  if (fault === undefined) return true;
  const { code, ...details } = fault;
  reject(core, code, details);
  return false;
}

/** The order of `core.taker` beside the book as it is now; changes nothing. */
export function bookFault(core: Core, command: PlaceOrder, market: Market): BookFault | undefined {
  const { taker } = core;
  const best = bestOpposite(market, taker);
  if (command.postOnly) {
    if (!taker.crosses(best)) return undefined;
    const limit = taker.priceAt(market, best);
    const actual = command.priceTicks;
    return { code: 'post_only_would_cross', field: 'priceTicks', limit, actual };
  }
  if (canRest(command) && oppositeCount(market, taker.isBid) <= core.bounds.fillsPerCommand) {
    return undefined;
  }
  const hitBound = dryRun(core, market, command.type === 'FAK');
  const fault = surveyFault(core, command, market, hitBound);
  taker.rewind(command);
  return fault;
}

function oppositeCount(market: Market, isBid: boolean): number {
  return isBid ? market.book.askCount : market.book.bidCount;
}

function surveyFault(
  core: Core,
  command: PlaceOrder,
  market: Market,
  hitBound: boolean,
): BookFault | undefined {
  const { taker } = core;
  const field = taker.isBudget ? 'budgetMicros' : 'lots';
  const filled = taker.filledLots > 0;
  if (hitBound && !(command.type === 'FAK' && filled)) {
    return { code: 'too_many_fills', field, limit: core.bounds.fillsPerCommand };
  }
  if (command.type === 'FOK' && !(filled && taker.isSatisfied())) {
    const limit = taker.isBudget ? taker.filledMicros : taker.filledLots;
    return { code: 'fill_or_kill_unfilled', field, limit, actual: command[field] };
  }
  if (command.type === 'FAK' && !filled) {
    const best = bestOpposite(market, taker);
    const actual = command.priceTicks;
    const limit = best === NONE ? {} : { limit: taker.priceAt(market, best) };
    return { code: 'nothing_to_match', field: 'priceTicks', ...limit, actual };
  }
  return undefined;
}

/** Matches the order of `core.taker` as far as it goes; what is left rests or is released. */
export function execute(core: Core, command: PlaceOrder, market: Market, handle: number): void {
  const { orders, taker } = core;
  const { orderId } = command;
  match(core, market);
  // A budget names no size: what it bought is its size.
  const size = taker.isBudget ? taker.filledLots : command.lots;
  orders.setFilled(handle, size, taker.leftLots, taker.filledMicros);
  if (taker.isSatisfied()) {
    closeOrder(core, handle, 'matched', orderId);
  } else if (taker.stoppedBySelfTrade) {
    closeOrder(core, handle, 'self_trade', orderId);
  } else if (taker.isTripped && canRest(command)) {
    closeOrder(core, handle, 'switch_tripped', orderId);
  } else if (canRest(command)) {
    restOrder(core, market, handle);
    reportLevel(core, market, taker.limitLevel, taker.isBid);
  } else {
    closeOrder(core, handle, 'remainder_released', orderId);
  }
  checkMarket(core, market);
}

function accept(core: Core, command: PlaceOrder, market: Market): number {
  const { orders, taker } = core;
  const { side, type, postOnly } = command;
  if (taker.position === NONE) taker.position = core.positions.add(taker.account, market.index);
  // The id in hand is still the one that was looked for.
  const handle = orders.allocate(core.idWords, traitsOf(taker.outcome, side, type, postOnly));
  core.ids.add(core.ids.hash(core.idWords, 0), handle);
  orders.setOwner(handle, taker.account, market.index, taker.position);
  orders.setPriceTicks(handle, command.priceTicks);
  orders.setTimes(handle, core.seq, core.timeMs, command.expiresAtMs);
  if (taker.fees !== undefined) chargeFrom(core, handle, taker.fees);
  core.events.push({
    kind: 'order_accepted',
    orderId: command.orderId,
    account: command.account,
    conditionId: market.terms.conditionId,
  });
  return handle;
}

/** From here on the order is charged by what it was accepted with. */
function chargeFrom({ orders, orderFees }: Core, handle: number, fees: OrderFees): void {
  orders.setHasFees(handle);
  orderFees.set(handle, fees);
}
