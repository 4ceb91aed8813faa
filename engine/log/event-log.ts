/**
 * Events as packed records of 128 bytes, in one array that is used again and again: an object for
 * each event would cost more than matching, in time and in garbage. A record has the numbers of the
 * engine in place of names. The events of rare commands are kept as objects, with a record that
 * says where. Invariant: a record is complete before the engine returns. Bound: the events of the
 * commands between two calls of `clear`, which also shrinks the array; it doubles when it is full.
 *
 * | field | accepted, released, continued, duplicate | delayed | closed | level | fill |
 * |---|---|---|---|---|---|
 * | `market` | its market | same | same | same | same |
 * | `account` | its account | same | same | | the taker's |
 * | `code` | | | its reason | 1 bid, 0 ask | the `..._BIT`s below |
 * | `price`, `makerPrice` | | | | YES ticks | of the taker, of the maker |
 * | `makerAccount`, `bucket` | | | | | the maker's; see `Fill.bucket` |
 * | `takerAt` | | | | | the record that announced the taker |
 * | `amount(0)` | accepted seq (duplicate) | release time | filled lots | lots | lots |
 * | `amount(1..)` | | | filled micros, fee micros | | fees: taker, maker, their builders |
 * | id | the order's | same | same | | the maker's |
 */
import { ID_WORDS, type OrderStore, writeOrderId } from '../book/index.ts';
import {
  CLOSE_REASONS,
  type CloseReason,
  type EngineEvent,
  type FillFees,
  isChange,
} from '../model/index.ts';

export const ORDER_ACCEPTED = 0;
export const ORDER_DELAYED = 1;
export const ORDER_RELEASED = 2;
export const ORDER_CONTINUED = 3;
export const FILL = 4;
export const ORDER_CLOSED = 5;
export const LEVEL_CHANGED = 6;
export const ORDER_DUPLICATE = 7;
/** Any event that is kept as an object. */
export const OTHER = 8;

/** The kinds of the packed events, by number. */
export const PACKED_KINDS = [
  'order_accepted',
  'order_delayed',
  'order_released',
  'order_continued',
  'fill',
  'order_closed',
  'level_changed',
  'order_duplicate',
] as const;

export type OtherEvent = Exclude<EngineEvent, { kind: (typeof PACKED_KINDS)[number] }>;

/** The bits of a fill's code. */
export const TAKER_OUTCOME_BIT = 1;
export const TAKER_SELL_BIT = 2;
export const MAKER_OUTCOME_BIT = 4;
export const MAKER_SELL_BIT = 8;
export const FEES_CHARGED_BIT = 16;

/** The size of a record: 16 doubles, which are 32 words of 32 bits. */
const DOUBLES = 16;
const WORDS = 32;
// Places of the words in a record. An object's place in `#others` is in the place of the market.
const KIND = 0;
const MARKET = 1;
const ACCOUNT = 2;
const CODE = 3;
const PRICE = 4;
const MAKER_PRICE = 5;
const MAKER_ACCOUNT = 6;
const BUCKET = 7;
const TAKER_FEE_BPS = 18;
const MAKER_FEE_BPS = 19;
const TAKER_AT = 20;
const ID = 24;
/** The first of the amounts, as a place of doubles: after eight words. */
const AMOUNTS = 4;

const FIRST_RECORDS = 64;
/** 2 MB: the end of a large market has 50 MB of events, in each thread that replays it. */
const KEPT_RECORDS = 16_384;

export class EventLog {
  #doubles = new Float64Array(FIRST_RECORDS * DOUBLES);
  /** The same memory as `#doubles`. */
  #words = new Int32Array(this.#doubles.buffer);
  readonly #others: OtherEvent[] = [];
  /** How many records there are. */
  count = 0;
  /** How many of them are changes of the state. */
  changes = 0;

  /** The number of records that it has memory for. */
  get room(): number {
    return this.#words.length / WORDS;
  }

