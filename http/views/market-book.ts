/**
 * The levels, last trade, terms and version of one market's book, in YES ticks.
 *
 * Invariant: holds exactly what the durable `level_changed`, `fill` and `market_changed` events
 * said last; a level may lie off the grid of the terms in force. The best prices, the order and the
 * texts are derived from the levels and thrown away when they change.
 * Bound: 9,999 levels a side; of those that somebody reads, two texts of some 40 characters each.
 */
import assert from 'node:assert/strict';
import {
  complement,
  type Fill,
  type LevelChanged,
  type Lots,
  type MarketChanged,
  ONE_TICKS,
  type Outcome,
  type Side,
  type Ticks,
  ticks,
} from '../../engine/model/index.ts';
import type { RestoredMarket } from '../../persistence/index.ts';
import { lotsText, ticksText } from '../codec/index.ts';
import { levelText } from './book-text.ts';
import { type MarketTerms, withTerms } from './registry.ts';

export interface LastTrade {
  /** What the taker paid or got, in YES ticks. */
  readonly yesTicks: Ticks;
  readonly takerOutcome: Outcome;
  readonly takerSide: Side;
  readonly timeMs: number;
}

function ascending(a: number, b: number): number {
  return a - b;
}
function descending(a: number, b: number): number {
  return b - a;
}

/**
 * Levels by tick. An update costs one map operation, and two more where somebody reads; order and
 * texts are made on demand. A side that nobody reads is its levels and nothing else.
 */
class LevelSide {
  readonly #levels = new Map<Ticks, Lots>();
  readonly #better: (a: number, b: number) => number;
  readonly #byWorst: (a: number, b: number) => number;
  readonly #none: Ticks;
  /** undefined when the best level went and nobody has asked since. */
  #bestTicks: Ticks | undefined;
  /** Ticks of the levels, worst first. */
  #sorted: readonly Ticks[] | undefined;
  /** The JSON of single levels as each token shows them, of sizes that did not change since. */
  #levelTexts: readonly [yes: Map<Ticks, string>, no: Map<Ticks, string>] | undefined;
  /** All levels as each token shows them. */
  #texts: [yes: string | undefined, no: string | undefined] | undefined;

  constructor(side: LevelChanged['side']) {
    const isBid = side === 'bid';
    this.#better = isBid ? Math.max : Math.min;
    this.#byWorst = isBid ? ascending : descending;
    // The price that is there when nobody bids is 0, and when nobody asks 1 (wire 1.5).
    this.#none = isBid ? ticks(0) : ONE_TICKS;
    this.#bestTicks = this.#none;
  }

  get count(): number {
    return this.#levels.size;
  }

  /** In no order. */
  sizes(): Iterable<readonly [price: Ticks, size: Lots]> {
    return this.#levels;
  }

  set(price: Ticks, size: Lots): void {
    this.#forgetTexts(price);
    if (size === 0) {
      if (this.#levels.delete(price)) this.#forgetPrice(price);
      return;
    }
    const before = this.#levels.size;
    this.#levels.set(price, size);
    if (this.#levels.size > before) this.#addPrice(price);
  }

  #addPrice(price: Ticks): void {
    this.#sorted = undefined;
    if (this.#bestTicks === undefined) return;
    this.#bestTicks = ticks(this.#better(this.#bestTicks, price));
  }

  #forgetTexts(price: Ticks): void {
    this.#texts = undefined;
    this.#levelTexts?.[0].delete(price);
    this.#levelTexts?.[1].delete(price);
  }

  #forgetPrice(price: Ticks): void {
    this.#sorted = undefined;
    if (price === this.#bestTicks) this.#bestTicks = undefined;
  }

  /** 0 for a bid and 10,000 for an ask when the side is empty. */
  get bestTicks(): Ticks {
    if (this.#bestTicks !== undefined) return this.#bestTicks;
    let best: number = this.#none;
    for (const price of this.#levels.keys()) best = this.#better(best, price);
    this.#bestTicks = ticks(best);
    return this.#bestTicks;
  }

  /**
   * The levels as a token shows them, as JSON without the brackets, worst first. YES bids ascend
   * and YES asks descend; read at the complement, those asks are NO bids that ascend. So one order
   * fits both tokens.
   */
  textFor(outcome: Outcome): string {
    this.#sorted ??= [...this.#levels.keys()].sort(this.#byWorst);
    this.#texts ??= [undefined, undefined];
    // Joined, not added up: the text is flat, and is hashed and copied without being walked twice.
    this.#texts[outcome] ??= this.#sorted.map((price) => this.#levelText(price, outcome)).join(',');
    return this.#texts[outcome];
  }

  #levelText(price: Ticks, outcome: Outcome): string {
    this.#levelTexts ??= [new Map(), new Map()];
    const texts = this.#levelTexts[outcome];
    const known = texts.get(price);
    if (known !== undefined) return known;
    const size = this.#levels.get(price);
    assert(size !== undefined, 'each sorted tick has a level');
    const own = outcome === 0 ? price : complement(price);
    const text = levelText(ticksText(own), lotsText(size));
    texts.set(price, text);
    return text;
  }
}

export class MarketBook {
  readonly bids = new LevelSide('bid');
  readonly asks = new LevelSide('ask');
  #market: MarketTerms;
  #lastTrade: LastTrade | undefined;
  #changedMs: number;
  #version = 0;
  /** The durable batch that made this version. */
  #batch = -1;

  constructor(market: MarketTerms) {
    this.#market = market;
    this.#changedMs = market.createdMs;
  }

  get market(): MarketTerms {
    return this.#market;
  }

  /** Counts the durable batches that changed this book. */
  get version(): number {
    return this.#version;
  }

  /** When the last change happened, in milliseconds; at first, when the market was created. */
  get changedMs(): number {
    return this.#changedMs;
  }

  get lastTrade(): LastTrade | undefined {
    return this.#lastTrade;
  }

  /** Takes the levels and the last trade of a snapshot, before any change. */
  restore({ bids, asks, bookMs, lastTrade }: RestoredMarket): void {
    for (const [price, size] of bids) this.bids.set(price, size);
    for (const [price, size] of asks) this.asks.set(price, size);
    this.#lastTrade = lastTrade;
    this.#changedMs = bookMs;
  }

  setLevel(event: LevelChanged, timeMs: number, batch: number): void {
    const side = event.side === 'bid' ? this.bids : this.asks;
    side.set(event.priceTicks, event.lots);
    this.#touch(timeMs, batch);
  }

  recordTrade(fill: Fill, timeMs: number, batch: number): void {
    const { takerOutcome, takerSide, takerPriceTicks } = fill;
    const yesTicks = takerOutcome === 0 ? takerPriceTicks : complement(takerPriceTicks);
    this.#lastTrade = { yesTicks, takerOutcome, takerSide, timeMs };
    this.#touch(timeMs, batch);
  }

  /** A new version only if the book shows the change. */
  changeTerms(event: MarketChanged, timeMs: number, batch: number): void {
    const before = this.#market;
    this.#market = withTerms(before, event);
    const { tickTicks, minimumLots } = this.#market;
    if (tickTicks === before.tickTicks && minimumLots === before.minimumLots) return;
    this.#touch(timeMs, batch);
  }

  #touch(timeMs: number, batch: number): void {
    this.#changedMs = timeMs;
    if (batch === this.#batch) return;
    this.#batch = batch;
    this.#version += 1;
  }
}
