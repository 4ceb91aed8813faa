/**
 * Price-time-priority matching on the one book of a market. `dryRun` finds out what an order would
 * do, and `match` does it; both meet the same resting orders in the same order. A fill is a
 * transfer, a mint or a merge (docs/decisions/0004-one-book-per-market.md). Invariant: a fill is at
 * the resting order's price; a transfer conserves cash and tokens, a mint turns the cash of both
 * sides into complete sets, and a merge turns sets into the cash of both sides. Bounds:
 * `fillsPerCommand` resting orders met by an order, and `state.workLeft` in a command.
 */

import { NONE } from '../book/index.ts';
import {
  MAKER_OUTCOME_BIT,
  MAKER_SELL_BIT,
  TAKER_OUTCOME_BIT,
  TAKER_SELL_BIT,
} from '../log/index.ts';
import {
  cashFor,
  complement,
  invariant,
  type Lots,
  type Micros,
  ONE_TICKS,
  type Ticks,
} from '../model/index.ts';
import type { Market, Taker } from '../state/index.ts';
import {
  changeSets,
  closeOrder,
  closeResting,
  type EngineState,
  reportLevel,
} from '../state/index.ts';
import { collectFees } from './collect-fees.ts';

/** The best level of the side that a taker trades with, or NONE. */
export function bestOpposite(market: Market, taker: Taker): number {
  return taker.isBid ? market.book.bestAsk : market.book.bestBid;
}

/**
 * Fills only `state.taker`, which says afterwards what would be filled, and changes nothing else.
 * With `untilFirstFill` it stops at the first fill. Returns whether the bound stopped it.
 */
export function dryRun(state: EngineState, market: Market, untilFirstFill: boolean): boolean {
  const { taker } = state;
  let level = bestOpposite(market, taker);
  while (taker.crosses(level)) {
    const price = taker.priceAt(market, level);
    if (!taker.canFillAt(price)) return false;
    let maker = market.book.head(level);
    while (maker !== NONE && taker.canFillAt(price)) {
      if (taker.makersMet === state.bounds.fillsPerCommand) return !taker.isSatisfied();
      taker.makersMet += 1;
      if (isOwn(state, maker)) {
        if (taker.selfTrade !== 'cancel_maker') {
          taker.stoppedBySelfTrade = true;
          return false;
        }
      } else {
        taker.fill(taker.fillableLots(price, state.orders.remainingLots(maker)), price);
        if (untilFirstFill && taker.filledLots > 0) return false;
      }
      maker = state.orders.next(maker);
    }
    level = market.book.worse(level, !taker.isBid);
  }
  return false;
}

/** Matches `state.taker` as far as possible, or until the work of the command is done. */
export function match(state: EngineState, market: Market): void {
  const { taker } = state;
  let stopped = false;
  while (!stopped) {
    const level = bestOpposite(market, taker);
    if (!taker.crosses(level) || !taker.canFillAt(taker.priceAt(market, level))) return;
    const before = market.book.lotsAt(level);
    stopped = matchLevel(state, market, level);
    if (market.book.lotsAt(level) !== before) reportLevel(state, market, level, !taker.isBid);
  }
}

/** Returns whether matching has to stop although the taker could fill more. */
function matchLevel(state: EngineState, market: Market, level: number): boolean {
  const { taker } = state;
  const price = taker.priceAt(market, level);
  let maker = market.book.head(level);
  while (maker !== NONE && taker.canFillAt(price)) {
    if (taker.makersMet === state.bounds.fillsPerCommand) return true;
    if (state.workLeft <= 0) {
      taker.isUnfinished = true;
      return true;
    }
    taker.makersMet += 1;
    state.workLeft -= 1;
    const next = state.orders.next(maker);
    if (isOwn(state, maker)) {
      const mode = taker.selfTrade;
      if (mode !== 'cancel_taker') closeResting(state, maker, 'self_trade');
      if (mode !== 'cancel_maker') {
        taker.stoppedBySelfTrade = true;
        return true;
      }
    } else {
      const size = taker.fillableLots(price, state.orders.remainingLots(maker));
      fill(state, market, maker, level, size, price);
    }
    maker = next;
  }
  return false;
}

/** All accounts of an owner count as own, and so do orders for the other outcome. */
function isOwn(state: EngineState, maker: number): boolean {
  return state.ledger.accounts[state.orders.account(maker)]!.ownerIndex === state.taker.ownerIndex;
}

/** `price` is in the taker's outcome. */
function fill(
  state: EngineState,
  market: Market,
  maker: number,
  level: number,
  size: Lots,
  price: Ticks,
): void {
  const { orders, taker, events } = state;
  settle(state, market, maker, size, price);
  const fees = collectFees(state, maker, size);
  const remaining = orders.fill(maker, size, cashFor(size, orders.priceTicks(maker)));
  market.book.reduce(level, size);
  if (taker.bucketLevel !== level || taker.bucketMakers === state.bounds.makersPerTrade) {
    taker.bucket += 1;
    taker.bucketLevel = level;
    taker.bucketMakers = 0;
  }
  taker.bucketMakers += 1;
  const event = events.fill(orders, maker, size);
  events.fillTaker(event, codeOf(state, maker), taker.account, price);
  events.fillPlace(event, taker.bucket, taker.announcedAt);
  if (fees !== undefined) events.fillFees(event, fees);
  if (remaining === 0) {
    market.book.delete(maker);
    closeOrder(state, maker, 'matched');
  }
}

/** Outcomes and sides of a fill, as the event has them. */
function codeOf({ orders, taker }: EngineState, maker: number): number {
  return (
    (taker.outcome === 1 ? TAKER_OUTCOME_BIT : 0) |
    (taker.isSell ? TAKER_SELL_BIT : 0) |
    (orders.outcome(maker) === 1 ? MAKER_OUTCOME_BIT : 0) |
    (orders.isSell(maker) ? MAKER_SELL_BIT : 0)
  );
}

/** Moves the cash and tokens of a fill: available ones of the taker, held ones of the maker. */
function settle(state: EngineState, market: Market, maker: number, size: Lots, price: Ticks): void {
  const { orders, positions, ledger, taker } = state;
  const makerOutcome = orders.outcome(maker);
  const makerPrice = orders.priceTicks(maker);
  const sameOutcome = makerOutcome === taker.outcome;
  invariant(
    makerPrice === (sameOutcome ? price : complement(price)),
    'both sides of a fill trade at one price, or at prices that add up to one',
  );
  const takerCash: Micros = taker.fill(size, price);
  if (taker.isSell) {
    positions.deliver(taker.position, taker.outcome, size);
    ledger.receive(taker.account, takerCash);
  } else {
    ledger.pay(taker.account, takerCash);
    positions.receive(taker.position, taker.outcome, size);
  }
  const account = orders.account(maker);
  const position = orders.position(maker);
  const makerCash = cashFor(size, makerPrice);
  const makerSells = orders.isSell(maker);
  if (makerSells) {
    positions.deliverHeld(position, makerOutcome, size);
    ledger.receive(account, makerCash);
  } else {
    ledger.payHeld(account, makerCash);
    positions.receive(position, makerOutcome, size);
  }
  if (sameOutcome) {
    invariant(makerSells !== taker.isSell, 'a transfer has one buyer and one seller');
    return;
  }
  invariant(
    makerSells === taker.isSell && takerCash + makerCash === size * ONE_TICKS,
    'a complete set is worth exactly one',
  );
  changeSets(state, market, taker.isSell ? -size : size);
}
