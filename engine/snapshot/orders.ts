/**
 * The section of resting orders: market by market, bids before asks, best price first, each level
 * in the order of its queue, which is not always the order of acceptance. Owners' lists and the due
 * queue are rebuilt from the orders.
 */

import { NONE, RESTING_BITS } from '../book/index.ts';
import {
  invariant,
  isWhole,
  lots,
  micros,
  ONE_TICKS,
  SnapshotError,
  ticks,
} from '../model/index.ts';
import { type EngineState, enlist } from '../state/index.ts';
import { getId, ID_BYTES, layout, putId } from './columns.ts';
import { columnSection, need, needNewId } from './section.ts';

const MAXIMUM = Number.MAX_SAFE_INTEGER;

function restingCount({ markets }: EngineState): number {
  return markets.reduce((sum, { book }) => sum + book.bidCount + book.askCount, 0);
}

/** Handles of all resting orders, in the order of the section. */
export function handlesInBooks(state: EngineState): Int32Array {
  const handles = new Int32Array(restingCount(state));
  let count = 0;
  for (const { book } of state.markets) {
    for (const isBid of [true, false]) {
      for (const handle of book.handles(isBid)) {
        handles[count] = handle;
        count += 1;
      }
    }
  }
  return handles;
}

export const ORDERS = columnSection({
  name: 'orders',
  maximum: (bounds) => bounds.accounts * bounds.liveOrdersPerAccount,
  count: restingCount,
  layout: layout((cutter) => ({
    acceptedSeq: cutter.doubles(),
    acceptedMs: cutter.doubles(),
    expiresAtMs: cutter.doubles(),
    lots: cutter.doubles(),
    remainingLots: cutter.doubles(),
    filledMicros: cutter.doubles(),
    accounts: cutter.words(),
    markets: cutter.words(),
    priceTicks: cutter.words(),
    traits: cutter.bytes(1),
    ids: cutter.bytes(ID_BYTES),
  })),
  writer: (state) => {
    const { orders } = state;
    const handles = handlesInBooks(state);
    return (columns, row, index) => {
      const handle = handles[index]!;
      columns.acceptedSeq[row] = orders.acceptedSeq(handle);
      columns.acceptedMs[row] = orders.acceptedMs(handle);
      columns.expiresAtMs[row] = orders.expiresAtMs(handle);
      columns.lots[row] = orders.lots(handle);
      columns.remainingLots[row] = orders.remainingLots(handle);
      columns.filledMicros[row] = orders.filledMicros(handle);
      columns.accounts[row] = orders.account(handle);
      columns.markets[row] = orders.market(handle);
      columns.priceTicks[row] = orders.priceTicks(handle);
      columns.traits[row] = orders.traits(handle) & RESTING_BITS;
      orders.copyId(handle, state.idWords, 0);
      putId(columns.ids, row, state.idWords);
    };
  },
  reader: ({ state }) => {
    const { orders, ids, ledger, positions, markets, due, bounds } = state;
    return (columns, row, index) => {
      const account = columns.accounts[row]!;
      const market = markets[columns.markets[row]!];
      need(ledger.accounts[account] !== undefined, 'orders', index, 'account', account);
      need(market !== undefined, 'orders', index, 'market', columns.markets[row]!);
      const position = positions.find(account, market.index);
      need(position !== NONE, 'orders', index, 'the account has no position in the market');
      const size = columns.lots[row]!;
      const remaining = columns.remainingLots[row]!;
      const filled = columns.filledMicros[row]!;
      need(isWhole(size, 1, bounds.orderLots), 'orders', index, 'lots', size);
      need(isWhole(remaining, 1, size), 'orders', index, 'remainingLots', remaining);
      need(isWhole(filled, 0, MAXIMUM), 'orders', index, 'filledMicros', filled);
      const price = columns.priceTicks[row]!;
      const isPrice = isWhole(price, 1, ONE_TICKS - 1) && price % market.book.grain === 0;
      need(isPrice, 'orders', index, 'priceTicks', price);
      const traits = columns.traits[row]!;
      need((traits & RESTING_BITS) === traits, 'orders', index, 'traits', traits);
      const [acceptedMs, expiresAtMs] = [columns.acceptedMs[row]!, columns.expiresAtMs[row]!];
      need(isWhole(acceptedMs, 0, MAXIMUM), 'orders', index, 'acceptedMs', acceptedMs);
      need(isWhole(expiresAtMs, 0, MAXIMUM), 'orders', index, 'expiresAtMs', expiresAtMs);
      getId(columns.ids, row, state.idWords);
      needNewId(state, 'orders', index);
      const handle = orders.allocate(state.idWords, traits);
      invariant(handle === index, 'the handles of a new store count from 0');
      ids.add(ids.hash(state.idWords, 0), handle);
      orders.setOwner(handle, account, market.index, position);
      orders.setPriceTicks(handle, ticks(price));
      orders.setFilled(handle, lots(size), lots(remaining), micros(filled));
      orders.setTimes(handle, columns.acceptedSeq[row]!, acceptedMs, expiresAtMs);
      market.book.add(handle);
      if (orders.type(handle) === 'GTD') due.add(handle, expiresAtMs);
    };
  },
});

/**
 * Makes all orders of a new store live, in order of acceptance. Throws SnapshotError if two were
 * accepted by one command, or one by a command after the snapshot.
 */
export function enlistAll(state: EngineState, count: number): void {
  const acceptedSeqs = Float64Array.from({ length: count }, (_, at) =>
    state.orders.acceptedSeq(at),
  );
  for (let handle = 0; handle < count; handle += 1) {
    if (!isWhole(acceptedSeqs[handle]!, 1, state.changedSeq)) throw wrongSeq(state, handle);
  }
  let before = 0;
  for (const handle of byAcceptance(acceptedSeqs, state.changedSeq)) {
    if (acceptedSeqs[handle] === before) throw wrongSeq(state, handle);
    before = acceptedSeqs[handle]!;
    enlist(state, handle);
  }
}

function wrongSeq({ orders }: EngineState, handle: number): SnapshotError {
  return new SnapshotError(
    `orders ${handle}: acceptedSeq is out of range or repeated: ${orders.acceptedSeq(handle)}`,
  );
}

/**
 * The indexes of `seqs`, lowest seq first; no seq is above `maximum`. Sorting numbers that pack a
 * seq and its index, if they stay exact, is five times as fast as with a comparison function.
 */
export function byAcceptance(seqs: Float64Array, maximum: number): Int32Array {
  const places = new Int32Array(seqs.length);
  if ((maximum + 1) * seqs.length > MAXIMUM) {
    for (let place = 0; place < seqs.length; place += 1) places[place] = place;
    return places.sort((a, b) => seqs[a]! - seqs[b]!);
  }
  const packed = seqs.map((seq, place) => seq * seqs.length + place).sort();
  for (let at = 0; at < seqs.length; at += 1) places[at] = packed[at]! % seqs.length;
  return places;
}
