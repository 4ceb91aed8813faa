/**
 * The order being matched: what it wants, what it has got, and where it may go. One record is
 * reused for every order. Invariant: `wants` never exceeds what the order may still pay or deliver.
 */

import { isBid } from '../book/index.ts';
import type { Outcome, PlaceOrder, SelfTradeMode } from '../model/index.ts';
import {
  affordableLots,
  cashFor,
  complement,
  type Lots,
  type Micros,
  type Ticks,
} from '../model/index.ts';
import type { Market } from './core.ts';
import type { OrderFees } from './order-fees.ts';

const ONE_LOT = 1 as Lots;

export class Taker {
  orderId = '';
  account = 0;
  ownerIndex = 0;
  position = 0;
  outcome: Outcome = 0;
  isSell = false;
  isBid = false;
  isBudget = false;
  selfTrade: SelfTradeMode = 'cancel_maker';
  /** Its owner's dead man's switch tripped while it waited: nothing of it comes to rest. */
  isTripped = false;
  limitTicks = 0 as Ticks;
  /** The worst level it may meet. */
  limitLevel = 0;
  leftLots = 0 as Lots;
  leftMicros = 0 as Micros;
  filledLots = 0 as Lots;
  filledMicros = 0 as Micros;
  /** What it is charged besides; undefined for nothing. */
  fees: OrderFees | undefined = undefined;
  /** All that there is to pay a budget and its fees from. */
  purseMicros = 0;
  /** Whether that did not pay all lots at a price that was met: they are the last. */
  isPurseEmpty = false;
  /** Resting orders met: fills and own orders. */
  steps = 0;
  stoppedBySelfTrade = false;
  bucket = -1;
  bucketLevel = -1;
  bucketMakers = 0;

  /** Begins with an order whose terms are checked. */
  begin(command: PlaceOrder, market: Market, outcome: Outcome): void {
    this.orderId = command.orderId;
    this.outcome = outcome;
    this.isSell = command.side === 'SELL';
    this.isBid = isBid(outcome, this.isSell);
    this.isBudget = takesBudget(command);
    this.selfTrade = market.terms.selfTrade;
    this.isTripped = false;
    this.limitTicks = command.priceTicks;
    const bookTicks = outcome === 0 ? command.priceTicks : complement(command.priceTicks);
    this.limitLevel = market.book.levelOf(bookTicks);
    this.fees = undefined;
    this.rewind(command);
  }

  /** Lets an order that has just begun be charged, with all that there is to pay it from. */
  beginFees(fees: OrderFees, purseMicros: number): void {
    this.fees = fees;
    this.purseMicros = purseMicros;
  }

  /** What a BUY needs to be accepted: its whole worst cost, with fees. */
  requiredMicros(command: PlaceOrder): Micros {
    const { budgetMicros, lots, priceTicks } = command;
    const cash = this.isBudget ? budgetMicros : cashFor(lots, priceTicks);
    return this.fees === undefined ? cash : ((cash + this.fees.requiredMicros) as Micros); // whole
  }

  /** Back to where nothing is filled. */
  rewind(command: PlaceOrder): void {
    this.leftLots = command.lots;
    this.leftMicros = command.budgetMicros;
    this.filledLots = 0 as Lots;
    this.filledMicros = 0 as Micros;
    this.fees?.rewind();
    this.isPurseEmpty = false;
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
    if (!this.isBudget) return this.leftLots === 0;
    const canBuy = this.leftMicros >= this.limitTicks && !this.isPurseEmpty;
    return !canBuy || !this.#canPay(ONE_LOT, this.limitTicks);
  }

  /**
   * Whether it takes a further lot at a price that it meets; a budget may where that is below its
   * limit. One that can't pay a lot with its fees stops for good: at a worse price rounding could
   * make one cheaper.
   */
  goesOnAt(price: Ticks): boolean {
    if (!this.isBudget) return this.leftLots > 0;
    if (this.leftMicros < price || this.isPurseEmpty) return false;
    this.isPurseEmpty = !this.#canPay(ONE_LOT, price);
    return !this.isPurseEmpty;
  }

  /** What it would still take at a price of what is offered there. */
  wants(price: Ticks, offered: Lots): Lots {
    if (!this.isBudget) return Math.min(this.leftLots, offered) as Lots;
    const most = Math.min(affordableLots(this.leftMicros, price), offered) as Lots;
    if (this.#canPay(most, price)) return most;
    this.isPurseEmpty = true;
    return this.#payableLots(most, price);
  }

  /** Whether there is cash for lots and their fees: a budget alone bounds what has no fees. */
  #canPay(size: Lots, price: Ticks): boolean {
    if (this.fees === undefined) return true;
    const spentMicros = this.filledMicros + this.fees.chargedMicros;
    const fee = this.fees.foresee(true, size, price);
    return spentMicros + cashFor(size, price) + fee <= this.purseMicros;
  }

  /** The most lots there is cash for, of more than there is cash for: it halves what is between. */
  #payableLots(unpayable: Lots, price: Ticks): Lots {
    let [payable, most] = [0, unpayable as number];
    while (most - payable > 1) {
      const middle = Math.floor((payable + most) / 2);
      if (this.#canPay(middle as Lots, price))
        payable = middle; // whole, as it was floored
      else most = middle;
    }
    return payable as Lots; // whole
  }

  /** Notes a fill of `lots` at `price`. */
  take(size: Lots, price: Ticks): Micros {
    const cash = cashFor(size, price);
    if (this.isBudget) this.leftMicros = (this.leftMicros - cash) as Micros;
    else this.leftLots = (this.leftLots - size) as Lots;
    this.filledLots = (this.filledLots + size) as Lots;
    this.filledMicros = (this.filledMicros + cash) as Micros;
    this.fees?.charge(true, size, price);
    return cash;
  }
}

/** A FOK or FAK BUY names an amount of cash; every other order names a size. */
export function takesBudget(command: PlaceOrder): boolean {
  return command.side === 'BUY' && (command.type === 'FOK' || command.type === 'FAK');
}
