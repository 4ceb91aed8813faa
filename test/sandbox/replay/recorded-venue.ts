// A small venue whose market channel is recorded: its book lives as books do, and each step becomes
// messages of every shape that recorders keep, with the levels that a reader must have afterwards.
// It shares no code with the replay.
import { createHash } from 'node:crypto';

/** Sizes by price: prices in 1/10,000, sizes in 0.01. */
export interface Levels {
  readonly bids: ReadonlyMap<number, number>;
  readonly asks: ReadonlyMap<number, number>;
}

/** One step of the venue. Numbers are taken modulo what is possible, so that any are valid. */
export interface VenueStep {
  readonly kind: 'place' | 'cancel' | 'trade' | 'move' | 'book' | 'tick' | 'best';
  readonly side: 'bid' | 'ask';
  /** In price steps from the best price. */
  readonly distance: number;
  /** In millionths of a token, as public venues show sizes. */
  readonly size: number;
  /** Whether NO shows it: its message, or its copy first. */
  readonly isNo: boolean;
  /** One asset for each message, as before September 2025. */
  readonly isOldShape: boolean;
  readonly wrap: 'none' | 'list' | 'envelope' | 'raw' | 'raw-list';
  readonly pauseMs: number;
}

export interface RecordedLine {
  readonly text: string;
  /** The YES book after the messages of the line, with sizes rounded down to 0.01. */
  readonly levels: Levels;
}

const MICROS_PER_LOT = 10_000;
const ONE = 10_000;
export const YES = '65818619657568813474341868652308942079804919287380422192892211131408793125422';
export const NO = '52114319501245915516055106046884209969926127482827954674443846427813813222426';
export const MARKET = `0x${createHash('sha256').update('recorded').digest('hex')}`;
const BEST = { event_type: 'best_bid_ask', market: MARKET, asset_id: YES };
const START_MS = 1_757_908_892_351;

export class RecordedVenue {
  readonly #sides = { bid: new Map<number, number>(), ask: new Map<number, number>() };
  #middle = 5_000;
  #tick = 100;
  #timeMs = START_MS;
  #trades = 0;
  readonly lines: RecordedLine[] = [];

  /** Begins with a book of five levels on each side. */
  constructor() {
    for (let distance = 1; distance <= 5; distance += 1) {
      this.#sides.bid.set(5_000 - distance * 100, 100_000_000 * distance);
      this.#sides.ask.set(5_000 + distance * 100, 120_000_000 * distance);
    }
    this.#write([this.#book(false)], 'none');
    this.#write([this.#book(true)], 'list');
  }

  take(step: VenueStep): void {
    this.#timeMs += step.pauseMs;
    const { kind, isNo, wrap } = step;
    if (kind === 'place') this.#set(step, this.#sizeAt(step) + step.size);
    else if (kind === 'cancel') this.#set(step, Math.max(0, this.#sizeAt(step) - step.size));
    else if (kind === 'trade') this.#trade(step);
    else if (kind === 'move') this.#move(step);
    else if (kind === 'tick') this.#changeTick(step);
    else this.#write([kind === 'book' ? this.#book(isNo) : BEST], wrap);
  }

  /** The price of a step, always on its own side of the middle. */
  #priceOf({ side, distance }: VenueStep): number {
    const room = side === 'bid' ? this.#middle - this.#tick : ONE - this.#middle - this.#tick;
    const steps = Math.max(1, Math.floor(room / this.#tick));
    const away = ((distance % Math.min(steps, 12)) + 1) * this.#tick;
    return side === 'bid' ? this.#middle - away : this.#middle + away;
  }

  #sizeAt(step: VenueStep): number {
    return this.#sides[step.side].get(this.#priceOf(step)) ?? 0;
  }

  #set(step: VenueStep, size: number): void {
    const price = this.#priceOf(step);
    if (price < this.#tick || price > ONE - this.#tick) return;
    this.#put(step.side, price, size);
    this.#write(this.#changes([[step.side, price]], step), step.wrap);
  }

