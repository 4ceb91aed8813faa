/**
 * The section of delayed orders, in order of acceptance, with the terms on which they are executed
 * at release. Their held funds follow from these. A record has room for the whole command that
 * placed the order, as it was written once; what only its acceptance needed is left empty.
 */

import { FEES_BIT, NONE, readOrderId, traitsOf } from '../book/index.ts';
import { OrderFees } from '../fees/index.ts';
import type { Outcome, SnapshotPart } from '../model/index.ts';
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
import { type Field, type RecordReader, readRecords } from './records.ts';
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
      const terms = termsFields(state, handle, order);
      yield [acceptedSeq, acceptedMs, releaseMs, isTripped, schedule, terms];
    }
  },
  begin: (restoring) => {
    let lastSeq = 0;
    return (record) => {
      lastSeq = putDelayed(restoring, record, lastSeq);
    };
  },
});

/** How many fields of the terms a release needs; those after them are left empty. */
const NEEDED_TERMS = 11;

/**
 * The same parts in a form in which equal states have equal parts, whichever program wrote them:
 * each delayed order is a part of its own, without the fields that are left empty now.
 */
export function* comparableParts(parts: Iterable<SnapshotPart>): Generator<SnapshotPart> {
  for (const part of parts) {
    if (part.name !== DELAYED.name) {
      yield part;
      continue;
    }
    for (const record of readRecords(part.bytes, part.name)) {
      const needed = JSON.stringify(record, (_, value) =>
        Array.isArray(value) && value.length > NEEDED_TERMS ? value.slice(0, NEEDED_TERMS) : value,
      );
      yield { name: part.name, bytes: Buffer.from(needed) };
    }
  }
}

const NO_API_KEY = '';

function termsFields(
  { orders, ledger }: EngineState,
  handle: number,
  { market, budgetMicros }: DelayedOrder,
): Field {
  const { address, owner } = ledger.accounts[orders.account(handle)]!;
  return [
    orders.id(handle),
    address,
    owner,
    market.terms.tokenIds[orders.outcome(handle)],
    orders.side(handle),
    orders.type(handle),
    orders.isPostOnly(handle),
    orders.priceTicks(handle),
    orders.lots(handle),
    budgetMicros,
    orders.expiresAtMs(handle),
    0,
    0,
    NO_API_KEY,
    null,
    null,
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
  const terms = readTerms(record.inner('command') ?? record.fail('command', 'a record', null));
  const { account, market, position, outcome } = findReferences(state, record, terms);
  const { orderId, side, type, postOnly, priceTicks, budgetMicros } = terms;
  const isSell = side === 'SELL';
  const fees = schedule && new OrderFees(schedule, { ...terms, isSell });
  const traits = traitsOf(outcome, side, type, postOnly) | (fees === undefined ? 0 : FEES_BIT);
  readOrderId(orderId, state.idWords);
  const handle = orders.allocate(state.idWords, traits);
  ids.add(ids.hash(state.idWords, 0), handle);
  orders.setOwner(handle, account, market.index, position);
  orders.setPriceTicks(handle, priceTicks);
  orders.setFilled(handle, terms.lots, terms.lots, micros(0));
  orders.setTimes(handle, acceptedSeq, acceptedMs, terms.expiresAtMs);
  if (fees !== undefined) state.orderFees.set(handle, fees);
  const cash = budgetMicros + cashFor(terms.lots, priceTicks);
  const heldMicros = micros(isSell ? 0 : cash + (fees?.requiredMicros ?? 0));
  addDelayed(state, handle, { budgetMicros, market, releaseMs, heldMicros, isTripped });
  return acceptedSeq;
}

/** What the names in a record refer to. */
interface References {
  readonly account: number;
  readonly market: Market;
  readonly outcome: Outcome;
  readonly position: number;
}

function findReferences(
  state: EngineState,
  record: RecordReader,
  terms: ReturnType<typeof readTerms>,
): References {
  const { orderId, owner, tokenId, priceTicks } = terms;
  const token = state.findToken(tokenId);
  if (token === undefined) return record.fail('tokenId', 'a token of a market', tokenId);
  const { market, outcome } = token;
  const account = state.ledger.findAccount(terms.account);
  const position = state.positions.find(account, market.index);
  if (position === NONE || state.ledger.accounts[account]!.owner !== owner) {
    return record.fail(
      'account',
      'an account of the owner with a position in the market',
      terms.account,
    );
  }
  const isOpen = (state.status | market.status) === OPEN;
  if (!isOpen)
    record.fail('tokenId', 'a token of an open market, while the exchange is open', tokenId);
  if (priceTicks % market.book.grain !== 0)
    record.fail('priceTicks', `a multiple of ${market.book.grain}`, priceTicks);
  if (state.findOrder(orderId) !== NONE) record.fail('orderId', 'in no earlier order', orderId);
  return { account, market, outcome, position };
}

function readTerms(record: RecordReader) {
  const terms = {
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
  } as const;
  const isBudget = terms.budgetMicros > 0;
  const hasOneAmount = isBudget === (terms.lots === 0) && isBudget === takesBudget(terms);
  if (!hasOneAmount)
    record.fail(
      'budgetMicros',
      'above 0 for an order without lots, otherwise 0',
      terms.budgetMicros,
    );
  skipRest(record);
  return terms;
}

/** Checks and leaves out what only the acceptance of the order needed. */
function skipRest(record: RecordReader): void {
  record.whole('minimumLeadMs');
  record.whole('idCheckedSeq');
  record.text('apiKey');
  record.optionalText('builder');
  const opens = record.inner('opens');
  if (opens !== undefined) {
    opens.oneOf('wallet', WALLET_KINDS);
    opens.whole('paperMicros');
    opens.end();
  }
  record.end();
}
