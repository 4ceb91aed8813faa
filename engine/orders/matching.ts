/**
 * Price-time-priority matching on the one book of a market (design 4): a dry walk that tells what
 * an order would do, and the walk that does it. Both meet the same resting orders in the same
 * order. Invariant: every fill is at the resting order's price and creates or destroys nothing:
 * what one side pays or delivers, the other receives, or it becomes or comes from complete sets.
 * Bound: `fillsPerCommand` resting orders met.
 */

import { NONE } from '../book/index.ts';
import type { Fill, Match } from '../model/index.ts';
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
  type Core,
  changeSets,
  closeOrder,
  closeResting,
  collectFees,
  reportLevel,
} from '../state/index.ts';

/** The best level a taker would meet, or NONE. */
export function bestOpposite(market: Market, taker: Taker): number {
  return taker.isBid ? market.book.bestAsk : market.book.bestBid;
}

/**
 * Walks without touching anything; `core.taker` says afterwards what would be filled. Stops early
 * once anything is fillable if `untilFirstFill`. Returns whether the bound was hit.
 */
export function dryRun(core: Core, market: Market, untilFirstFill: boolean): boolean {
  const { taker } = core;
  let level = bestOpposite(market, taker);
  while (taker.crosses(level)) {
    const price = taker.priceAt(market, level);
    if (!taker.goesOnAt(price)) return false;
    let maker = market.book.head(level);
    while (maker !== NONE && taker.goesOnAt(price)) {
      if (taker.steps === core.bounds.fillsPerCommand) return !taker.isSatisfied();
      taker.steps += 1;
      if (isOwn(core, maker)) {
        if (taker.selfTrade !== 'cancel_maker') {
          taker.stoppedBySelfTrade = true;
          return false;
        }
      } else {
        taker.take(taker.wants(price, core.orders.remainingLots(maker)), price);
        if (untilFirstFill && taker.filledLots > 0) return false;
      }
      maker = core.orders.next(maker);
    }
    level = market.book.worse(level, !taker.isBid);
  }
  return false;
}

/** Matches `core.taker` as far as it goes. */
export function match(core: Core, market: Market): void {
  const { taker } = core;
  let stopped = false;
  while (!stopped) {
    const level = bestOpposite(market, taker);
    if (!taker.crosses(level) || !taker.goesOnAt(taker.priceAt(market, level))) return;
    const before = market.book.lotsAt(level);
    stopped = matchLevel(core, market, level);
    if (market.book.lotsAt(level) !== before) reportLevel(core, market, level, !taker.isBid);
  }
}

/** Returns whether matching has to stop although the taker wants more. */
function matchLevel(core: Core, market: Market, level: number): boolean {
  const { taker } = core;
  const price = taker.priceAt(market, level);
  let maker = market.book.head(level);
  while (maker !== NONE && taker.goesOnAt(price)) {
    if (taker.steps === core.bounds.fillsPerCommand) return true;
    taker.steps += 1;
    const next = core.orders.next(maker);
    if (isOwn(core, maker)) {
      const mode = taker.selfTrade;
      if (mode !== 'cancel_taker') closeResting(core, maker, 'self_trade');
      if (mode !== 'cancel_maker') {
        taker.stoppedBySelfTrade = true;
        return true;
      }
    } else {
      const size = taker.wants(price, core.orders.remainingLots(maker));
      fill(core, market, { maker, level, size, price });
    }
    maker = next;
  }
  return false;
}

/** Own orders count across all accounts of an owner, and across the mirror. */
function isOwn(core: Core, maker: number): boolean {
  return core.ledger.accounts[core.orders.account(maker)]!.ownerIndex === core.taker.ownerIndex;
}

interface FillTerms {
  readonly maker: number;
  readonly level: number;
  readonly size: Lots;
  /** In the taker's outcome. */
  readonly price: Ticks;
}

function fill(core: Core, market: Market, terms: FillTerms): void {
  const { orders, taker } = core;
  const { maker, level, size, price } = terms;
  const makerOrderId = orders.id(maker);
  const makerPrice = orders.priceTicks(maker);
  const kind = settle(core, market, terms);
  const fees = collectFees(core, maker, size);
  const makerCash = cashFor(size, makerPrice);
  const remaining = orders.fill(maker, size, makerCash);
  market.book.reduce(level, size);
  if (taker.bucketLevel !== level || taker.bucketMakers === core.bounds.makersPerTrade) {
    taker.bucket += 1;
    taker.bucketLevel = level;
    taker.bucketMakers = 0;
  }
  taker.bucketMakers += 1;
  const event: Fill = {
    kind: 'fill',
    conditionId: market.terms.conditionId,
    match: kind,
    takerOrderId: taker.orderId,
    makerOrderId,
    takerAccount: core.ledger.accounts[taker.account]!.address,
    makerAccount: core.ledger.accounts[orders.account(maker)]!.address,
    takerOutcome: taker.outcome,
    takerSide: taker.isSell ? 'SELL' : 'BUY',
    makerOutcome: orders.outcome(maker),
    makerSide: orders.side(maker),
    takerPriceTicks: price,
    makerPriceTicks: makerPrice,
    lots: size,
    bucket: taker.bucket,
  };
  core.events.push(fees === undefined ? event : { ...event, fees });
  if (remaining === 0) {
    market.book.delete(maker);
    closeOrder(core, maker, 'matched', makerOrderId);
  }
}

/** Moves cash and tokens of one fill: the taker's available, the maker's held (design 4). */
function settle(core: Core, market: Market, terms: FillTerms): Match {
  const { orders, positions, ledger, taker } = core;
  const { maker, size, price } = terms;
  const makerOutcome = orders.outcome(maker);
  const makerPrice = orders.priceTicks(maker);
  const sameOutcome = makerOutcome === taker.outcome;
  invariant(
    makerPrice === (sameOutcome ? price : complement(price)),
    'both sides of a fill trade at one price, or at prices that add up to one',
  );
  const takerCash: Micros = taker.take(size, price);
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
    return 'transfer';
  }
  invariant(
    makerSells === taker.isSell && takerCash + makerCash === size * ONE_TICKS,
    'a complete set is worth exactly one',
  );
  changeSets(core, market, taker.isSell ? -size : size);
  return taker.isSell ? 'merge' : 'mint';
}
