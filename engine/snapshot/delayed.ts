/**
 * Orders that wait for the end of their delay, in images, in order of acceptance: as the commands
 * that they came with, which is what it takes to execute them. What they hold follows from that.
 */

import { FEES_BIT, NONE, readOrderId, traitsOf } from '../book/index.ts';
import type { OrderType, Outcome, PlaceOrder, Side, Wallet } from '../model/index.ts';
import { ADDRESS, cashFor, lots, micros, ONE_TICKS, OPEN, ticks } from '../model/index.ts';
import { addDelayed } from '../orders/index.ts';
import type { Core, DelayedOrder, Market } from '../state/index.ts';
import { OrderFees, takesBudget } from '../state/index.ts';
import { scheduleNumbers } from './fees.ts';
import type { Field, ImageRecord } from './records.ts';
import { type Restoring, recordSection } from './section.ts';

const MOST = Number.MAX_SAFE_INTEGER;
const ORDER_ID = /^0x[0-9a-f]{64}$/;
const SIDES: readonly Side[] = ['BUY', 'SELL'];
const TYPES: readonly OrderType[] = ['GTC', 'GTD', 'FOK', 'FAK'];
const WALLETS: readonly Wallet[] = ['eoa', 'proxy', 'safe', 'deposit'];

export const DELAYED = recordSection({
  name: 'delayed',
  most: (bounds) => bounds.delayedOrders,
  count: ({ delayed }) => delayed.size,
  *records(core) {
    const { delayed, orders, orderFees } = core;
    const numberOf = scheduleNumbers(core);
    for (const [handle, order] of delayed) {
      const fees = orders.hasFees(handle) ? orderFees.get(handle) : undefined;
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

/** Returns the seq of its acceptance, which is behind the one before it. */
function putDelayed({ core, schedules }: Restoring, record: ImageRecord, lastSeq: number): number {
  const { orders, ids } = core;
  const acceptedSeq = record.whole('acceptedSeq', lastSeq + 1, core.changedSeq);
  const acceptedMs = record.whole('acceptedMs', 0, MOST);
  const releaseMs = record.whole('releaseMs', 0, MOST);
  const isTripped = record.flag('isTripped');
  const schedule = schedules[record.whole('schedule', NONE, schedules.length - 1)];
  const command = readCommand(record.inner('command') ?? record.fail('command', 'one', null));
  const { orderId, account, market, position, outcome } = findPlace(core, record, command);
  const { side, type, postOnly, priceTicks } = command;
  const isSell = side === 'SELL';
  const fees = schedule && new OrderFees(schedule, { ...command, isSell });
  const traits = traitsOf(outcome, side, type, postOnly) | (fees === undefined ? 0 : FEES_BIT);
  readOrderId(orderId, core.idWords);
  const handle = orders.allocate(core.idWords, traits);
  ids.add(ids.hash(core.idWords, 0), handle);
  orders.setOwner(handle, account, market.index, position);
  orders.setPriceTicks(handle, priceTicks);
  orders.setFilled(handle, command.lots, command.lots, micros(0));
  orders.setTimes(handle, acceptedSeq, acceptedMs, command.expiresAtMs);
  if (fees !== undefined) core.orderFees.set(handle, fees);
  const cash = command.budgetMicros + cashFor(command.lots, priceTicks);
  const heldMicros = micros(isSell ? 0 : cash + (fees?.requiredMicros ?? 0));
  addDelayed(core, handle, { command, market, releaseMs, heldMicros, isTripped });
  return acceptedSeq;
}

/** What an order is of, by the names in its command. */
interface Place {
  readonly orderId: string;
  readonly account: number;
  readonly market: Market;
  readonly outcome: Outcome;
  readonly position: number;
}

function findPlace(core: Core, record: ImageRecord, command: PlaceOrder): Place {
  const { orderId, owner, tokenId, priceTicks } = command;
  const token = core.findToken(tokenId);
  if (token === undefined) return record.fail('tokenId', 'of a market', tokenId);
  const { market, outcome } = token;
  const account = core.ledger.findAccount(command.account);
  const position = core.positions.find(account, market.index);
  if (position === NONE || core.ledger.accounts[account]!.owner !== owner) {
    return record.fail('account', "its owner's, with a position in its market", command.account);
  }
  const isOpen = (core.status | market.status) === OPEN;
  if (!isOpen) record.fail('tokenId', 'of an open market of an open exchange', tokenId);
  if (priceTicks % market.book.grain !== 0) record.fail('priceTicks', 'on the grid', priceTicks);
  if (core.findOrder(orderId) !== NONE) record.fail('orderId', 'there once', orderId);
  return { orderId, account, market, outcome, position };
}

function readCommand(record: ImageRecord): PlaceOrder {
  const named = {
    kind: 'place_order',
    orderId: record.text('orderId', ORDER_ID),
    account: record.text('account', ADDRESS),
    owner: record.text('owner', ADDRESS),
    tokenId: record.text('tokenId'),
    side: record.oneOf('side', SIDES),
    type: record.oneOf('type', TYPES),
    postOnly: record.flag('postOnly'),
    priceTicks: ticks(record.whole('priceTicks', 1, ONE_TICKS - 1)),
    lots: lots(record.whole('lots', 0, MOST)),
    budgetMicros: micros(record.whole('budgetMicros', 0, MOST)),
    expiresAtMs: record.whole('expiresAtMs', 0, MOST),
    minimumLeadMs: record.whole('minimumLeadMs', 0, MOST),
    idCheckedSeq: record.whole('idCheckedSeq', 0, MOST),
    apiKey: record.text('apiKey'),
  } as const;
  const isBudget = named.budgetMicros > 0;
  const isOneOf = isBudget === (named.lots === 0) && isBudget === takesBudget(named);
  if (!isOneOf) record.fail('budgetMicros', 'in place of lots, of a budget', named.budgetMicros);
  const builder = record.optionalText('builder');
  const opens = record.inner('opens');
  const command: PlaceOrder = {
    ...named,
    ...(builder === undefined ? {} : { builder }),
    ...(opens === undefined ? {} : { opens: readOpening(opens) }),
  };
  record.end();
  return command;
}

function readOpening(record: ImageRecord): NonNullable<PlaceOrder['opens']> {
  const wallet = record.oneOf('wallet', WALLETS);
  const paperMicros = micros(record.whole('paperMicros', 0, MOST));
  record.end();
  return { wallet, paperMicros };
}
