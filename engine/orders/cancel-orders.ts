/**
 * Cancels orders by id, or all orders of an owner, or all those in one market or token, in order of
 * acceptance. A cancel of all may be a step that stops after some orders; its sender then sends the
 * next one. An order of another owner is treated as unknown. Orders in a halted market and
 * delayed orders stay. See docs/decisions/0009-what-owners-can-take-back.md.
 */

import { ID_WORDS, NONE } from '../book/index.ts';
import type { CancelAll, CancelInput, CancelStep, CloseReason, OrderId } from '../model/index.ts';
import { HALTED, isWhole } from '../model/index.ts';
import {
  cancelResting,
  type EngineState,
  findMarket,
  isExchangeRunning,
  reject,
} from '../state/index.ts';
import { endOrder } from './delayed-orders.ts';

export function cancelOrders(state: EngineState, { owner, orderIds }: CancelInput): void {
  const { orders } = state;
  const limit = state.bounds.cancelsPerCommand;
  const actual = orderIds.length / ID_WORDS;
  if (actual > limit) {
    reject(state, 'too_many_order_ids', { field: 'orderIds', limit, actual });
    return;
  }
  if (!isExchangeRunning(state)) return;
  if (actual === 1) {
    const handle = findCancelable(state, owner, orderIds);
    if (handle !== NONE) cancelResting(state, handle, 'canceled');
    return;
  }
  const handles: number[] = [];
  for (let at = 0; at < orderIds.length; at += ID_WORDS) {
    const handle = findCancelable(state, owner, orderIds.subarray(at, at + ID_WORDS));
    if (handle !== NONE) handles.push(handle);
  }
  handles.sort((a, b) => orders.acceptedSeq(a) - orders.acceptedSeq(b));
  for (const handle of handles) {
    // The list may contain an id twice.
    if (orders.isLive(handle)) cancelResting(state, handle, 'canceled');
  }
}

/** The handle of an order that this owner can cancel; NONE for any other id. */
function findCancelable(state: EngineState, owner: number, orderId: OrderId): number {
  const { orders, ledger } = state;
  const handle = state.ids.find(orderId);
  // Entries below 0 are closed orders, and NONE.
  const isCancelable =
    handle >= 0 &&
    !orders.isDelayed(handle) &&
    !isHalted(state, handle) &&
    ledger.accounts[orders.account(handle)]!.ownerIndex === owner;
  return isCancelable ? handle : NONE;
}

export function cancelAll(state: EngineState, command: CancelAll): void {
  const { owner, conditionId, tokenId, step } = command;
  const { orders } = state;
  if (step !== undefined && !isStepSize(state, step.most)) return;
  const market = conditionId === '' ? undefined : findMarket(state, conditionId);
  if (conditionId !== '' && market === undefined) return;
  const token = state.findToken(tokenId);
  if (tokenId !== '' && token === undefined) {
    reject(state, 'token_unknown', { field: 'tokenId', actual: tokenId });
    return;
  }
  if (!isExchangeRunning(state)) return;
  cancelWhere(
    state,
    owner,
    'canceled',
    (handle) => {
      const inMarket = market === undefined || orders.market(handle) === market.index;
      const inToken =
        token === undefined ||
        (orders.market(handle) === token.market.index && orders.outcome(handle) === token.outcome);
      return inMarket && inToken && !orders.isDelayed(handle) && !isHalted(state, handle);
    },
    step,
  );
}

function isHalted(state: EngineState, handle: number): boolean {
  return state.markets[state.orders.market(handle)]!.status === HALTED;
}

/** Whether a step may cancel so many orders. */
export function isStepSize(state: EngineState, actual: number): boolean {
  const limit = state.bounds.cancelsPerCommand;
  if (isWhole(actual, 1, limit)) return true;
  return reject(state, 'too_many_order_ids', { field: 'most', limit, actual });
}

const NO_STEP: CancelStep = { most: Number.POSITIVE_INFINITY };

/**
 * Cancels the orders of an owner that satisfy a condition, in order of acceptance, as far as the
 * step goes. Returns their number.
 */
export function cancelWhere(
  state: EngineState,
  owner: string,
  reason: CloseReason,
  condition: (handle: number) => boolean,
  { upToSeq = Number.POSITIVE_INFINITY, most }: CancelStep = NO_STEP,
): number {
  const { orders } = state;
  let canceled = 0;
  let handle = state.ledger.findOwner(owner)?.firstOrder ?? NONE;
  while (handle !== NONE && canceled < most && orders.acceptedSeq(handle) <= upToSeq) {
    const next = orders.ownerNext(handle);
    if (condition(handle)) {
      endOrder(state, handle, reason);
      canceled += 1;
    }
    handle = next;
  }
  return canceled;
}
