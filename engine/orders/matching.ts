/**
 * Price-time-priority matching on the one book of a market. `dryRun` finds out what an order would
 * do, and `match` does it; both meet the same resting orders in the same order. A fill is a
 * transfer, a mint or a merge (docs/decisions/0004-one-book-per-market.md). Invariant: a fill is at
 * the resting order's price; a transfer conserves cash and tokens, a mint turns the cash of both
 * sides into complete sets, and a merge turns sets into the cash of both sides; fees only move
 * between accounts. Bounds: `fillsPerCommand` resting orders met by an order, and `state.workLeft`
 * in a command.
 */

import { NONE } from '../book/index.ts';
import type { OrderFees } from '../fees/order-fees.ts';
import {
  cashFor,
  complement,
  type Fill,
  type FillFees,
  invariant,
  type Lots,
  type Match,
  type Micros,
  ONE_TICKS,
  type Side,
  type Ticks,
} from '../model/index.ts';
import { changeSets } from '../state/collateral.ts';
import type { EngineState } from '../state/engine-state.ts';
import { closeOrder, closeResting, feesOf, reportLevel } from '../state/live-orders.ts';
import type { Market } from '../state/market.ts';
import type { Taker } from '../state/taker.ts';

/** The best level of the side that a taker trades with, or NONE. */
export function bestOpposite(market: Market, taker: Taker): number {
  return taker.isBid ? market.book.bestAsk : market.book.bestBid;
}

/**
 * Fills only a taker, which says afterwards what would be filled, and changes nothing else. With
 * `untilFirstFill` it stops at the first fill. Returns whether the bound stopped it.
 */
export function dryRun(
  state: EngineState,
  taker: Taker,
  market: Market,
  untilFirstFill: boolean,
): boolean {
  let level = bestOpposite(market, taker);
  while (taker.crosses(level)) {
    const price = taker.priceAt(market, level);
    if (!taker.canFillAt(price)) return false;
    let maker = market.book.head(level);
    while (maker !== NONE && taker.canFillAt(price)) {
      if (taker.makersMet === state.bounds.fillsPerCommand) return !taker.isSatisfied();
      taker.makersMet += 1;
      if (isOwn(state, taker, maker)) {
        if (taker.selfTrade !== 'cancel_maker') {
          taker.stoppedBySelfTrade = true;
          return false;
        }
      } else {
        const size = taker.fillableLots(price, state.orders.remainingLots(maker));
        taker.fill(size, price);
        taker.fees?.charge(true, size, price);
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
    if (isOwn(state, taker, maker)) {
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
function isOwn({ ledger, orders }: EngineState, taker: Taker, maker: number): boolean {
  return ledger.accounts[orders.account(maker)]!.ownerIndex === taker.ownerIndex;
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
  const { orders, taker } = state;
  settle(state, market, maker, size, price);
  const fees = chargeFees(state, maker, size, price);
  const remaining = orders.fill(maker, size, cashFor(size, orders.priceTicks(maker)));
  market.book.reduce(level, size);
  if (taker.bucketLevel !== level) {
    taker.bucket += 1;
    taker.bucketLevel = level;
  }
  const event = fillEvent(state, market, maker, size, price);
  state.events.push(fees === undefined ? event : { ...event, fees });
  if (remaining === 0) {
    market.book.delete(maker);
    closeOrder(state, maker, 'matched', event.makerOrderId);
  }
}

/** A fill without its fees. */
function fillEvent(
  { orders, taker, ledger: { accounts } }: EngineState,
  market: Market,
  maker: number,
  size: Lots,
  price: Ticks,
): Fill {
  const takerSide = taker.isSell ? 'SELL' : 'BUY';
  const makerSide = orders.side(maker);
  return {
    kind: 'fill',
    conditionId: market.terms.conditionId,
    match: matchOf(takerSide, makerSide),
    takerOrderId: taker.orderId,
    makerOrderId: orders.id(maker),
    takerAccount: accounts[taker.account]!.address,
    makerAccount: accounts[orders.account(maker)]!.address,
    takerOutcome: taker.outcome,
    takerSide,
    makerOutcome: orders.outcome(maker),
    makerSide,
    takerPriceTicks: price,
    makerPriceTicks: orders.priceTicks(maker),
    lots: size,
    bucket: taker.bucket,
  };
}

function matchOf(takerSide: Side, makerSide: Side): Match {
  if (takerSide !== makerSide) return 'transfer';
  return takerSide === 'BUY' ? 'mint' : 'merge';
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

const NOTHING = 0 as Micros;

/**
 * Charges both orders of a fill, after its cash and tokens have moved. A BUY pays on top of its
 * price, a SELL out of its proceeds. `price` is the taker's. Returns undefined if neither order is
 * charged fees.
 */
function chargeFees(
  state: EngineState,
  maker: number,
  size: Lots,
  price: Ticks,
): FillFees | undefined {
  const { orders, ledger, taker } = state;
  const takerFees = taker.fees;
  const makerFees = feesOf(state, maker);
  if (takerFees === undefined && makerFees === undefined) return undefined;
  if (takerFees !== undefined) {
    takerFees.charge(true, size, price);
    ledger.pay(taker.account, takerFees.fillMicros);
    distribute(state, takerFees);
  }
  if (makerFees !== undefined) {
    makerFees.charge(false, size, orders.priceTicks(maker));
    const account = orders.account(maker);
    if (orders.isSell(maker)) ledger.pay(account, makerFees.fillMicros);
    else ledger.payHeld(account, makerFees.fillMicros);
    distribute(state, makerFees);
  }
  return {
    takerMicros: takerFees?.fillMicros ?? NOTHING,
    makerMicros: makerFees?.fillMicros ?? NOTHING,
    takerBuilderMicros: takerFees?.fillBuilderMicros ?? NOTHING,
    makerBuilderMicros: makerFees?.fillBuilderMicros ?? NOTHING,
    takerFeeBps: takerFees?.schedule.takerFeeBps ?? 0,
    makerFeeBps: makerFees?.schedule.makerFeeBps ?? 0,
  };
}

/** Pays the charge of a fill to the fee account and the builder. */
function distribute({ ledger, feeAccount }: EngineState, fees: OrderFees): void {
  const { fillMicros, fillBuilderMicros, schedule } = fees;
  ledger.receive(feeAccount, (fillMicros - fillBuilderMicros) as Micros); // whole micros
  if (fillBuilderMicros > 0) ledger.receive(schedule.builderAccount, fillBuilderMicros);
}
