/** Packed events as the plain events of model/events.ts, with names in place of numbers. */
import type { EventLog } from '../log/index.ts';
import {
  FEES_CHARGED_BIT,
  FILL,
  LEVEL_CHANGED,
  MAKER_OUTCOME_BIT,
  MAKER_SELL_BIT,
  ORDER_CLOSED,
  ORDER_DELAYED,
  ORDER_DUPLICATE,
  OTHER,
  PACKED_KINDS,
  TAKER_OUTCOME_BIT,
  TAKER_SELL_BIT,
} from '../log/index.ts';
import type {
  EngineEvent,
  Fill,
  FillFees,
  LevelChanged,
  Lots,
  Micros,
  OrderClosed,
  Outcome,
  Side,
  Ticks,
} from '../model/index.ts';
import { CLOSE_REASONS } from '../model/index.ts';
import type { EngineState } from '../state/index.ts';

type Names = Pick<EngineState, 'markets' | 'ledger'>;

/** The events of the records from `from` on. */
export function nameEvents(names: Names, log: EventLog, from: number): EngineEvent[] {
  const events: EngineEvent[] = [];
  for (let record = from; record < log.count; record += 1)
    events.push(nameEvent(names, log, record));
  return events;
}

function nameEvent(names: Names, log: EventLog, record: number): EngineEvent {
  const kind = log.kind(record);
  if (kind === LEVEL_CHANGED) return nameLevel(names, log, record);
  if (kind === FILL) return nameFill(names, log, record);
  if (kind === ORDER_CLOSED) return nameClosed(names, log, record);
  if (kind === OTHER) return log.other(record);
  const orderId = log.orderId(record);
  if (kind === ORDER_DUPLICATE) {
    return { kind: 'order_duplicate', orderId, acceptedSeq: log.amount(record, 0) };
  }
  const account = names.ledger.accounts[log.account(record)]!.address;
  const conditionId = conditionOf(names, log, record);
  if (kind === ORDER_DELAYED) {
    const releaseMs = log.amount(record, 0);
    return { kind: 'order_delayed', orderId, account, conditionId, releaseMs };
  }
  // Safe: the other kinds only name an order.
  const named = PACKED_KINDS[kind] as 'order_accepted' | 'order_released' | 'order_continued';
  return { kind: named, orderId, account, conditionId };
}

function conditionOf({ markets }: Names, log: EventLog, record: number): string {
  return markets[log.market(record)]!.terms.conditionId;
}

function nameLevel(names: Names, log: EventLog, record: number): LevelChanged {
  return {
    kind: 'level_changed',
    conditionId: conditionOf(names, log, record),
    side: log.code(record) === 1 ? 'bid' : 'ask',
    priceTicks: log.price(record) as Ticks, // the price of a level
    lots: log.amount(record, 0) as Lots, // a sum of whole lots
  };
}

function nameClosed(names: Names, log: EventLog, record: number): OrderClosed {
  const { address: account, owner } = names.ledger.accounts[log.account(record)]!;
  const closed: OrderClosed = {
    kind: 'order_closed',
    orderId: log.orderId(record),
    account,
    owner,
    conditionId: conditionOf(names, log, record),
    reason: CLOSE_REASONS[log.code(record)]!,
    filledLots: log.amount(record, 0) as Lots, // whole lots
    filledMicros: log.amount(record, 1) as Micros, // whole micros
  };
  const feeMicros = log.amount(record, 2) as Micros; // whole micros
  return feeMicros === 0 ? closed : { ...closed, feeMicros };
}

function nameFill(names: Names, log: EventLog, record: number): Fill {
  const { accounts } = names.ledger;
  const code = log.code(record);
  const takerOutcome: Outcome = (code & TAKER_OUTCOME_BIT) === 0 ? 0 : 1;
  const makerOutcome: Outcome = (code & MAKER_OUTCOME_BIT) === 0 ? 0 : 1;
  const takerSide: Side = (code & TAKER_SELL_BIT) === 0 ? 'BUY' : 'SELL';
  const makerSide: Side = (code & MAKER_SELL_BIT) === 0 ? 'BUY' : 'SELL';
  const fill: Fill = {
    kind: 'fill',
    conditionId: conditionOf(names, log, record),
    match: takerSide !== makerSide ? 'transfer' : takerSide === 'BUY' ? 'mint' : 'merge',
    takerOrderId: log.orderId(log.takerAt(record)),
    makerOrderId: log.orderId(record),
    takerAccount: accounts[log.account(record)]!.address,
    makerAccount: accounts[log.makerAccount(record)]!.address,
    takerOutcome,
    takerSide,
    makerOutcome,
    makerSide,
    takerPriceTicks: log.price(record) as Ticks, // a price of the book
    makerPriceTicks: log.makerPrice(record) as Ticks, // a price of the book
    lots: log.amount(record, 0) as Lots, // whole lots
    bucket: log.bucket(record),
  };
  return (code & FEES_CHARGED_BIT) === 0 ? fill : { ...fill, fees: feesOf(log, record) };
}

function feesOf(log: EventLog, record: number): FillFees {
  const micros = (place: number): Micros => log.amount(record, place) as Micros; // whole micros
  return {
    takerMicros: micros(1),
    makerMicros: micros(2),
    takerBuilderMicros: micros(3),
    makerBuilderMicros: micros(4),
    takerFeeBps: log.takerFeeBps(record),
    makerFeeBps: log.makerFeeBps(record),
  };
}
