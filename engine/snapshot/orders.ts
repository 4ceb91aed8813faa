/**
 * The section of resting orders: market by market, bids before asks, best price first, each level
 * in the order of its queue, which is not always the order of acceptance. Owners' lists and the due
 * queue are rebuilt from the orders.
 */

import { copyId, ID_WORDS, NONE, RESTING_BITS } from '../book/index.ts';
import {
  invariant,
  isWhole,
  lots,
  micros,
  ONE_TICKS,
  SnapshotError,
  ticks,
} from '../model/index.ts';
import type { EngineState } from '../state/engine-state.ts';
import { enlistAll } from '../state/live-orders.ts';
import { ID_BYTES, idWordsOf, layout, putId } from './columns.ts';
import { MarketPositions } from './market-positions.ts';
import { addNewIds, need, partSection } from './section.ts';

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

const NAME = 'orders';

export const ORDERS = partSection({
  name: NAME,
  maximum: (bounds) => bounds.liveOrders,
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
    traits: cutter.words(),
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
  /**
   * In three passes over a part, because there may be a million orders: each pass reads memory in
   * order, or at many places at once.
   */
  reader: ({ state }) => {
    const held = new MarketPositions(state.positions, state.ledger.accounts.length);
    return (columns, rows, index) => {
      const ids = idWordsOf(columns.ids);
      for (let row = 0; row < rows; row += 1) {
        copyId(ids, row * ID_WORDS, state.idWords, 0);
        putOrder(state, held, { columns, row, index: index + row });
      }
      addNewIds(state, ids, { name: NAME, rows, index });
      for (let handle = index; handle < index + rows; handle += 1) queueOrder(state, handle);
    };
  },
});

interface OrderColumns {
  readonly acceptedSeq: Float64Array;
  readonly acceptedMs: Float64Array;
  readonly expiresAtMs: Float64Array;
  readonly lots: Float64Array;
  readonly remainingLots: Float64Array;
  readonly filledMicros: Float64Array;
  readonly accounts: Int32Array;
  readonly markets: Int32Array;
  readonly priceTicks: Int32Array;
  readonly traits: Int32Array;
}

interface OrderRow {
  readonly columns: OrderColumns;
  readonly row: number;
  /** Its place in the section, which becomes its handle. */
  readonly index: number;
}

/** Stores an order, whose id is in `state.idWords`. */
function putOrder(state: EngineState, held: MarketPositions, { columns, row, index }: OrderRow) {
  const { orders, ledger, bounds } = state;
  const account = columns.accounts[row]!;
  const market = state.markets[columns.markets[row]!];
  need(ledger.accounts[account] !== undefined, NAME, index, 'account', account);
  need(market !== undefined, NAME, index, 'market', columns.markets[row]!);
  const position = held.find(account, market.index);
  need(position !== NONE, NAME, index, 'the account has no position in the market');
  const size = columns.lots[row]!;
  const remaining = columns.remainingLots[row]!;
  const filled = columns.filledMicros[row]!;
  need(isWhole(size, 1, bounds.orderLots), NAME, index, 'lots', size);
  need(isWhole(remaining, 1, size), NAME, index, 'remainingLots', remaining);
  need(isWhole(filled, 0, MAXIMUM), NAME, index, 'filledMicros', filled);
  const price = columns.priceTicks[row]!;
  const isPrice = isWhole(price, 1, ONE_TICKS - 1) && price % market.book.grain === 0;
  need(isPrice, NAME, index, 'priceTicks', price);
  const traits = columns.traits[row]!;
  need((traits & RESTING_BITS) === traits, NAME, index, 'traits', traits);
  const [acceptedMs, expiresAtMs] = [columns.acceptedMs[row]!, columns.expiresAtMs[row]!];
  need(isWhole(acceptedMs, 0, MAXIMUM), NAME, index, 'acceptedMs', acceptedMs);
  need(isWhole(expiresAtMs, 0, MAXIMUM), NAME, index, 'expiresAtMs', expiresAtMs);
  const handle = orders.allocate(state.idWords, traits);
  invariant(handle === index, 'the handles of a new store count from 0');
  orders.setOwner(handle, account, market.index, position);
  orders.setPriceTicks(handle, ticks(price));
  orders.setFilled(handle, lots(size), lots(remaining), micros(filled));
  orders.setTimes(handle, columns.acceptedSeq[row]!, acceptedMs, expiresAtMs);
}

function queueOrder({ orders, markets, due }: EngineState, handle: number): void {
  markets[orders.market(handle)]!.book.add(handle);
  if (orders.type(handle) === 'GTD') due.add(handle, orders.endsAtMs(handle));
}

/**
 * Makes all orders of a new store live, in order of acceptance. Throws SnapshotError if two were
 * accepted by one command, or one by a command after the snapshot.
 */
export function enlistRestored(state: EngineState, count: number): void {
  const seqs = new Float64Array(count);
  for (let handle = 0; handle < count; handle += 1) {
    const seq = state.orders.acceptedSeq(handle);
    if (!isWhole(seq, 1, state.changedSeq)) throw wrongSeq(state, handle);
    seqs[handle] = seq;
  }
  const handles = byAcceptance(seqs, state.changedSeq);
  let before = 0;
  for (let at = 0; at < count; at += 1) {
    const seq = seqs[handles[at]!]!;
    if (seq === before) throw wrongSeq(state, handles[at]!);
    before = seq;
  }
  enlistAll(state, handles);
}

function wrongSeq({ orders }: EngineState, handle: number): SnapshotError {
  return new SnapshotError(
    `orders ${handle}: acceptedSeq is out of range or repeated: ${orders.acceptedSeq(handle)}`,
  );
}

const DIGIT_BITS = 16;
const DIGITS = 2 ** DIGIT_BITS;

/**
 * The indexes of `seqs`, lowest seq first; no seq is above `maximum`. A radix sort by 16 bits at a
 * time, of which there are two or three in all seqs: three times as fast as sorting numbers.
 */
export function byAcceptance(seqs: Float64Array, maximum: number): Int32Array {
  let places = new Int32Array(seqs.length);
  for (let place = 0; place < places.length; place += 1) places[place] = place;
  const words = new Uint32Array(seqs.length);
  for (let bits = 0; 2 ** bits <= maximum; bits += DIGIT_BITS) {
    const isWordDone = bits % 32 === 0;
    // Storing a number in a word keeps its low 32 bits.
    for (let at = 0; isWordDone && at < words.length; at += 1) words[at] = seqs[at]! / 2 ** bits;
    places = sortedByDigit(places, words, bits % 32);
  }
  return places;
}

/** Sorts places by the digit of their words at `shift`; equal ones keep their order. */
function sortedByDigit(
  places: Int32Array,
  words: Uint32Array,
  shift: number,
): Int32Array<ArrayBuffer> {
  /** Where the next place with each digit goes. */
  const ends = new Int32Array(DIGITS + 1);
  for (let at = 0; at < words.length; at += 1) {
    ends[((words[at]! >>> shift) & (DIGITS - 1)) + 1]! += 1;
  }
  for (let digit = 1; digit < DIGITS; digit += 1) ends[digit]! += ends[digit - 1]!;
  const sorted = new Int32Array(places.length);
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at]!;
    const digit = (words[place]! >>> shift) & (DIGITS - 1);
    const end = ends[digit]!;
    sorted[end] = place;
    ends[digit] = end + 1;
  }
  return sorted;
}
