/**
 * Orders that rest, in images: book after book as they would be met, bids and then asks, best price
 * first, each level in its queue, which is not the order of acceptance. Owners' lists and what is
 * due follow from what each order says.
 */

import { NONE, RESTING_BITS } from '../book/index.ts';
import {
  SnapshotError,
  invariant,
  isWhole,
  lots,
  micros,
  ONE_TICKS,
  ticks,
} from '../model/index.ts';
import { type Core, enlist } from '../state/index.ts';
import { getId, ID_BYTES, layout, putId } from './columns.ts';
import { columnSection, need, needNewId } from './section.ts';

const MOST = Number.MAX_SAFE_INTEGER;

function restingCount({ markets }: Core): number {
  return markets.reduce((sum, { book }) => sum + book.bidCount + book.askCount, 0);
}

/** Handles of all that rest, in the order in which they stand in an image. */
export function handlesInBooks(core: Core): Int32Array {
  const handles = new Int32Array(restingCount(core));
  let count = 0;
  for (const { book } of core.markets) {
    for (const isBid of [true, false]) {
      let level = isBid ? book.bestBid : book.bestAsk;
      for (; level !== NONE; level = book.worse(level, isBid)) {
        for (let at = book.head(level); at !== NONE; at = core.orders.next(at)) {
          handles[count] = at;
          count += 1;
        }
      }
    }
  }
  return handles;
}

export const ORDERS = columnSection({
  name: 'orders',
  most: (bounds) => bounds.accounts * bounds.liveOrdersPerAccount,
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
  writer: (core) => {
    const { orders } = core;
    const handles = handlesInBooks(core);
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
      orders.copyId(handle, core.idWords, 0);
      putId(columns.ids, row, core.idWords);
    };
  },
  reader: ({ core }) => {
    const { orders, ids, ledger, positions, markets, due, bounds } = core;
    return (columns, row, index) => {
      const account = columns.accounts[row]!;
      const market = markets[columns.markets[row]!];
      need(ledger.accounts[account] !== undefined, 'orders', index, 'no such account', account);
      need(market !== undefined, 'orders', index, 'no such market', columns.markets[row]!);
      const position = positions.find(account, market.index);
      need(position !== NONE, 'orders', index, 'no position of its account in its market');
      const size = columns.lots[row]!;
      const remaining = columns.remainingLots[row]!;
      const filled = columns.filledMicros[row]!;
      need(isWhole(size, 1, bounds.orderLots), 'orders', index, 'wrong lots', size);
      need(isWhole(remaining, 1, size), 'orders', index, 'wrong remainingLots', remaining);
      need(isWhole(filled, 0, MOST), 'orders', index, 'wrong filledMicros', filled);
      const price = columns.priceTicks[row]!;
      const isPrice = isWhole(price, 1, ONE_TICKS - 1) && price % market.book.grain === 0;
      need(isPrice, 'orders', index, 'wrong priceTicks', price);
      const traits = columns.traits[row]!;
      need((traits & RESTING_BITS) === traits, 'orders', index, 'wrong traits', traits);
      const [acceptedMs, expiresAtMs] = [columns.acceptedMs[row]!, columns.expiresAtMs[row]!];
      need(isWhole(acceptedMs, 0, MOST), 'orders', index, 'wrong acceptedMs', acceptedMs);
      need(isWhole(expiresAtMs, 0, MOST), 'orders', index, 'wrong expiresAtMs', expiresAtMs);
      getId(columns.ids, row, core.idWords);
      needNewId(core, 'orders', index);
      const handle = orders.allocate(core.idWords, traits);
      invariant(handle === index, 'the handles of a new store count from 0');
      ids.add(ids.hash(core.idWords, 0), handle);
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
 * Puts the orders of a new store, all of them live, among those of their owners, by acceptance.
 * Throws ImageError where two were accepted by one command, or one by a command that is still to
 * come.
 */
export function enlistAll(core: Core, count: number): void {
  const acceptedSeqs = Float64Array.from({ length: count }, (_, at) => core.orders.acceptedSeq(at));
  for (let handle = 0; handle < count; handle += 1) {
    if (!isWhole(acceptedSeqs[handle]!, 1, core.changedSeq)) throw wrongSeq(core, handle);
  }
  let before = 0;
  for (const handle of byAcceptance(acceptedSeqs, core.changedSeq)) {
    if (acceptedSeqs[handle] === before) throw wrongSeq(core, handle);
    before = acceptedSeqs[handle]!;
    enlist(core, handle);
  }
}

function wrongSeq({ orders }: Core, handle: number): SnapshotError {
  return new SnapshotError(`orders ${handle}: wrong acceptedSeq ${orders.acceptedSeq(handle)}`);
}

/**
 * The places of whole numbers up to `most`, least number first. A number and its place in one are
 * sorted five times as fast as by a comparison, as long as that one stays exact.
 */
export function byAcceptance(seqs: Float64Array, most: number): Int32Array {
  const places = new Int32Array(seqs.length);
  if ((most + 1) * seqs.length > MOST) {
    for (let place = 0; place < seqs.length; place += 1) places[place] = place;
    return places.sort((a, b) => seqs[a]! - seqs[b]!);
  }
  const packed = seqs.map((seq, place) => seq * seqs.length + place).sort();
  for (let at = 0; at < seqs.length; at += 1) places[at] = packed[at]! % seqs.length;
  return places;
}
