/**
 * Ends many orders for a command that takes effect without them: a market that closes or resolves,
 * an event that resolves, a pause, a ban. A market may have hundreds of thousands of orders, so a
 * command ends as many as the work of a step allows and is kept in `state.clearing`. The next
 * command first performs it again, which ends the next ones, until none is left and it takes
 * effect. No other command runs meanwhile, so nothing trades with what is left.
 *
 * Order: the bids of a market from the best price on, each level from its oldest order on, then the
 * asks, then delayed orders in order of acceptance; the orders of an owner in order of acceptance.
 */
import { NONE } from '../book/index.ts';
import type { CloseReason } from '../model/index.ts';
import type { EngineState } from '../state/engine-state.ts';
import type { Market } from '../state/market.ts';
import { delayedHandles, endOrder } from './delayed-orders.ts';

/** Ends the orders in markets, delayed ones included. Returns whether none is left. */
export function clearMarkets(
  state: EngineState,
  markets: readonly Market[],
  reason: CloseReason,
): boolean {
  return markets.every(
    (market) =>
      endSome(state, market.book.handles(true), reason) &&
      endSome(state, market.book.handles(false), reason) &&
      clearDelayed(state, market, reason),
  );
}

/** Ends the delayed orders of a market, or all if it is undefined. Returns whether none is left. */
export function clearDelayed(
  state: EngineState,
  market: Market | undefined,
  reason: CloseReason,
): boolean {
  return endSome(state, delayedHandles(state, market), reason);
}

/** Ends those orders of an owner that satisfy a condition. Returns whether none is left. */
export function clearOwner(
  state: EngineState,
  owner: string,
  reason: CloseReason,
  condition: (handle: number) => boolean = () => true,
): boolean {
  return endSome(state, ownHandles(state, owner, condition), reason);
}

function* ownHandles(
  { ledger, orders }: EngineState,
  owner: string,
  condition: (handle: number) => boolean,
): Generator<number> {
  let handle = ledger.findOwner(owner)?.firstOrder ?? NONE;
  for (; handle !== NONE; handle = orders.ownerNext(handle)) if (condition(handle)) yield handle;
}

function endSome(state: EngineState, handles: Iterable<number>, reason: CloseReason): boolean {
  // Listed first, because an order that ends leaves the lists that are walked.
  const some: number[] = [];
  let isLast = true;
  for (const handle of handles) {
    if (some.length >= state.workLeft) {
      isLast = false;
      break;
    }
    some.push(handle);
  }
  for (const handle of some) endOrder(state, handle, reason);
  state.workLeft -= some.length;
  return isLast;
}
