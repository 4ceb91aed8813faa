/**
 * Placing an order. First come all checks, in a fixed order of precedence: the id (so that a retry
 * is answered whatever has changed since), account, owner and standing, the market and its state,
 * times, price, size, live orders, balance, the book, and last the bounds of delayed orders. Then
 * the order is accepted and executed or delayed. A refused order changes nothing.
 */

import { addAccount, isOwned, mayOpen, mayTrade, type NewAccount } from '../accounts/index.ts';
import { NONE, traitsOf } from '../book/index.ts';
import { OrderFees, type OrderSchedule } from '../fees/index.ts';
import type {
  Lots,
  Micros,
  OrderDuplicate,
  OrderPreview,
  PlaceOrder,
  Rejected,
} from '../model/index.ts';
import {
  type EngineState,
  hasCash,
  hasTokens,
  isOpen,
  type Market,
  reject,
  type Token,
} from '../state/index.ts';
import { delayMsFor, delayOrder, hasRoomForDelay } from './delayed-orders.ts';
import { bookFault, execute, startTaker } from './execute-order.ts';
import { dryRun } from './matching.ts';
import {
  canRest,
  checkAmount,
  checkLiveOrders,
  checkPrice,
  checkTimes,
  isNewOrder,
} from './order-checks.ts';

export function placeOrder(state: EngineState, command: PlaceOrder): void {
  const market = checkOrder(state, command);
  if (market === undefined) return;
  if (state.taker.account === NONE) openTakerAccount(state, command);
  const handle = accept(state, command, market);
  if (delayMsFor(state, market) > 0) delayOrder(state, command, market, handle);
  else execute(state, command, market, handle);
}

/** Checks an order like `placeOrder` and reports what it would do. Changes nothing. */
export function previewOrder(state: EngineState, command: PlaceOrder): OrderPreview {
  const none = { filledLots: 0 as Lots, filledMicros: 0 as Micros, restingLots: 0 as Lots };
  const market = checkOrder(state, command);
  if (market === undefined) {
    // Safe: the last event that a failed check pushes is one of these two.
    const event = state.events.at(-1) as Rejected | OrderDuplicate;
    return { event, ...none, feeMicros: 0 as Micros, delayMs: 0 };
  }
  const { taker } = state;
  const delayMs = delayMsFor(state, market);
  dryRun(state, market, false);
  const { filledLots, filledMicros, leftLots, stoppedBySelfTrade } = taker;
  const rests = canRest(command) && !stoppedBySelfTrade;
  return {
    event: undefined,
    filledLots,
    filledMicros,
    restingLots: rests ? leftLots : none.restingLots,
    feeMicros: taker.fees?.chargedMicros ?? (0 as Micros),
    delayMs,
  };
}

/** Runs all checks and sets up `state.taker`; undefined for an order that is refused or known. */
function checkOrder(state: EngineState, command: PlaceOrder): Market | undefined {
  if (!isNewOrder(state, command)) return undefined;
  const account = state.ledger.findAccount(command.account);
  if (!mayUseAccount(state, command, account)) return undefined;
  if (!mayTrade(state, account, command.owner, command.side)) return undefined;
  const token = state.findToken(command.tokenId);
  if (token === undefined) {
    reject(state, 'token_unknown', { field: 'tokenId', actual: command.tokenId });
    return undefined;
  }
  const { market } = token;
  if (!isOpen(state, market)) return undefined;
  if (!checkTimes(state, command)) return undefined;
  if (!checkPrice(state, command, market)) return undefined;
  if (!checkAmount(state, command, market)) return undefined;
  if (!checkLiveOrders(state, command, account)) return undefined;
  startTaker(state, command, token, account);
  startFees(state, command, market);
  if (!checkBalance(state, command, token)) return undefined;
  if (!checkBook(state, command, market)) return undefined;
  return hasRoomForDelay(state, command, market) ? market : undefined;
}

function mayUseAccount(state: EngineState, command: PlaceOrder, account: number): boolean {
  const opening = account === NONE ? newAccountOf(command) : undefined;
  return opening === undefined ? isOwned(state, command, account) : mayOpen(state, opening);
}

/** The account that opens with the order; undefined if the order can't open one. */
function newAccountOf({ account: address, owner, opens }: PlaceOrder): NewAccount | undefined {
  return opens && { address, owner, ...opens };
}

/** Opens the account of an order that passed all checks. */
function openTakerAccount(state: EngineState, command: PlaceOrder): void {
  const account = addAccount(state, newAccountOf(command)!);
  state.taker.account = account;
  state.taker.ownerIndex = state.ledger.accounts[account]!.ownerIndex;
}

/** Adds fees at the present rates to the taker. */
function startFees(state: EngineState, command: PlaceOrder, market: Market): void {
  const schedule = scheduleFor(state, market, command);
  if (schedule === undefined) return;
  const { taker, ledger } = state;
  const fees = new OrderFees(schedule, { ...command, isSell: taker.isSell });
  // The play money of an account that opens with the order is available at once.
  const spendableMicros =
    taker.account === NONE ? command.opens!.paperMicros : ledger.availableMicros[taker.account]!;
  taker.startFees(fees, spendableMicros);
}

/** The rates that are in force for an order; undefined for none. */
function scheduleFor(
  { builders }: EngineState,
  { schedules }: Market,
  { builder: code }: PlaceOrder,
): OrderSchedule | undefined {
  if (code === undefined || builders.size === 0) return schedules.plain;
  const builder = builders.get(code);
  return builder === undefined ? schedules.plain : schedules.withBuilder(builder);
}

/** The cost at the limit price has to be available, whatever the price of the fills will be. */
function checkBalance(state: EngineState, command: PlaceOrder, token: Token): boolean {
  const { taker } = state;
  if (taker.isSell) return hasTokens(state, taker.position, token, command.lots);
  const required = taker.requiredMicros(command);
  if (taker.account !== NONE) return hasCash(state, taker.account, required);
  const available = command.opens!.paperMicros;
  if (available >= required) return true;
  const details = { field: 'account', asset: 'cash', required, available, held: 0 };
  return reject(state, 'not_enough_cash', details);
}

function checkBook(state: EngineState, command: PlaceOrder, market: Market): boolean {
  const fault = bookFault(state, command, market);
  if (fault === undefined) return true;
  const { code, ...details } = fault;
  return reject(state, code, details);
}

/** Stores an order that passed all checks and reports its acceptance. Returns its handle. */
function accept(state: EngineState, command: PlaceOrder, market: Market): number {
  const { orders, taker } = state;
  const { orderId, account, side, type, postOnly } = command;
  if (taker.position === NONE) taker.position = state.positions.add(taker.account, market.index);
  // `state.idWords` still holds the id that `isNewOrder` read.
  const handle = orders.allocate(state.idWords, traitsOf(taker.outcome, side, type, postOnly));
  state.ids.add(state.ids.hash(state.idWords, 0), handle);
  orders.setOwner(handle, taker.account, market.index, taker.position);
  orders.setPriceTicks(handle, command.priceTicks);
  orders.setTimes(handle, state.seq, state.timeMs, command.expiresAtMs);
  if (taker.fees !== undefined) {
    orders.setHasFees(handle);
    state.orderFees.set(handle, taker.fees);
  }
  const { conditionId } = market.terms;
  state.events.push({ kind: 'order_accepted', orderId, account, conditionId });
  return handle;
}
