/**
 * The market channel `/ws/market`: books, prices, trades and terms of markets.
 *
 * Invariant: each market counts its steps in a sequence. A listener gets every step once, in order,
 * or is closed; it rebuilds a book from the steps and checks it by the hash.
 * Bound: one record a market; kept messages and the sizes of books are bounded by `StreamBounds`.
 */
export { MarketChannel } from './channel.ts';
export { MARKET_CHANNEL, type MarketMessages } from './messages.ts';
