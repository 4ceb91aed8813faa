/**
 * Which rates an order is accepted with: its market's, and its builder's if somebody set that code.
 * Invariant: a schedule never changes, so orders share it; rates that charge nothing have none, and
 * cost nothing. Bound: builders.
 */

import { NONE } from '../book/index.ts';
import type { FeeSchedule, PlaceOrder, SetBuilder } from '../model/index.ts';
import type { Core, Market } from './core.ts';
import type { OrderSchedule } from './order-fees.ts';

/** A builder's terms in force: a new record each time they change. */
export interface Builder extends Omit<SetBuilder, 'kind'> {
  readonly accountIndex: number;
}

/** Whether a market's terms charge anything to anybody. */
export function charges({ takerFeeBps, makerFeeBps }: FeeSchedule): boolean {
  return takerFeeBps > 0 || makerFeeBps > 0;
}

/** Those of a market's terms; schedules with builders are made when their first order comes. */
export class MarketFees {
  /** undefined where the terms charge nothing. */
  readonly plain: OrderSchedule | undefined;
  readonly #terms: FeeSchedule;
  readonly #ofBuilders = new WeakMap<Builder, OrderSchedule>();

  constructor(terms: FeeSchedule) {
    this.#terms = terms;
    this.plain = charges(terms) ? scheduleOf(terms, undefined) : undefined;
  }

  withBuilder(builder: Builder): OrderSchedule | undefined {
    const known = this.#ofBuilders.get(builder);
    if (known !== undefined) return known;
    const { takerRateBps, makerRateBps } = builder;
    if (this.plain === undefined && takerRateBps + makerRateBps === 0) return undefined;
    const schedule = scheduleOf(this.#terms, builder);
    this.#ofBuilders.set(builder, schedule);
    return schedule;
  }
}

/** What an order that arrives now is charged by; undefined for nothing. */
export function scheduleFor(
  core: Core,
  market: Market,
  { builder: code }: PlaceOrder,
): OrderSchedule | undefined {
  if (code === undefined || core.builders.size === 0) return market.fees.plain;
  const builder = core.builders.get(code);
  return builder === undefined ? market.fees.plain : market.fees.withBuilder(builder);
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
