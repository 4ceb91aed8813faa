/** Lists of markets and events: search, categories, sorting; and parts for the page of an event. */
export { useHistories } from './histories.ts';
export { useLiveMarkets } from './live-prices.ts';
export { eventRowOf, type MarketRow, stepsOf } from './market-row.ts';
export { MarketsPage } from './markets-page.tsx';
export { priceColumns, Volume } from './price-columns.tsx';
