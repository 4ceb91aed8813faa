/**
 * Cancels: named orders, or all of an owner within a market or token, always in the order in which
 * they were accepted (design 4). An order that is not the owner's is treated as if it were not
 * there; one in a halted market stays, and so does one that is delayed.
 */

import { NONE } from '../book/index.ts';
import type { CancelAll, CancelOrders, CloseReason } from '../model/index.ts';
import { HALTED } from '../model/index.ts';
import {
  type Core,
  cancelResting,
  isExchangeRunning,
  type Market,
  reject,
} from '../state/index.ts';
import { restingHandles } from '../views/index.ts';
import { delayedHandles, endOrder } from './delayed-orders.ts';

export function cancelOrders(core: Core, command: CancelOrders): void {
  const { orders } = core;
  const limit = core.bounds.cancelsPerCommand;
  const actual = command.orderIds.length;
  if (actual > limit) {
    reject(core, 'too_many_order_ids', { field: 'orderIds', limit, actual });
    return;
  }
  if (!isExchangeRunning(core)) return;
  const { owner, orderIds } = command;
  if (orderIds.length === 1) {
    const orderId = orderIds[0]!;
    const handle = findCancelable(core, owner, orderId);
    if (handle !== NONE) cancelResting(core, handle, 'canceled', orderId);
    return;
  }
  for (const { handle, orderId } of inOrderOfAcceptance(core, owner, orderIds)) {
    // The same id may stand twice in the list.
    if (orders.isLive(handle)) cancelResting(core, handle, 'canceled', orderId);
  }
}

/** An order that a command names and its owner can cancel. */
interface Found {
  readonly orderId: string;
  readonly handle: number;
  readonly acceptedSeq: number;
}

function inOrderOfAcceptance(core: Core, owner: string, orderIds: readonly string[]): Found[] {
  const found: Found[] = [];
  for (const orderId of orderIds) {
    const handle = findCancelable(core, owner, orderId);
    if (handle === NONE) continue;
    found.push({ orderId, handle, acceptedSeq: core.orders.acceptedSeq(handle) });
  }
  return found.sort((a, b) => a.acceptedSeq - b.acceptedSeq);
}

/** The order of an id; NONE if its owner can't cancel it. */
function findCancelable(core: Core, owner: string, orderId: string): number {
  const { orders, ledger } = core;
  const handle = core.findOrder(orderId);
  // Below 0 are closed orders, and NONE.
  const canBe =
    handle >= 0 &&
    !orders.isDelayed(handle) &&
    !isHalted(core, handle) &&
    ledger.accounts[orders.account(handle)]!.owner === owner;
  return canBe ? handle : NONE;
}

export function cancelAll(core: Core, command: CancelAll): void {
  const { conditionId, tokenId } = command;
  const market = core.marketByCondition.get(conditionId);
  const token = core.findToken(tokenId);
  if (conditionId !== '' && market === undefined) {
    reject(core, 'market_unknown', { field: 'conditionId', actual: conditionId });
    return;
  }
  if (tokenId !== '' && token === undefined) {
    reject(core, 'token_unknown', { field: 'tokenId', actual: tokenId });
    return;
  }
  if (!isExchangeRunning(core)) return;
  const { orders } = core;
  const isMeant = (handle: number): boolean => {
    const inMarket = market === undefined || orders.market(handle) === market.index;
    const inToken =
      token === undefined ||
      (orders.market(handle) === token.market.index && orders.outcome(handle) === token.outcome);
    return inMarket && inToken && !orders.isDelayed(handle) && !isHalted(core, handle);
  };
  cancelEvery(core, command.owner, 'canceled', isMeant);
}

/** Cancels everybody's live orders in a market, in the order of their acceptance. */
export function cancelMarket(core: Core, market: Market, reason: CloseReason): void {
  const handles = [true, false].flatMap((isBid) => [...restingHandles(core, market, isBid)]);
  handles.push(...delayedHandles(core, market));
  const { orders } = core;
  handles.sort((a, b) => orders.acceptedSeq(a) - orders.acceptedSeq(b));
  for (const handle of handles) endOrder(core, handle, reason);
}

function isHalted(core: Core, handle: number): boolean {
  return core.markets[core.orders.market(handle)]!.status === HALTED;
}

/** Cancels an owner's live orders, of all its accounts, in the order of their acceptance. */
export function cancelEvery(
  core: Core,
  owner: string,
  reason: CloseReason,
  isMeant: (handle: number) => boolean = () => true,
): void {
  let handle = core.ledger.findOwner(owner)?.firstOrder ?? NONE;
  while (handle !== NONE) {
    const next = core.orders.ownerNext(handle);
    if (isMeant(handle)) endOrder(core, handle, reason);
    handle = next;
  }
}
