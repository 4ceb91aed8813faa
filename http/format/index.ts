/**
 * Records in their wire form, shared by routes and streams, each with its schema.
 *
 * Invariant: pure. Numbers are exact; a field that clients require is always there.
 */
export * from './builder-trade.ts';
export * from './comment.ts';
export * from './fees.ts';
export * from './full-market.ts';
export * from './market.ts';
export * from './notification.ts';
export * from './order.ts';
export * from './price-history.ts';
export * from './token-moves.ts';
export * from './trade.ts';
export * from './trade-fill.ts';
