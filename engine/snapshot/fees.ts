/**
 * What live orders are charged by, in images: each schedule once, and of each resting order that is
 * charged, what its life has come to. Those that wait have not been charged anything yet.
 */

import { NONE } from '../book/index.ts';
import type { FeeSchedule } from '../model/index.ts';
import { invariant, isWhole, type Micros, micros } from '../model/index.ts';
import type { Core } from '../state/index.ts';
import { OrderFees, type OrderSchedule } from '../state/index.ts';
import { layout } from './columns.ts';
import { handlesInBooks } from './orders.ts';
import { columnSection, need, recordSection } from './section.ts';

/** In one order, whatever orders came first: that of their texts. */
export const SCHEDULES = recordSection({
  name: 'schedules',
  most: () => Number.MAX_SAFE_INTEGER,
  count: (core) => schedulesOf(core).length,
  records: (core) => schedulesOf(core).map(fieldsOf),
  begin:
    ({ core: { ledger }, schedules }) =>
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

/** Those that differ in what they say. */
function schedulesOf({ orderFees }: Core): OrderSchedule[] {
  const records = new Set<OrderSchedule>();
  for (const { schedule } of orderFees.values()) records.add(schedule);
  const byText = new Map([...records].map((one) => [fieldsOf(one).join(), one]));
  return [...byText].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
}

/** The place of each schedule that an order has, among those that differ. */
export function scheduleNumbers(core: Core): (fees: OrderFees) => number {
  const byText = new Map(schedulesOf(core).map((one, number) => [fieldsOf(one).join(), number]));
  const numbers = new Map<OrderSchedule, number>();
  return ({ schedule }) => {
    const known = numbers.get(schedule);
    if (known !== undefined) return known;
    const number = byText.get(fieldsOf(schedule).join())!;
    numbers.set(schedule, number);
    return number;
  };
}

const LONG = 64n;

/** Of the resting orders that are charged, in their order. */
export const ORDER_FEES = columnSection({
  name: 'order_fees',
  most: (bounds) => bounds.accounts * bounds.liveOrdersPerAccount,
  count: ({ orderFees, delayed, orders }) => {
    let waiting = 0;
    for (const handle of delayed.keys()) if (orders.hasFees(handle)) waiting += 1;
    return orderFees.size - waiting;
  },
  layout: layout((cutter) => ({
    /** Sums: the base in two halves, because it may pass 2^64, which nothing else does. */
    baseLow: cutter.longs(),
    baseHigh: cutter.longs(),
    flat: cutter.longs(),
    chargedMicros: cutter.doubles(),
    builderMicros: cutter.doubles(),
    schedules: cutter.words(),
  })),
  writer: (core) => {
    const { orders, orderFees } = core;
    const handles = handlesInBooks(core).filter((handle) => orders.hasFees(handle));
    const numberOf = scheduleNumbers(core);
    return (columns, row, index) => {
      const fees = orderFees.get(handles[index]!)!;
      const { base, flat } = fees.sums;
      invariant(
        base >> (2n * LONG) === 0n && flat >> LONG === 0n,
        'sums of fees fit their columns',
      );
      columns.baseLow[row] = base; // its lower half
      columns.baseHigh[row] = base >> LONG;
      columns.flat[row] = flat;
      columns.chargedMicros[row] = fees.chargedMicros;
      columns.builderMicros[row] = fees.builderMicros;
      columns.schedules[row] = numberOf(fees);
    };
  },
  reader: ({ core, schedules, restingOrders }) => {
    const { orders, orderFees } = core;
    let handle = -1;
    return (columns, row, index) => {
      do handle += 1;
      while (handle < restingOrders && !orders.hasFees(handle));
      need(handle < restingOrders, 'order_fees', index, 'of no order');
      const schedule = schedules[columns.schedules[row]!];
      need(
        schedule !== undefined,
        'order_fees',
        index,
        'no such schedule',
        columns.schedules[row]!,
      );
      const [charged, builder] = [columns.chargedMicros[row]!, columns.builderMicros[row]!];
      const most = core.bounds.totalMicros;
      need(isWhole(charged, 0, most), 'order_fees', index, 'wrong chargedMicros', charged);
      need(isWhole(builder, 0, charged), 'order_fees', index, 'wrong builderMicros', builder);
      const fees = new OrderFees(schedule, {
        isSell: orders.isSell(handle),
        postOnly: orders.isPostOnly(handle),
        priceTicks: orders.priceTicks(handle),
        lots: orders.lots(handle),
        budgetMicros: 0 as Micros, // nothing with a budget rests
      });
      fees.resume({
        base: (columns.baseHigh[row]! << LONG) | columns.baseLow[row]!,
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
