/**
 * The page of one market: its order book, charts, trades, rules and comments, and the ticket.
 *
 * Invariant: the book is drawn once a frame, and what is shown says when it may be old. Amounts are
 * whole numbers until they are shown. Bound: the rows of book-panel.tsx.
 */
export { EventPage } from './event-page.tsx';
export { MarketPage } from './market-page.tsx';
