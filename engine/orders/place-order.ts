/**
 * Placing an order. First come all checks, in a fixed order of precedence: the id (so that a retry
 * is answered whatever has changed since), account, owner and standing, the market and its state,
 * times, price, size, live orders, balance, the book, and last the bounds of delayed orders. Then
 * the order is accepted and executed or delayed. A refused order changes nothing.
 */

import { addAccount, mayOpen, mayTrade } from '../accounts/index.ts';
import { NONE, traitsOf } from '../book/index.ts';
import { OrderFees, type OrderSchedule } from '../fees/index.ts';
import { ORDER_ACCEPTED } from '../log/index.ts';
import type { Lots, Micros, OrderInput, OrderPreview } from '../model/index.ts';
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

export function placeOrder(state: EngineState, input: OrderInput): void {
  const market = checkOrder(state, input);
  if (market === undefined) return;
  if (state.taker.account === NONE) openTakerAccount(state, input);
  const handle = accept(state, input, market);
  if (delayMsFor(state, market) > 0) delayOrder(state, input, market, handle);
  else execute(state, input, market, handle);
}

/** What an order that passes all checks would do. */
type Outlook = Omit<OrderPreview, 'event'>;

/**
 * Checks an order like `placeOrder` and returns what it would do; undefined for an order that is
 * refused or known, of which the last event tells. Changes nothing else.
 */
export function previewOrder(state: EngineState, input: OrderInput): Outlook | undefined {
  const market = checkOrder(state, input);
  if (market === undefined) return undefined;
  const { taker } = state;
  const delayMs = delayMsFor(state, market);
  dryRun(state, market, false);
  const { filledLots, filledMicros, leftLots, stoppedBySelfTrade } = taker;
  const rests = canRest(input) && !stoppedBySelfTrade;
  return {
    filledLots,
    filledMicros,
    restingLots: rests ? leftLots : (0 as Lots),
    feeMicros: taker.fees?.chargedMicros ?? (0 as Micros),
    delayMs,
  };
}

/** Runs all checks and sets up `state.taker`; undefined for an order that is refused or known. */
function checkOrder(state: EngineState, input: OrderInput): Market | undefined {
  if (!isNewOrder(state, input)) return undefined;
  if (!mayUseAccount(state, input)) return undefined;
  const { account, opens } = input;
  const owner = opens?.owner ?? state.ledger.accounts[account]!.owner;
  if (!mayTrade(state, account, owner, input.side)) return undefined;
  const token = state.token(input.token);
  if (token === undefined) {
    reject(state, 'token_unknown', { field: 'tokenId', actual: input.token });
    return undefined;
  }
  const { market } = token;
  if (!isOpen(state, market)) return undefined;
  if (!checkTimes(state, input)) return undefined;
  if (!checkPrice(state, input, market)) return undefined;
  if (!checkAmount(state, input, market)) return undefined;
  if (!checkLiveOrders(state, input)) return undefined;
  startTaker(state, input, token, account, input.owner);
  startFees(state, input, market);
  if (!checkBalance(state, input, token)) return undefined;
  if (!checkBook(state, input, market)) return undefined;
  return hasRoomForDelay(state, input, market) ? market : undefined;
}

/** Whether the signer owns the account, or may open it with the order. */
function mayUseAccount(state: EngineState, { account, owner, opens }: OrderInput): boolean {
  if (account === NONE) {
    if (opens !== undefined) return mayOpen(state, opens);
    return reject(state, 'account_unknown', { field: 'account', actual: account });
  }
  const known = state.ledger.accounts[account]!;
  if (known.ownerIndex === owner) return true;
  return reject(state, 'account_not_yours', { field: 'account', actual: known.address });
}

/** Opens the account of an order that passed all checks. */
function openTakerAccount(state: EngineState, { opens }: OrderInput): void {
  const account = addAccount(state, opens!);
  state.taker.account = account;
  state.taker.ownerIndex = state.ledger.accounts[account]!.ownerIndex;
}

/** Adds fees at the present rates to the taker. */
function startFees(state: EngineState, input: OrderInput, market: Market): void {
  const schedule = scheduleFor(state, market, input);
  if (schedule === undefined) return;
  const { taker, ledger } = state;
  const fees = new OrderFees(schedule, { ...input, isSell: taker.isSell });
  // The play money of an account that opens with the order is available at once.
  const spendableMicros =
    taker.account === NONE ? input.opens!.paperMicros : ledger.availableMicros[taker.account]!;
  taker.startFees(fees, spendableMicros);
}

/** The rates that are in force for an order; undefined for none. */
function scheduleFor(
  { builders }: EngineState,
  { schedules }: Market,
  { builder: index }: OrderInput,
): OrderSchedule | undefined {
  const builder = builders.at(index);
  return builder === undefined ? schedules.plain : schedules.withBuilder(builder);
}

/** The cost at the limit price has to be available, whatever the price of the fills will be. */
function checkBalance(state: EngineState, input: OrderInput, token: Token): boolean {
  const { taker } = state;
  if (taker.isSell) return hasTokens(state, taker.position, token, input.lots);
  const required = taker.requiredMicros(input);
  if (taker.account !== NONE) return hasCash(state, taker.account, required);
  const available = input.opens!.paperMicros;
  if (available >= required) return true;
  const details = { field: 'account', asset: 'cash', required, available, held: 0 };
  return reject(state, 'not_enough_cash', details);
}

function checkBook(state: EngineState, input: OrderInput, market: Market): boolean {
  const fault = bookFault(state, input, market);
  if (fault === undefined) return true;
  const { code, ...details } = fault;
  return reject(state, code, details);
}

/** Stores an order that passed all checks and reports its acceptance. Returns its handle. */
function accept(state: EngineState, input: OrderInput, market: Market): number {
  const { orders, taker } = state;
  const { side, type, postOnly } = input;
  if (taker.position === NONE) taker.position = state.positions.add(taker.account, market.index);
  const handle = orders.allocate(input.orderId, traitsOf(taker.outcome, side, type, postOnly));
  state.ids.add(state.ids.hash(input.orderId, 0), handle);
  orders.setOwner(handle, taker.account, market.index, taker.position);
  orders.setPriceTicks(handle, input.priceTicks);
  orders.setTimes(handle, state.seq, state.timeMs, input.expiresAtMs);
  if (taker.fees !== undefined) {
    orders.setHasFees(handle);
    state.orderFees.set(handle, taker.fees);
  }
  taker.announcedAt = state.events.order(ORDER_ACCEPTED, orders, handle);
  return handle;
}
