/**
 * One token's view of its market's book: its own side as it is, the other token's at the
 * complement (design 4), and the bytes that are sent for it.
 *
 * Invariant: bytes and hash belong to one version of the market's book; they are made when somebody
 * asks and kept until the version changes.
 * Bound: the bytes of one version, at most about 800 KB with every level taken.
 */
import {
  complement,
  ONE_TICKS,
  type Outcome,
  type Side,
  type Ticks,
  ticks,
} from '../../engine/model/index.ts';
import { type HalfTicks, lotsText, ticksText } from '../codec/index.ts';
import { bookText } from './book-text.ts';
import type { MarketBook } from './market-book.ts';

export class TokenBook {
  readonly tokenId: string;
  readonly outcome: Outcome;
  readonly book: MarketBook;
  #version = -1;
  #bytes: Buffer = Buffer.alloc(0);
  #hash = '';

  constructor(book: MarketBook, outcome: Outcome) {
    this.book = book;
    this.outcome = outcome;
    this.tokenId = book.market.tokenIds[outcome];
  }

  /** 0 when nobody bids. */
  get bidTicks(): Ticks {
    const { bids, asks } = this.book;
    return this.outcome === 0 ? bids.bestTicks : complement(asks.bestTicks);
  }

  /** 10,000 when nobody asks. */
  get askTicks(): Ticks {
    const { bids, asks } = this.book;
    return this.outcome === 0 ? asks.bestTicks : complement(bids.bestTicks);
  }

  /** From best bid to best ask: 10,000 when nobody bids and nobody asks (wire 1.5). */
  get spreadTicks(): Ticks {
    return ticks(this.askTicks - this.bidTicks);
  }

  /** The last trade's price in this token's ticks. */
  get lastTradeTicks(): Ticks | undefined {
    const trade = this.book.lastTrade;
    if (trade === undefined) return undefined;
    return this.outcome === 0 ? trade.yesTicks : complement(trade.yesTicks);
  }

  /** What the last trade's taker did with this token: who buys NO sells YES, at the complement. */
  get lastTradeSide(): Side | undefined {
    const trade = this.book.lastTrade;
    if (trade === undefined || trade.takerOutcome === this.outcome) return trade?.takerSide;
    return trade.takerSide === 'BUY' ? 'SELL' : 'BUY';
  }

  /**
   * The middle of both sides; with one side empty the other's best price; with both empty the last
   * trade; undefined when there was none (wire 1.5).
   */
  get midpoint(): HalfTicks | undefined {
    const { bidTicks, askTicks } = this;
    if (bidTicks > 0 && askTicks < ONE_TICKS) return bidTicks + askTicks;
    if (bidTicks > 0) return 2 * bidTicks;
    if (askTicks < ONE_TICKS) return 2 * askTicks;
    const last = this.lastTradeTicks;
    return last === undefined ? undefined : 2 * last;
  }

  /** The JSON of wire 6.3. The bytes are kept: they must not be changed. */
  get bytes(): Buffer {
    this.#refresh();
    return this.#bytes;
  }

  /** The hash inside `bytes`. */
  get hash(): string {
    this.#refresh();
    return this.#hash;
  }

  /** How many levels `bytes` holds: what it costs to make. */
  get levelCount(): number {
    const { bids, asks } = this.book;
    return bids.levels.length + asks.levels.length;
  }

  #refresh(): void {
    if (this.#version === this.book.version) return;
    const { market } = this.book;
    const bids = this.book.bids.textFor(this.outcome);
    const asks = this.book.asks.textFor(this.outcome);
    const last = this.lastTradeTicks;
    const { text, hash } = bookText({
      market: market.conditionId,
      assetId: this.tokenId,
      timestamp: `${this.book.changedMs}`,
      // The other token's bids are this token's asks.
      bids: this.outcome === 0 ? bids : asks,
      asks: this.outcome === 0 ? asks : bids,
      minimumOrderSize: lotsText(market.minimumLots),
      tickSize: ticksText(market.tickTicks),
      negRisk: market.negRisk,
      lastTradePrice: last === undefined ? '' : ticksText(last),
    });
    this.#bytes = Buffer.from(text);
    this.#hash = hash;
    this.#version = this.book.version;
  }
}
