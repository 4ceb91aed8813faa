/**
 * The read models of markets, books, accounts and keys, which routes and streams show.
 *
 * Invariant: fed by durable commands alone, so a crash can't take back what they showed.
 */
export { OrderBook } from './book-text.ts';
export { BookViews, type TokenBooks } from './books.ts';
export { bookIfAny, findBook, findToken, tokenNamed } from './find-book.ts';
export { addressIn, amountIn, marketIn, ticksIn, tokensIn } from './input.ts';
export type { Levels } from './level-side.ts';
export { LiveMarkets } from './live-markets.ts';
export type { MarketBook } from './market-book.ts';
export {
  type AccountEntry,
  type BuilderEntry,
  type IssuedKey,
  type MarketEntry,
  type RegisteredTerms,
  Registry,
  type TokenEntry,
} from './registry.ts';
export { finerFor, type TokenBook } from './token-book.ts';
