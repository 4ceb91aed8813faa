/**
 * The read models of markets, books, accounts and keys, which routes and streams show.
 *
 * Invariant: fed by durable commands alone, so a crash can't take back what they showed.
 */
export * from './book-text.ts';
export * from './books.ts';
export * from './find-book.ts';
export * from './input.ts';
export * from './level-side.ts';
export * from './live-markets.ts';
export * from './market-book.ts';
export * from './registry.ts';
export * from './token-book.ts';
