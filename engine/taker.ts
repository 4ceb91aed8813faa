/**
 * The order being matched: what it wants, what it has got, and where it may go. One record is
 * reused for every order. Invariant: `wants` never exceeds what the order may still pay or deliver.
 */

import type { Outcome, PlaceOrder, SelfTradeMode } from './commands.ts';
import type { Market } from './core.ts';
import { isBid } from './order-store.ts';
import {
  affordableLots,
  cashFor,
  complement,
  type Lots,
  type Micros,
  type Ticks,
} from './units.ts';

export class Taker {
  account = 0;
  ownerIndex = 0;
  position = 0;
  outcome: Outcome = 0;
  isSell = false;
  isBid = false;
  isBudget = false;
  selfTrade: SelfTradeMode = 'cancel_maker';
  limitTicks = 0 as Ticks;
  /** The worst level it may meet. */
  limitLevel = 0;
  leftLots = 0 as Lots;
  leftMicros = 0 as Micros;
  filledLots = 0 as Lots;
  filledMicros = 0 as Micros;
  /** Resting orders met: fills and own orders. */
  steps = 0;
  stoppedBySelfTrade = false;
  bucket = -1;
  bucketLevel = -1;
  bucketMakers = 0;

  /** Begins with an order whose terms are checked. */
  begin(command: PlaceOrder, market: Market, outcome: Outcome): void {
    this.outcome = outcome;
    this.isSell = command.side === 'SELL';
    this.isBid = isBid(outcome, this.isSell);
    this.isBudget = takesBudget(command);
    this.selfTrade = market.terms.selfTrade;
    this.limitTicks = command.priceTicks;
    const bookTicks = outcome === 0 ? command.priceTicks : complement(command.priceTicks);
    this.limitLevel = market.book.levelOf(bookTicks);
    this.rewind(command);
  }

  /** Back to where nothing is filled. */
  rewind(command: PlaceOrder): void {
    this.leftLots = command.lots;
    this.leftMicros = command.budgetMicros;
    this.filledLots = 0 as Lots;
    this.filledMicros = 0 as Micros;
    this.steps = 0;
    this.stoppedBySelfTrade = false;
    this.bucket = -1;
    this.bucketLevel = -1;
    this.bucketMakers = 0;
  }

  /** Whether it may trade at a level of the opposite side (NONE, which is -1, never crosses). */
  crosses(level: number): boolean {
    return level >= 0 && (this.isBid ? level <= this.limitLevel : level >= this.limitLevel);
  }

  /** The price of a level in the taker's own outcome. */
  priceAt(market: Market, level: number): Ticks {
    const price = market.book.priceOf(level);
    return this.outcome === 0 ? price : complement(price);
  }

  /** Complete: no lots left, or no cash for one more lot at its limit (design 2). */
  isSatisfied(): boolean {
    return this.isBudget ? this.leftMicros < this.limitTicks : this.leftLots === 0;
  }

  /** What it would still take at a price; a budget may buy more where that is below its limit. */
  wants(price: Ticks): Lots {
    return this.isBudget ? affordableLots(this.leftMicros, price) : this.leftLots;
  }

  /** Notes a fill of `lots` at `price`. */
  take(size: Lots, price: Ticks): Micros {
    const cash = cashFor(size, price);
    if (this.isBudget) this.leftMicros = (this.leftMicros - cash) as Micros;
    else this.leftLots = (this.leftLots - size) as Lots;
    this.filledLots = (this.filledLots + size) as Lots;
    this.filledMicros = (this.filledMicros + cash) as Micros;
    return cash;
  }
}

/** A FOK or FAK BUY names an amount of cash; every other order names a size. */
export const takesBudget = (command: PlaceOrder): boolean =>
  command.side === 'BUY' && (command.type === 'FOK' || command.type === 'FAK');
