/**
 * The rates at which a market accepts orders: its own, and those with each builder. Invariant: a
 * schedule never changes, so orders share it; rates that charge nothing have no schedule. Bound:
 * one schedule for each market, and one for each builder with an order in it.
 */

import { NONE } from '../book/index.ts';
import type { FeeSchedule, SetBuilder } from '../model/index.ts';
import type { OrderSchedule } from './order-fees.ts';

/** A builder's terms in force: a new record each time they change. */
export interface Builder extends Omit<SetBuilder, 'kind'> {
  readonly accountIndex: number;
}

/** Whether a market's terms charge any fees. */
export function chargesFees({ takerFeeBps, makerFeeBps }: FeeSchedule): boolean {
  return takerFeeBps > 0 || makerFeeBps > 0;
}

/** The schedules of one market; those with builders are made for their first order. */
export class MarketSchedules {
  /** For orders without a builder; undefined where the terms charge nothing. */
  readonly plain: OrderSchedule | undefined;
  readonly #terms: FeeSchedule;
  readonly #byBuilder = new WeakMap<Builder, OrderSchedule>();

  constructor(terms: FeeSchedule) {
    this.#terms = terms;
    this.plain = chargesFees(terms) ? scheduleOf(terms, undefined) : undefined;
  }

  withBuilder(builder: Builder): OrderSchedule | undefined {
    const known = this.#byBuilder.get(builder);
    if (known !== undefined) return known;
    const { takerRateBps, makerRateBps } = builder;
    if (this.plain === undefined && takerRateBps + makerRateBps === 0) return undefined;
    const schedule = scheduleOf(this.#terms, builder);
    this.#byBuilder.set(builder, schedule);
    return schedule;
  }
}

function scheduleOf(terms: FeeSchedule, builder: Builder | undefined): OrderSchedule {
  return {
    takerFeeBps: terms.takerFeeBps,
    makerFeeBps: terms.makerFeeBps,
    feeExponent: terms.feeExponent,
    builderAccount: builder?.accountIndex ?? NONE,
    shareBps: builder?.shareBps ?? 0,
    takerRateBps: builder?.takerRateBps ?? 0,
    makerRateBps: builder?.makerRateBps ?? 0,
  };
}
