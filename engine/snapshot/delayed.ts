/**
 * The section of delayed orders, in order of acceptance, with the terms on which they are executed
 * at release. Their held funds follow from these.
 */

import { DELAYABLE_BITS, FEES_BIT, NONE, readOrderId } from '../book/index.ts';
import { OrderFees } from '../fees/order-fees.ts';
import { cashFor, HASH, lots, micros, ONE_TICKS, OPEN, ticks } from '../model/index.ts';
import { addDelayed } from '../orders/delayed-orders.ts';
import type { DelayedOrder, EngineState } from '../state/engine-state.ts';
import { feesOf } from '../state/live-orders.ts';
import { takesBudget } from '../state/taker.ts';
import { scheduleNumbers } from './fees.ts';
import type { Field, RecordReader } from './records.ts';
import { type Restoring, recordSection } from './section.ts';

export const DELAYED = recordSection({
  name: 'delayed',
  maximum: (bounds) => bounds.liveOrders,
  count: ({ delayed }) => delayed.size,
  *records(state) {
    const numberOf = scheduleNumbers(state);
    for (const [handle, order] of state.delayed) {
      const fees = feesOf(state, handle);
      yield [fees === undefined ? NONE : numberOf(fees), ...fieldsOf(state, handle, order)];
    }
  },
  begin: (restoring) => {
    let lastSeq = 0;
    return (record) => {
      lastSeq = putDelayed(restoring, record, lastSeq);
    };
  },
});

function fieldsOf(
  { orders }: EngineState,
  handle: number,
  { releaseMs, isTripped, budgetMicros }: DelayedOrder,
): Field[] {
  return [
    orders.acceptedSeq(handle),
    orders.acceptedMs(handle),
    releaseMs,
    isTripped,
    orders.id(handle),
    orders.account(handle),
    orders.market(handle),
    orders.traits(handle) & DELAYABLE_BITS,
    orders.priceTicks(handle),
    orders.lots(handle),
    budgetMicros,
    orders.expiresAtMs(handle),
  ];
}

/** Returns the order's `acceptedSeq`, which must be higher than that of the order before it. */
function putDelayed(
  { state, schedules }: Restoring,
  record: RecordReader,
  lastSeq: number,
): number {
  const { orders, ids } = state;
  const schedule = schedules[record.whole('schedule', NONE, schedules.length - 1)];
  const acceptedSeq = record.whole('acceptedSeq', lastSeq + 1, state.changedSeq);
  const acceptedMs = record.whole('acceptedMs');
  const releaseMs = record.whole('releaseMs');
  const isTripped = record.flag('isTripped');
  readNewId(state, record);
  const { account, market, position } = readPlace(state, record);
  const traits = record.whole('traits', 0, DELAYABLE_BITS);
  const hasFees = (traits & FEES_BIT) !== 0;
  if ((traits & DELAYABLE_BITS) !== traits || hasFees !== (schedule !== undefined)) {
    record.fail('traits', 'of a delayed order, with fees if it has a schedule', traits);
  }
  const priceTicks = ticks(record.whole('priceTicks', 1, ONE_TICKS - 1));
  const { grain } = market.book;
  if (priceTicks % grain !== 0) record.fail('priceTicks', `a multiple of ${grain}`, priceTicks);
  const size = lots(record.whole('lots'));
  const budgetMicros = micros(record.whole('budgetMicros'));
  const handle = orders.allocate(state.idWords, traits);
  ids.add(ids.hash(state.idWords, 0), handle);
  orders.setOwner(handle, account, market.index, position);
  orders.setPriceTicks(handle, priceTicks);
  orders.setFilled(handle, size, size, micros(0));
  orders.setTimes(handle, acceptedSeq, acceptedMs, record.whole('expiresAtMs'));
  const [isSell, postOnly] = [orders.isSell(handle), orders.isPostOnly(handle)];
  const isBudget = takesBudget({ side: orders.side(handle), type: orders.type(handle) });
  if (isBudget !== budgetMicros > 0 || isBudget !== (size === 0)) {
    record.fail('budgetMicros', 'above 0 for an order without lots, otherwise 0', budgetMicros);
  }
  const fees =
    schedule && new OrderFees(schedule, { isSell, postOnly, priceTicks, lots: size, budgetMicros });
  if (fees !== undefined) state.orderFees.set(handle, fees);
  const cash = budgetMicros + cashFor(size, priceTicks);
  const heldMicros = micros(isSell ? 0 : cash + (fees?.requiredMicros ?? 0));
  addDelayed(state, handle, { budgetMicros, market, releaseMs, heldMicros, isTripped });
  return acceptedSeq;
}

/** Reads the id of an order into `state.idWords`. */
function readNewId({ ids, idWords }: EngineState, record: RecordReader): void {
  const orderId = record.text('orderId', HASH);
  readOrderId(orderId, idWords);
  if (ids.find(idWords) !== NONE) record.fail('orderId', 'in no earlier order', orderId);
}

/** Reads the account and the market of an order. */
function readPlace(state: EngineState, record: RecordReader) {
  const account = record.whole('account', 0, state.ledger.accounts.length - 1);
  const index = record.whole('market', 0, state.markets.length - 1);
  const market = state.markets[index]!;
  const position = state.positions.find(account, index);
  if (position === NONE) record.fail('account', 'one with a position in the market', account);
  const isOpen = (state.status | market.status) === OPEN;
  if (!isOpen) record.fail('market', 'an open market, while the exchange is open', index);
  return { account, market, position };
}
