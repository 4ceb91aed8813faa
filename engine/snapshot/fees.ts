/**
 * The sections of fees: each schedule of a live order once, and what each resting order with fees
 * has been charged. A delayed order has not been charged anything.
 */

import { NONE } from '../book/index.ts';
import { OrderFees, type OrderSchedule } from '../fees/order-fees.ts';
import { type FeeSchedule, invariant, isWhole, type Micros, micros } from '../model/index.ts';
import type { EngineState } from '../state/engine-state.ts';
import { layout } from './columns.ts';
import { handlesInBooks } from './orders.ts';
import { columnSection, need, recordSection } from './section.ts';

/** Sorted by their fields as text, so that equal states make equal parts. */
export const SCHEDULES = recordSection({
  name: 'schedules',
  maximum: () => Number.MAX_SAFE_INTEGER,
  count: (state) => schedulesOf(state).length,
  records: (state) => schedulesOf(state).map(fieldsOf),
  begin:
    ({ state: { ledger }, schedules }) =>
    (record) => {
      schedules.push({
        takerFeeBps: record.whole('takerFeeBps', 0, 5_000),
        makerFeeBps: record.whole('makerFeeBps', 0, 5_000),
        feeExponent: record.whole('feeExponent', 0, 2) as FeeSchedule['feeExponent'], // in bounds
        builderAccount: record.whole('builderAccount', NONE, ledger.accounts.length - 1),
        shareBps: record.whole('shareBps', 0, 5_000),
        takerRateBps: record.whole('takerRateBps', 0, 1_000),
        makerRateBps: record.whole('makerRateBps', 0, 100),
      });
    },
});

function fieldsOf(one: OrderSchedule): number[] {
  return [
    one.takerFeeBps,
    one.makerFeeBps,
    one.feeExponent,
    one.builderAccount,
    one.shareBps,
    one.takerRateBps,
    one.makerRateBps,
  ];
}

/** The schedules of all live orders, without duplicates. */
function schedulesOf({ orderFees }: EngineState): OrderSchedule[] {
  const records = new Set<OrderSchedule>();
  for (const { schedule } of orderFees.values()) records.add(schedule);
  const byText = new Map([...records].map((one) => [fieldsOf(one).join(), one]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** A function that gives the number of an order's schedule in its section. */
export function scheduleNumbers(state: EngineState): (fees: OrderFees) => number {
  const byText = new Map(schedulesOf(state).map((one, number) => [fieldsOf(one).join(), number]));
  const numbers = new Map<OrderSchedule, number>();
  return ({ schedule }) => {
    const known = numbers.get(schedule);
    if (known !== undefined) return known;
    const number = byText.get(fieldsOf(schedule).join())!;
    numbers.set(schedule, number);
    return number;
  };
}

const LONG_BITS = 64n;

/** In the order of the section of resting orders. */
export const ORDER_FEES = columnSection({
  name: 'order_fees',
  maximum: (bounds) => bounds.liveOrders,
  count: ({ orderFees, delayed, orders }) => {
    let delayedWithFees = 0;
    for (const handle of delayed.keys()) if (orders.hasFees(handle)) delayedWithFees += 1;
    return orderFees.size - delayedWithFees;
  },
  layout: layout((cutter) => ({
    /** The base sum in two halves, because it is the only number that can exceed 2^64. */
    baseLow: cutter.longs(),
    baseHigh: cutter.longs(),
    flat: cutter.longs(),
    chargedMicros: cutter.doubles(),
    builderMicros: cutter.doubles(),
    schedules: cutter.words(),
  })),
  writer: (state) => {
    const { orders, orderFees } = state;
    const handles = handlesInBooks(state).filter((handle) => orders.hasFees(handle));
    const numberOf = scheduleNumbers(state);
    return (columns, row, index) => {
      const fees = orderFees.get(handles[index]!)!;
      const { base, flat } = fees.sums;
      invariant(
        base >> (2n * LONG_BITS) === 0n && flat >> LONG_BITS === 0n,
        'sums of fees fit their columns',
      );
      columns.baseLow[row] = base; // stores the lower half
      columns.baseHigh[row] = base >> LONG_BITS;
      columns.flat[row] = flat;
      columns.chargedMicros[row] = fees.chargedMicros;
      columns.builderMicros[row] = fees.builderMicros;
      columns.schedules[row] = numberOf(fees);
    };
  },
  reader: ({ state, schedules, restingOrders }) => {
    const { orders, orderFees } = state;
    let handle = -1;
    return (columns, row, index) => {
      do handle += 1;
      while (handle < restingOrders && !orders.hasFees(handle));
      need(handle < restingOrders, 'order_fees', index, 'no order has these fees');
      const schedule = schedules[columns.schedules[row]!];
      need(schedule !== undefined, 'order_fees', index, 'schedule', columns.schedules[row]!);
      const [charged, builder] = [columns.chargedMicros[row]!, columns.builderMicros[row]!];
      const maximum = state.bounds.totalMicros;
      need(isWhole(charged, 0, maximum), 'order_fees', index, 'chargedMicros', charged);
      need(isWhole(builder, 0, charged), 'order_fees', index, 'builderMicros', builder);
      const fees = new OrderFees(schedule, {
        isSell: orders.isSell(handle),
        postOnly: orders.isPostOnly(handle),
        priceTicks: orders.priceTicks(handle),
        lots: orders.lots(handle),
        budgetMicros: 0 as Micros, // an order with a budget never rests
      });
      fees.restore({
        base: (columns.baseHigh[row]! << LONG_BITS) | columns.baseLow[row]!,
        flat: columns.flat[row]!,
        chargedMicros: micros(charged),
        builderMicros: micros(builder),
        filledLots: orders.lots(handle) - orders.remainingLots(handle),
        filledMicros: orders.filledMicros(handle),
      });
      orderFees.set(handle, fees);
    };
  },
});