  #put(side: 'bid' | 'ask', price: number, size: number): void {
    if (size <= 0) this.#sides[side].delete(price);
    else this.#sides[side].set(price, size);
  }

  #best(side: 'bid' | 'ask'): number | undefined {
    const prices = [...this.#sides[side].keys()];
    if (prices.length === 0) return undefined;
    return side === 'bid' ? Math.max(...prices) : Math.min(...prices);
  }

  /** A taker takes a part of the best level: the trade is told first, then the level. */
  #trade(step: VenueStep): void {
    const price = this.#best(step.side);
    if (price === undefined) return;
    const size = Math.min(step.size, this.#sides[step.side].get(price) ?? 0);
    this.#trades += 1;
    const buysYes = step.side === 'ask';
    const told = {
      event_type: 'last_trade_price',
      market: MARKET,
      asset_id: step.isNo ? NO : YES,
      price: priceText(step.isNo ? ONE - price : price),
      size: sizeText(size),
      side: buysYes === step.isNo ? 'SELL' : 'BUY',
      fee_rate_bps: '0',
      timestamp: `${this.#timeMs}`,
      transaction_hash: `0x${createHash('sha256').update(`${this.#trades}`).digest('hex')}`,
    };
    this.#write([told], step.wrap);
    this.#put(step.side, price, (this.#sides[step.side].get(price) ?? 0) - size);
    this.#write(this.#changes([[step.side, price]], step), step.wrap);
  }

  /** The middle moves past the levels in its way, which are all withdrawn in one message. */
  #move({ side, distance, ...step }: VenueStep): void {
    const away = ((distance % 3) + 1) * this.#tick * (side === 'bid' ? -1 : 1);
    const middle = this.#middle + away;
    if (middle < 4 * this.#tick || middle > ONE - 4 * this.#tick) return;
    this.#middle = middle;
    const gone = (['bid', 'ask'] as const).flatMap((one) =>
      [...this.#sides[one].keys()]
        .filter((price) => (one === 'bid' ? price >= middle : price <= middle))
        .map((price) => [one, price] as const),
    );
    for (const [one, price] of gone) this.#put(one, price, 0);
    if (gone.length > 0) {
      this.#write(this.#changes(gone, { side, distance, ...step }), step.wrap);
    }
  }

  #changeTick({ isNo, wrap }: VenueStep): void {
    const tick = this.#tick === 100 ? 10 : 100;
    const prices = [...this.#sides.bid.keys(), ...this.#sides.ask.keys(), this.#middle];
    if (prices.some((price) => price % tick !== 0)) return;
    const [old, next] = [priceText(this.#tick), priceText(tick)];
    this.#tick = tick;
    const told = {
      event_type: 'tick_size_change',
      market: MARKET,
      asset_id: isNo ? NO : YES,
      old_tick_size: old,
      new_tick_size: next,
      timestamp: `${this.#timeMs}`,
    };
    this.#write([told], wrap);
  }

  #book(isNo: boolean): object {
    const sideOf = (side: 'bid' | 'ask') =>
      [...this.#sides[side]].map(([price, size]) => ({
        price: priceText(isNo ? ONE - price : price),
        size: sizeText(size),
      }));
    const [bids, asks] = isNo ? [sideOf('ask'), sideOf('bid')] : [sideOf('bid'), sideOf('ask')];
    return {
      event_type: 'book',
      asset_id: isNo ? NO : YES,
      market: MARKET,
      bids,
      asks,
      timestamp: `${this.#timeMs}`,
      hash: createHash('sha1')
        .update(JSON.stringify([bids, asks]))
        .digest('hex'),
    };
  }

  /** Levels of YES as both assets show them, in one message, or in one for each asset. */
  #changes(levels: readonly (readonly ['bid' | 'ask', number])[], step: VenueStep): object[] {
    const timestamp = `${this.#timeMs}`;
    const copyOf = (isNo: boolean) =>
      levels.map(([side, price]) => ({
        price: priceText(isNo ? ONE - price : price),
        size: sizeText(this.#sides[side].get(price) ?? 0),
        side: (side === 'bid') === isNo ? 'SELL' : 'BUY',
      }));
    const order = step.isNo ? ([true, false] as const) : ([false, true] as const);
    if (step.isOldShape) {
      return order.map((isNo) => ({
        asset_id: isNo ? NO : YES,
        changes: copyOf(isNo),
        event_type: 'price_change',
        market: MARKET,
        timestamp,
      }));
    }
    const price_changes = order.flatMap((isNo) =>
      copyOf(isNo).map((change) => ({ asset_id: isNo ? NO : YES, ...change, best_bid: '0' })),
    );
    return [{ market: MARKET, price_changes, timestamp, event_type: 'price_change' }];
  }

  #write(messages: readonly object[], wrap: VenueStep['wrap']): void {
    const levels = { bids: lotsOf(this.#sides.bid), asks: lotsOf(this.#sides.ask) };
    if (wrap === 'list' || wrap === 'raw-list') {
      this.lines.push({ text: this.#wrapped(messages, wrap), levels });
      return;
    }
    for (const message of messages) {
      this.lines.push({ text: this.#wrapped(message, wrap), levels });
    }
  }

  #wrapped(frame: object, wrap: VenueStep['wrap']): string {
    switch (wrap) {
      case 'none':
      case 'list':
        return JSON.stringify(frame);
      case 'envelope':
        return JSON.stringify({ ts: this.#timeMs, msg: frame });
      case 'raw':
      case 'raw-list':
        return JSON.stringify({
          frame_seq: 1,
          ts_recv: this.#timeMs / 1_000,
          raw: JSON.stringify(frame),
        });
    }
  }
}

function lotsOf(sizes: ReadonlyMap<number, number>): Map<number, number> {
  const rounded = [...sizes].map(
    ([price, size]) => [price, Math.floor(size / MICROS_PER_LOT)] as const,
  );
  return new Map(rounded.filter(([, size]) => size > 0));
}

/** 4,800 is "0.48" or, as in the public documents, ".48". */
function priceText(price: number): string {
  const text = String(price / ONE);
  return price % 300 === 0 ? text.replace(/^0/, '') : text;
}

function sizeText(size: number): string {
  return String(size / 1_000_000);
}
