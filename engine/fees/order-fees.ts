/**
 * The fees of one order: the rates frozen at its acceptance, and what it has been charged. A fill
 * is charged what all fills of the order owe together, less the charges before it. So rounding
 * never adds up over fills. A SELL is charged at most the proceeds of each fill. A BUY with a
 * size is charged in total at most `requiredMicros` plus what better prices saved.
 * A BUY with a budget has no limit here: the taker checks that the account's cash pays each fill.
 * Invariant: the total charge never decreases and never exceeds what is due. Reasons:
 * docs/decisions/0002-money-in-integers.md.
 */

import {
  cashFor,
  invariant,
  type Lots,
  type Micros,
  type PlaceOrder,
  type Ticks,
} from '../model/index.ts';
import {
  addSums,
  budgetFees,
  type FeeRates,
  type FeeSums,
  feesDue,
  fillSums,
  maximumFees,
} from './formulas.ts';

/** Shared by all orders that were accepted at the same rates (see schedules.ts). */
export interface OrderSchedule extends FeeRates {
  /** The account that receives the builder's part; NONE without a builder. */
  readonly builderAccount: number;
}

/** The order that pays. */
interface FeePayer extends Pick<PlaceOrder, 'postOnly' | 'priceTicks' | 'lots' | 'budgetMicros'> {
  readonly isSell: boolean;
}

/** What an order has been charged, and its fills. */
interface ChargedSoFar extends FeeSums {
  readonly chargedMicros: Micros;
  readonly builderMicros: Micros;
  readonly filledLots: number;
  readonly filledMicros: number;
}

const NO_SUMS: FeeSums = { base: 0n, flat: 0n };

export class OrderFees {
  readonly schedule: OrderSchedule;
  /** What a BUY needs for fees, beside its price or budget, to be accepted. */
  readonly requiredMicros: Micros;
  readonly #isSell: boolean;
  readonly #priceTicks: Ticks;
  readonly #startMicros: number;
  sums = NO_SUMS;
  chargedMicros = 0 as Micros;
  /** The builder's part of all charges. */
  builderMicros = 0 as Micros;
  /** The charge of the last fill, and the builder's part of it. */
  fillMicros = 0 as Micros;
  fillBuilderMicros = 0 as Micros;
  /** The limit of all charges, as of the last fill. */
  #limitMicros: number;

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
    // The taker checks lot by lot that the available cash covers a budget and its fees.
    this.#startMicros = hasBudget ? Number.POSITIVE_INFINITY : this.requiredMicros;
    this.#limitMicros = this.#startMicros;
  }

  /** Restores the charges of an order from a snapshot. */
  restore(charged: ChargedSoFar): void {
    const { base, flat, filledLots, filledMicros } = charged;
    if (base !== 0n || flat !== 0n) this.sums = { base, flat };
    this.chargedMicros = charged.chargedMicros;
    this.builderMicros = charged.builderMicros;
    // As `charge` leaves it for a BUY; for a SELL, each fill sets its own limit.
    this.#limitMicros = this.#startMicros + filledLots * this.#priceTicks - filledMicros;
  }

  /** Forgets all fills. */
  reset(): void {
    this.sums = NO_SUMS;
    this.chargedMicros = 0 as Micros;
    this.builderMicros = 0 as Micros;
    this.#limitMicros = this.#startMicros;
  }

  /**
   * Computes the charge of a fill, in `fillMicros` and `fillBuilderMicros`, and adds the fill to
   * the sums. It moves no money: orders/matching.ts does.
   */
  charge(isTaker: boolean, size: Lots, price: Ticks): void {
    this.sums = addSums(this.sums, fillSums(this.schedule, isTaker, size, price));
    if (this.#isSell) this.#limitMicros = this.chargedMicros + cashFor(size, price);
    // A better price frees cash for the fee, which rounding can make a little higher there.
    else this.#limitMicros += size * (this.#priceTicks - price);
    const due = feesDue(this.schedule, this.sums);
    const charge = Math.min(due.totalMicros, this.#limitMicros) - this.chargedMicros;
    // If the limit cuts a charge, the exchange's part is paid first.
    const exchangeDue =
      due.totalMicros - due.builderMicros - (this.chargedMicros - this.builderMicros);
    const builder = Math.max(charge - exchangeDue, 0);
    invariant(charge >= 0 && exchangeDue >= 0, 'a fee never decreases');
    this.fillMicros = charge as Micros; // differences of whole micros
    this.fillBuilderMicros = builder as Micros;
    this.chargedMicros = (this.chargedMicros + charge) as Micros;
    this.builderMicros = (this.builderMicros + builder) as Micros;
  }

  /** What another fill would be charged, ignoring the limit. */
  previewFill(isTaker: boolean, size: Lots, price: Ticks): Micros {
    const sums = addSums(this.sums, fillSums(this.schedule, isTaker, size, price));
    return (feesDue(this.schedule, sums).totalMicros - this.chargedMicros) as Micros; // whole
  }

  /** What a resting BUY will be charged for its remaining lots, which is what it holds for fees. */
  restMicros(remaining: Lots): Micros {
    const end = this.chargedMicros + this.previewFill(false, remaining, this.#priceTicks);
    return (Math.min(end, this.#limitMicros) - this.chargedMicros) as Micros; // whole micros
  }
}
