/**
 * One token's view of its market's book, and the bytes of `GET /book`. A market has one book in YES
 * prices; the NO token shows it at the complement.
 *
 * Invariant: bytes and hash belong to one version of the market's book. They are made when first
 * read and kept until the version changes.
 * Bound: the bytes of one version, at most about 800 KB with every level taken.
 */
import {
  complement,
  ONE_TICKS,
  type Outcome,
  type Side,
  type Ticks,
  type TradingTerms,
  ticks,
} from '../../engine/model/index.ts';
import { type HalfTicks, lotsText, ticksText } from '../codec/index.ts';
import { bookText } from './book-text.ts';
import type { MarketBook } from './market-book.ts';

/** Removes the market's finer price step if the new price step makes it invalid. */
export function finerFor(
  { finerTickTicks: finer }: Pick<TradingTerms, 'finerTickTicks'>,
  { tickTicks, finerTickTicks }: Partial<TradingTerms>,
): Partial<Pick<TradingTerms, 'finerTickTicks'>> {
  if (finer === 0 || tickTicks === undefined || finerTickTicks !== undefined) return {};
  return finer < tickTicks && tickTicks % finer === 0 ? {} : { finerTickTicks: 0 };
}

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

  /** The best bid; 0 for none. */
  get bidTicks(): Ticks {
    const { bids, asks } = this.book;
    return this.outcome === 0 ? bids.bestTicks : complement(asks.bestTicks);
  }

  /** The best ask; 10,000 for none. */
  get askTicks(): Ticks {
    const { bids, asks } = this.book;
    return this.outcome === 0 ? asks.bestTicks : complement(bids.bestTicks);
  }

  /** From the best bid to the best ask; 10,000 for an empty book (wire 1.5). */
  get spreadTicks(): Ticks {
    return ticks(this.askTicks - this.bidTicks);
  }

  /** The last trade's price in this token's ticks. */
  get lastTradeTicks(): Ticks | undefined {
    const trade = this.book.lastTrade;
    if (trade === undefined) return undefined;
    return this.outcome === 0 ? trade.yesTicks : complement(trade.yesTicks);
  }

  /** The side of the last trade's taker for this token: a buyer of NO is a seller of YES. */
  get lastTradeSide(): Side | undefined {
    const trade = this.book.lastTrade;
    if (trade === undefined || trade.takerOutcome === this.outcome) return trade?.takerSide;
    return trade.takerSide === 'BUY' ? 'SELL' : 'BUY';
  }

  /** The midpoint of the best prices: 0 for a missing bid, 1 for a missing ask (wire 1.5). */
  get midpoint(): HalfTicks {
    return this.bidTicks + this.askTicks;
  }

  /**
   * What a token of an unresolved market is worth: the midpoint while both sides have orders, else
   * the last trade, else 0.5 (wire 1.5).
   */
  get value(): HalfTicks {
    const isTwoSided = this.bidTicks > 0 && this.askTicks < ONE_TICKS;
    if (isTwoSided) return this.midpoint;
    const last = this.lastTradeTicks;
    return last === undefined ? ONE_TICKS : 2 * last;
  }

  /** The JSON of wire 6.3. Callers must not change the bytes, which are kept. */
  get bytes(): Buffer {
    this.#refresh();
    return this.#bytes;
  }

  /** The hash inside `bytes`. */
  get hash(): string {
    this.#refresh();
    return this.#hash;
  }

  /** The number of levels in `bytes`, which tells the cost of making them. */
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
