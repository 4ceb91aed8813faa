/**
 * The books of all markets.
 *
 * Invariant: fed by durable commands alone. A durable batch makes at most one version of a market's
 * book, and both tokens show the same book.
 * Bound: the levels of each market, and the bytes of the books that were read.
 */
import assert from 'node:assert/strict';
import type { EngineEvent } from '../../engine/index.ts';
import type { DurableCommand, RestoredState } from '../../persistence/index.ts';
import { MarketBook } from './market-book.ts';
import { createdMarketOf, type RegisteredTerms, restoredTerms } from './registry.ts';
import { TokenBook } from './token-book.ts';

/** The books of both tokens of a market, by outcome. */
export type TokenBooks = readonly [yes: TokenBook, no: TokenBook];

export class BookViews {
  readonly #markets = new Map<string, MarketBook>();
  readonly #tokens = new Map<string, TokenBook>();
  /** By token: what price routes show in place of the current books, for a fault of the sandbox. */
  readonly #frozen = new Map<string, TokenBook>();
  #batch = 0;

  /** Takes the next durable batch, in seq order. */
  consume(commands: readonly DurableCommand[]): void {
    this.#batch += 1;
    for (const command of commands) {
      for (const event of command.events) this.#take(event, command);
    }
  }

  /** Loads the books of a start, before any command. */
  restore({ markets }: RestoredState): void {
    assert(this.#markets.size === 0, 'the books of a start come before all commands');
    for (const market of markets) this.#open(restoredTerms(market)).restore(market);
  }

  /** A token's book, by decimal token id. */
  token(tokenId: string): TokenBook | undefined {
    return this.#tokens.get(tokenId);
  }

  /** The book that price routes show of a token. */
  shown(tokenId: string): TokenBook | undefined {
    const current = this.#tokens.get(tokenId);
    if (current !== undefined) current.book.reads += 1;
    if (this.#frozen.size === 0) return current;
    return this.#frozen.get(tokenId) ?? current;
  }

  /** How often price routes have shown a book of the market. */
  readsOf(conditionId: string): number {
    return this.#markets.get(conditionId)?.reads ?? 0;
  }

  /** The books of a market as they are now; undefined for an unknown market. */
  copy(conditionId: string): TokenBooks | undefined {
    const book = this.#markets.get(conditionId)?.copy();
    return book === undefined ? undefined : [new TokenBook(book, 0), new TokenBook(book, 1)];
  }

  /** Shows these books of a market in place of the current ones. */
  freeze(books: TokenBooks): void {
    for (const book of books) this.#frozen.set(book.tokenId, book);
  }

  /** Ends `freeze`. */
  thaw(books: TokenBooks): void {
    for (const { tokenId } of books) this.#frozen.delete(tokenId);
  }

  #take(event: EngineEvent, from: DurableCommand): void {
    switch (event.kind) {
      case 'level_changed':
        this.#bookOf(event.conditionId).setLevel(event, from.timeMs, this.#batch);
        break;
      case 'fill':
        this.#bookOf(event.conditionId).recordTrade(event, from.timeMs, this.#batch);
        break;
      case 'market_created':
        this.#open(createdMarketOf(from));
        break;
      case 'market_changed':
        this.#bookOf(event.conditionId).changeTerms(event, from.timeMs, this.#batch);
        break;
      default:
        // Accounts, money, keys and single orders are not part of a book.
        break;
    }
  }

  #bookOf(conditionId: string): MarketBook {
    const book = this.#markets.get(conditionId);
    assert(book !== undefined, 'a market is created before its book changes');
    return book;
  }

  #open(market: RegisteredTerms): MarketBook {
    const book = new MarketBook(market);
    this.#markets.set(market.conditionId, book);
    this.#tokens.set(market.tokenIds[0], new TokenBook(book, 0));
    this.#tokens.set(market.tokenIds[1], new TokenBook(book, 1));
    return book;
  }
}
