/**
 * The section of delayed orders, in order of acceptance, with the commands that placed them, which
 * are executed at release. Their held funds follow from the command.
 */

import { FEES_BIT, NONE, readOrderId, traitsOf } from '../book/index.ts';
import { OrderFees } from '../fees/index.ts';
import type { Outcome, PlaceOrder } from '../model/index.ts';
import {
  ADDRESS,
  cashFor,
  HASH,
  lots,
  micros,
  ONE_TICKS,
  OPEN,
  ORDER_TYPES,
  SIDES,
  ticks,
  WALLET_KINDS,
} from '../model/index.ts';
import { addDelayed } from '../orders/index.ts';
import type { DelayedOrder, EngineState, Market } from '../state/index.ts';
import { feesOf, takesBudget } from '../state/index.ts';
import { scheduleNumbers } from './fees.ts';
import type { Field, RecordReader } from './records.ts';
import { type Restoring, recordSection } from './section.ts';

export const DELAYED = recordSection({
  name: 'delayed',
  maximum: (bounds) => bounds.delayedOrders,
  count: ({ delayed }) => delayed.size,
  *records(state) {
    const { delayed, orders } = state;
    const numberOf = scheduleNumbers(state);
    for (const [handle, order] of delayed) {
      const fees = feesOf(state, handle);
      const schedule = fees === undefined ? NONE : numberOf(fees);
      const [acceptedSeq, acceptedMs] = [orders.acceptedSeq(handle), orders.acceptedMs(handle)];
      const { releaseMs, isTripped } = order;
      yield [acceptedSeq, acceptedMs, releaseMs, isTripped, schedule, commandFields(order)];
    }
  },
  begin: (restoring) => {
    let lastSeq = 0;
    return (record) => {
      lastSeq = putDelayed(restoring, record, lastSeq);
    };
  },
});

function commandFields({ command }: DelayedOrder): Field {
  return [
    command.orderId,
    command.account,
    command.owner,
    command.tokenId,
    command.side,
    command.type,
    command.postOnly,
    command.priceTicks,
    command.lots,
    command.budgetMicros,
    command.expiresAtMs,
    command.minimumLeadMs,
    command.idCheckedSeq,
    command.apiKey,
    command.builder ?? null,
    command.opens === undefined ? null : [command.opens.wallet, command.opens.paperMicros],
  ];
}

/** Returns the order's `acceptedSeq`, which must be higher than that of the order before it. */
function putDelayed(
  { state, schedules }: Restoring,
  record: RecordReader,
  lastSeq: number,
): number {
  const { orders, ids } = state;
  const acceptedSeq = record.whole('acceptedSeq', lastSeq + 1, state.changedSeq);
  const acceptedMs = record.whole('acceptedMs');
  const releaseMs = record.whole('releaseMs');
  const isTripped = record.flag('isTripped');
  const schedule = schedules[record.whole('schedule', NONE, schedules.length - 1)];
  const command = readCommand(record.inner('command') ?? record.fail('command', 'a record', null));
  const { orderId, account, market, position, outcome } = findReferences(state, record, command);
  const { side, type, postOnly, priceTicks } = command;
  const isSell = side === 'SELL';
  const fees = schedule && new OrderFees(schedule, { ...command, isSell });
  const traits = traitsOf(outcome, side, type, postOnly) | (fees === undefined ? 0 : FEES_BIT);
  readOrderId(orderId, state.idWords);
  const handle = orders.allocate(state.idWords, traits);
  ids.add(ids.hash(state.idWords, 0), handle);
  orders.setOwner(handle, account, market.index, position);
  orders.setPriceTicks(handle, priceTicks);
  orders.setFilled(handle, command.lots, command.lots, micros(0));
  orders.setTimes(handle, acceptedSeq, acceptedMs, command.expiresAtMs);
  if (fees !== undefined) state.orderFees.set(handle, fees);
  const cash = command.budgetMicros + cashFor(command.lots, priceTicks);
  const heldMicros = micros(isSell ? 0 : cash + (fees?.requiredMicros ?? 0));
  addDelayed(state, handle, { command, market, releaseMs, heldMicros, isTripped });
  return acceptedSeq;
}

/** What the names in a command refer to. */
interface References {
  readonly orderId: string;
  readonly account: number;
  readonly market: Market;
  readonly outcome: Outcome;
  readonly position: number;
}

function findReferences(state: EngineState, record: RecordReader, command: PlaceOrder): References {
  const { orderId, owner, tokenId, priceTicks } = command;
  const token = state.findToken(tokenId);
  if (token === undefined) return record.fail('tokenId', 'a token of a market', tokenId);
  const { market, outcome } = token;
  const account = state.ledger.findAccount(command.account);
  const position = state.positions.find(account, market.index);
  if (position === NONE || state.ledger.accounts[account]!.owner !== owner) {
    return record.fail(
      'account',
      'an account of the owner with a position in the market',
      command.account,
    );
  }
  const isOpen = (state.status | market.status) === OPEN;
  if (!isOpen)
    record.fail('tokenId', 'a token of an open market, while the exchange is open', tokenId);
  if (priceTicks % market.book.grain !== 0)
    record.fail('priceTicks', `a multiple of ${market.book.grain}`, priceTicks);
  if (state.findOrder(orderId) !== NONE) record.fail('orderId', 'in no earlier order', orderId);
  return { orderId, account, market, outcome, position };
}

function readCommand(record: RecordReader): PlaceOrder {
  const named = {
    kind: 'place_order',
    orderId: record.text('orderId', HASH),
    account: record.text('account', ADDRESS),
    owner: record.text('owner', ADDRESS),
    tokenId: record.text('tokenId'),
    side: record.oneOf('side', SIDES),
    type: record.oneOf('type', ORDER_TYPES),
    postOnly: record.flag('postOnly'),
    priceTicks: ticks(record.whole('priceTicks', 1, ONE_TICKS - 1)),
    lots: lots(record.whole('lots')),
    budgetMicros: micros(record.whole('budgetMicros')),
    expiresAtMs: record.whole('expiresAtMs'),
    minimumLeadMs: record.whole('minimumLeadMs'),
    idCheckedSeq: record.whole('idCheckedSeq'),
    apiKey: record.text('apiKey'),
  } as const;
  const isBudget = named.budgetMicros > 0;
  const hasOneAmount = isBudget === (named.lots === 0) && isBudget === takesBudget(named);
  if (!hasOneAmount)
    record.fail(
      'budgetMicros',
      'above 0 for an order without lots, otherwise 0',
      named.budgetMicros,
    );
  const builder = record.optionalText('builder');
  const opens = record.inner('opens');
  const command: PlaceOrder = {
    ...named,
    ...(builder === undefined ? {} : { builder }),
    ...(opens === undefined ? {} : { opens: readOpens(opens) }),
  };
  record.end();
  return command;
}

function readOpens(record: RecordReader): NonNullable<PlaceOrder['opens']> {
  const wallet = record.oneOf('wallet', WALLET_KINDS);
  const paperMicros = micros(record.whole('paperMicros'));
  record.end();
  return { wallet, paperMicros };
}
