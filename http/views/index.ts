/**
 * What the shell shows of markets and books, fed only by durable commands.
 */
export { OrderBook } from './book-text.ts';
export { BookViews } from './books.ts';
export { bookIfAny, findBook, findToken } from './find-book.ts';
export { addressIn, amountIn, marketIn, ticksIn, tokensIn } from './input.ts';
export type { Levels } from './level-side.ts';
export { LiveMarkets } from './live-markets.ts';
export type { MarketBook } from './market-book.ts';
export {
  type BuilderEntry,
  type IssuedKey,
  type MarketEntry,
  type MarketTerms,
  Registry,
  type TokenEntry,
} from './registry.ts';
export type { TokenBook } from './token-book.ts';
