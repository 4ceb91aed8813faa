/**
 * The taker: an order that is checked or matched, how much of it is left, and at which prices it
 * may trade. One object is reused for nearly all orders. Invariant: `fillableLots` never exceeds
 * what the order can still pay for or deliver.
 */

import { isBid } from '../book/index.ts';
import { mostFees } from '../fees/formulas.ts';
import type { OrderFees } from '../fees/order-fees.ts';
import {
  affordableLots,
  cashFor,
  complement,
  type Lots,
  type Micros,
  type OrderTerms,
  type Outcome,
  type SelfTradeMode,
  type Ticks,
} from '../model/index.ts';
import type { Market } from './market.ts';

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
  /** Whether its owner's dead man's switch tripped: then what it does not fill is cancelled. */
  isTripped = false;
  limitTicks = 0 as Ticks;
  /** The worst level at which it may trade. */
  limitLevel = 0;
  leftLots = 0 as Lots;
  leftMicros = 0 as Micros;
  filledLots = 0 as Lots;
  filledMicros = 0 as Micros;
  /** undefined for an order without fees. */
  fees: OrderFees | undefined = undefined;
  /** The cash that may pay for a budget and its fees. */
  spendableMicros = 0;
  /** Whether that cash did not pay for the lots at some price: then the order stops. */
  isCashExhausted = false;
  /** Resting orders met, whether filled or own. */
  makersMet = 0;
  /** Those that the dry run before its execution met; 0 for none. */
  makersChecked = 0;
  stoppedBySelfTrade = false;
  /** Whether the work of its terms is done before it is. */
  isUnfinished = false;
  /** The trade record of the last fill (`Fill.bucket`), and its level. */
  bucket = -1;
  bucketLevel = -1;

  /** Starts with an order whose terms are checked. */
  start(terms: OrderTerms, market: Market, outcome: Outcome): void {
    this.outcome = outcome;
    this.isSell = terms.side === 'SELL';
    this.isBid = isBid(outcome, this.isSell);
    this.isBudget = takesBudget(terms);
    this.selfTrade = market.terms.selfTrade;
    this.isTripped = false;
    this.limitTicks = terms.priceTicks;
    const bookTicks = outcome === 0 ? terms.priceTicks : complement(terms.priceTicks);
    this.limitLevel = market.book.levelOf(bookTicks);
    this.fees = undefined;
    this.isUnfinished = false;
    this.makersChecked = 0;
    this.reset(terms);
  }

  /** Adds fees to an order that was just started. */
  startFees(fees: OrderFees, spendableMicros: number): void {
    this.fees = fees;
    this.spendableMicros = spendableMicros;
  }

  /** What a BUY needs to be accepted: its cost at the limit price, with fees. */
  requiredMicros(terms: OrderTerms): Micros {
    const { budgetMicros, lots, priceTicks } = terms;
    const cash = this.isBudget ? budgetMicros : cashFor(lots, priceTicks);
    return this.fees === undefined ? cash : ((cash + this.fees.requiredMicros) as Micros); // whole
  }

  /** Forgets all fills. */
  reset(terms: OrderTerms): void {
    this.leftLots = terms.lots;
    this.leftMicros = terms.budgetMicros;
    this.filledLots = 0 as Lots;
    this.filledMicros = 0 as Micros;
    this.fees?.reset();
    this.isCashExhausted = false;
    this.makersMet = 0;
    this.stoppedBySelfTrade = false;
    this.bucket = -1;
    this.bucketLevel = -1;
  }

  /** Goes on with the next terms, whose fills are trades of their own. */
  resume(): void {
    this.isUnfinished = false;
    this.bucketLevel = -1;
  }

  /** Whether it may trade at a level of the opposite side. NONE, which is -1, never crosses. */
  crosses(level: number): boolean {
    return level >= 0 && (this.isBid ? level <= this.limitLevel : level >= this.limitLevel);
  }

  /** The price of a level in the taker's outcome. */
  priceAt(market: Market, level: number): Ticks {
    const price = market.book.priceOf(level);
    return this.outcome === 0 ? price : complement(price);
  }

  /** Whether no lots are left, or too little budget or cash for another lot at the limit price. */
  isSatisfied(): boolean {
    if (!this.isBudget) return this.leftLots === 0;
    const canBuy = this.leftMicros >= this.limitTicks && !this.isCashExhausted;
    return !canBuy || !this.#canPay(ONE_LOT, this.limitTicks);
  }

  /**
   * Whether it can fill another lot at a price within its limit. An order that can't pay for a lot
   * with its fees stops permanently, because rounding could make a lot cheaper at a worse price.
   */
  canFillAt(price: Ticks): boolean {
    if (!this.isBudget) return this.leftLots > 0;
    if (this.leftMicros < price || this.isCashExhausted) return false;
    this.isCashExhausted = !this.#canPay(ONE_LOT, price);
    return !this.isCashExhausted;
  }

  /** How many of the lots offered at a price it fills. */
  fillableLots(price: Ticks, offered: Lots): Lots {
    if (!this.isBudget) return Math.min(this.leftLots, offered) as Lots;
    const wanted = Math.min(affordableLots(this.leftMicros, price), offered) as Lots;
    if (this.#canPay(wanted, price)) return wanted;
    this.isCashExhausted = true;
    return this.#payableLots(wanted, price);
  }

  /** Records a fill and returns its cash. Its fees are charged afterwards. */
  fill(size: Lots, price: Ticks): Micros {
    const cash = cashFor(size, price);
    if (this.isBudget) this.leftMicros = (this.leftMicros - cash) as Micros;
    else this.leftLots = (this.leftLots - size) as Lots;
    this.filledLots = (this.filledLots + size) as Lots;
    this.filledMicros = (this.filledMicros + cash) as Micros;
    return cash;
  }

  /** Whether the cash pays for lots and their fees. Without fees the budget is the only limit. */
  #canPay(size: Lots, price: Ticks): boolean {
    if (this.fees === undefined) return true;
    const cash = cashFor(size, price);
    const leftMicros = this.spendableMicros - this.filledMicros - this.fees.chargedMicros - cash;
    // Most orders have more than enough, and an exact fee takes longer than the rest of a fill.
    return (
      leftMicros >= mostFees(size, cash) || this.fees.previewFill(true, size, price) <= leftMicros
    );
  }

  /** The most lots that the cash pays for, by binary search below `unpayableLots`. */
  #payableLots(unpayableLots: Lots, price: Ticks): Lots {
    let [payable, unpayable] = [0, unpayableLots as number];
    while (unpayable - payable > 1) {
      const middle = Math.floor((payable + unpayable) / 2) as Lots; // whole, as it is floored
      if (this.#canPay(middle, price)) payable = middle;
      else unpayable = middle;
    }
    return payable as Lots; // whole
  }
}

/** A FOK or FAK BUY names an amount of cash; every other order names a size. */
export function takesBudget({ side, type }: Pick<OrderTerms, 'side' | 'type'>): boolean {
  return side === 'BUY' && (type === 'FOK' || type === 'FAK');
}
