/**
 * What one order is charged by, frozen at its acceptance, and what it has been charged. Each fill
 * is charged what the order's whole life owes by then, less what was charged before: never more
 * than the proceeds of a SELL, and never more in all than a BUY had to have for it. Invariant: what
 * is charged is never less than before, nor more than what is due.
 */

import { cashFor, invariant, type Lots, type Micros, type Ticks } from '../model/index.ts';
import {
  addSums,
  budgetFees,
  type FeeRates,
  type FeeSums,
  feesDue,
  fillSums,
  maximumFees,
} from './fees.ts';

/** One for all orders that were accepted with the same rates; see fee-schedules.ts. */
export interface OrderSchedule extends FeeRates {
  /** The account that the builder's part is paid to; NONE without a builder. */
  readonly builderAccount: number;
}

/** The order that fees are of. */
interface FeePayer {
  readonly isSell: boolean;
  readonly postOnly: boolean;
  readonly priceTicks: Ticks;
  readonly lots: Lots;
  /** Of a FOK or FAK BUY; 0 otherwise. */
  readonly budgetMicros: Micros;
}

/** What an order has come to: its fees, and its fills. */
interface FeeLife extends FeeSums {
  readonly chargedMicros: Micros;
  readonly builderMicros: Micros;
  readonly filledLots: number;
  readonly filledMicros: number;
}

const NOTHING: FeeSums = { base: 0n, flat: 0n };

export class OrderFees {
  readonly schedule: OrderSchedule;
  /** What a BUY needs beside its price, or its budget, to be accepted. */
  readonly requiredMicros: Micros;
  readonly #isSell: boolean;
  readonly #priceTicks: Ticks;
  readonly #startMicros: number;
  sums = NOTHING;
  chargedMicros = 0 as Micros;
  /** Of these, what went to the builder. */
  builderMicros = 0 as Micros;
  /** The same of the last fill alone. */
  fillMicros = 0 as Micros;
  fillBuilderMicros = 0 as Micros;
  /** All that it may be charged in its life, as far as it goes now. */
  #mostMicros: number;

  constructor(schedule: OrderSchedule, payer: FeePayer) {
    const { isSell, priceTicks, budgetMicros } = payer;
    this.schedule = schedule;
    this.#isSell = isSell;
    this.#priceTicks = priceTicks;
    const hasBudget = budgetMicros > 0;
    this.requiredMicros = isSell
      ? (0 as Micros)
      : hasBudget
        ? budgetFees(schedule, budgetMicros, priceTicks)
        : maximumFees(schedule, payer);
    // What a budget pays is bounded by the cash there is, lot by lot.
    this.#startMicros = hasBudget ? Number.POSITIVE_INFINITY : this.requiredMicros;
    this.#mostMicros = this.#startMicros;
  }

  /** Goes on where another record of the same order stood (images). */
  resume(life: FeeLife): void {
    const { base, flat, filledLots, filledMicros } = life;
    if (base !== 0n || flat !== 0n) this.sums = { base, flat };
    this.chargedMicros = life.chargedMicros;
    this.builderMicros = life.builderMicros;
    // Each fill added what its better price saved; that of a SELL is said anew by each fill.
    this.#mostMicros = this.#startMicros + filledLots * this.#priceTicks - filledMicros;
  }

  /** Back to where nothing is filled. */
  rewind(): void {
    this.sums = NOTHING;
    this.chargedMicros = 0 as Micros;
    this.builderMicros = 0 as Micros;
    this.#mostMicros = this.#startMicros;
  }

  /** Notes a fill and what it is charged. */
  charge(isTaker: boolean, size: Lots, price: Ticks): void {
    this.sums = addSums(this.sums, fillSums(this.schedule, isTaker, size, price));
    if (this.#isSell) this.#mostMicros = this.chargedMicros + cashFor(size, price);
    // What a better price saved may be owed as a fee: rounding can make that a little more.
    else this.#mostMicros += size * (this.#priceTicks - price);
    const due = feesDue(this.schedule, this.sums);
    const charge = Math.min(due.totalMicros, this.#mostMicros) - this.chargedMicros;
    // Where a charge is cut, the exchange's part comes first.
    const exchangeDue =
      due.totalMicros - due.builderMicros - (this.chargedMicros - this.builderMicros);
    const builder = Math.max(charge - exchangeDue, 0);
    invariant(charge >= 0 && exchangeDue >= 0, 'a fee never shrinks');
    this.fillMicros = charge as Micros; // differences of whole micros
    this.fillBuilderMicros = builder as Micros;
    this.chargedMicros = (this.chargedMicros + charge) as Micros;
    this.builderMicros = (this.builderMicros + builder) as Micros;
  }

  /** What a further fill would be charged if nothing were cut. */
  foresee(isTaker: boolean, size: Lots, price: Ticks): Micros {
    const sums = addSums(this.sums, fillSums(this.schedule, isTaker, size, price));
    return (feesDue(this.schedule, sums).totalMicros - this.chargedMicros) as Micros; // whole
  }

  /** What a resting BUY will be charged for the rest of its lots: it holds exactly that. */
  restMicros(remaining: Lots): Micros {
    const end = this.chargedMicros + this.foresee(false, remaining, this.#priceTicks);
    return (Math.min(end, this.#mostMicros) - this.chargedMicros) as Micros; // whole micros
  }
}