  /**
   * Forgets all records. Those of later commands take their memory, unless it was an unusual
   * amount: that is given back.
   */
  clear(): void {
    this.count = 0;
    this.changes = 0;
    if (this.#others.length > 0) this.#others.length = 0;
    if (this.room > KEPT_RECORDS) this.#resize(FIRST_RECORDS);
  }

  /** Appends the event of a rare command. */
  push(event: OtherEvent): void {
    const at = this.#next(OTHER) * WORDS;
    this.#words[at + MARKET] = this.#others.push(event) - 1;
    if (!isChange(event)) this.changes -= 1;
  }

  /** Appends an event that only names an order of the store. Returns its record. */
  order(kind: number, orders: OrderStore, handle: number): number {
    const record = this.#next(kind);
    const at = record * WORDS;
    this.#words[at + MARKET] = orders.market(handle);
    this.#words[at + ACCOUNT] = orders.account(handle);
    orders.copyId(handle, this.#words, at + ID);
    return record;
  }

  delayed(orders: OrderStore, handle: number, releaseMs: number): void {
    const record = this.order(ORDER_DELAYED, orders, handle);
    this.#doubles[record * DOUBLES + AMOUNTS] = releaseMs;
  }

  /** An order that was accepted before, live or not: only its id is known for certain. */
  duplicate(id: Int32Array, acceptedSeq: number): void {
    const record = this.#next(ORDER_DUPLICATE);
    for (let word = 0; word < ID_WORDS; word += 1) {
      this.#words[record * WORDS + ID + word] = id[word]!;
    }
    this.#doubles[record * DOUBLES + AMOUNTS] = acceptedSeq;
    this.changes -= 1;
  }

  closed(orders: OrderStore, handle: number, reason: CloseReason, feeMicros: number): void {
    const record = this.order(ORDER_CLOSED, orders, handle);
    this.#words[record * WORDS + CODE] = reasonCode(reason);
    const at = record * DOUBLES + AMOUNTS;
    this.#doubles[at] = orders.lots(handle) - orders.remainingLots(handle);
    this.#doubles[at + 1] = orders.filledMicros(handle);
    this.#doubles[at + 2] = feeMicros;
  }

  level(market: number, isBid: boolean, priceTicks: number, lots: number): void {
    const record = this.#next(LEVEL_CHANGED);
    const at = record * WORDS;
    this.#words[at + MARKET] = market;
    this.#words[at + CODE] = isBid ? 1 : 0;
    this.#words[at + PRICE] = priceTicks;
    this.#doubles[record * DOUBLES + AMOUNTS] = lots;
  }

  /** Appends the part of a fill that its maker, an order of the store, knows. */
  fill(orders: OrderStore, maker: number, lots: number): number {
    const record = this.#next(FILL);
    const at = record * WORDS;
    this.#words[at + MARKET] = orders.market(maker);
    this.#words[at + MAKER_ACCOUNT] = orders.account(maker);
    this.#words[at + MAKER_PRICE] = orders.priceTicks(maker);
    orders.copyId(maker, this.#words, at + ID);
    this.#doubles[record * DOUBLES + AMOUNTS] = lots;
    return record;
  }

  /** Completes the fill of a record. `takerAt` is the record that announced the taker. */
  fillTaker(record: number, code: number, account: number, price: number): void {
    const at = record * WORDS;
    this.#words[at + CODE] = code;
    this.#words[at + ACCOUNT] = account;
    this.#words[at + PRICE] = price;
  }

  fillPlace(record: number, bucket: number, takerAt: number): void {
    const at = record * WORDS;
    this.#words[at + BUCKET] = bucket;
    this.#words[at + TAKER_AT] = takerAt;
  }

  fillFees(record: number, fees: FillFees): void {
    const at = record * WORDS;
    this.#words[at + CODE]! |= FEES_CHARGED_BIT;
    this.#words[at + TAKER_FEE_BPS] = fees.takerFeeBps;
    this.#words[at + MAKER_FEE_BPS] = fees.makerFeeBps;
    const amounts = record * DOUBLES + AMOUNTS;
    this.#doubles[amounts + 1] = fees.takerMicros;
    this.#doubles[amounts + 2] = fees.makerMicros;
    this.#doubles[amounts + 3] = fees.takerBuilderMicros;
    this.#doubles[amounts + 4] = fees.makerBuilderMicros;
  }

  kind(record: number): number {
    return this.#words[record * WORDS + KIND]!;
  }

  /** The event of a record of the kind OTHER. */
  other(record: number): OtherEvent {
    return this.#others[this.#words[record * WORDS + MARKET]!]!;
  }

  market(record: number): number {
    return this.#words[record * WORDS + MARKET]!;
  }

  account(record: number): number {
    return this.#words[record * WORDS + ACCOUNT]!;
  }

  code(record: number): number {
    return this.#words[record * WORDS + CODE]!;
  }

  price(record: number): number {
    return this.#words[record * WORDS + PRICE]!;
  }

  makerPrice(record: number): number {
    return this.#words[record * WORDS + MAKER_PRICE]!;
  }

  makerAccount(record: number): number {
    return this.#words[record * WORDS + MAKER_ACCOUNT]!;
  }

  bucket(record: number): number {
    return this.#words[record * WORDS + BUCKET]!;
  }

  takerAt(record: number): number {
    return this.#words[record * WORDS + TAKER_AT]!;
  }

  takerFeeBps(record: number): number {
    return this.#words[record * WORDS + TAKER_FEE_BPS]!;
  }

  makerFeeBps(record: number): number {
    return this.#words[record * WORDS + MAKER_FEE_BPS]!;
  }

  /** See the table above; `place` counts from 0. */
  amount(record: number, place: number): number {
    return this.#doubles[record * DOUBLES + AMOUNTS + place]!;
  }

  /** The text of the id, built on each call. */
  orderId(record: number): string {
    return writeOrderId(this.#words, record * WORDS + ID);
  }

  #next(kind: number): number {
    const record = this.count;
    this.count += 1;
    this.changes += 1;
    if (this.count > this.room) this.#grow();
    this.#words[record * WORDS + KIND] = kind;
    return record;
  }

  #grow(): void {
    const records = this.#doubles;
    this.#resize(this.room * 2);
    this.#doubles.set(records);
  }

  /** Replaces the memory by an empty one. */
  #resize(room: number): void {
    this.#doubles = new Float64Array(room * DOUBLES);
    this.#words = new Int32Array(this.#doubles.buffer);
  }
}

/** Its place in CLOSE_REASONS; the two most frequent ones need no search. */
function reasonCode(reason: CloseReason): number {
  if (reason === 'matched') return 0;
  return reason === 'canceled' ? 1 : CLOSE_REASONS.indexOf(reason);
}
