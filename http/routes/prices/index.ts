/**
 * Endpoints for books, prices and price history.
 */
export { getBook } from './get-book.ts';
export { getLastTradePrice } from './get-last-trade-price.ts';
export { getLastTradesPrices } from './get-last-trades-prices.ts';
export { getMidpoint } from './get-midpoint.ts';
export { getPrice } from './get-price.ts';
export { getPricesHistory } from './get-prices-history.ts';
export { getSpread } from './get-spread.ts';
export { postBatchPricesHistory } from './post-batch-prices-history.ts';
export { postBooks } from './post-books.ts';
export { postLastTradesPrices } from './post-last-trades-prices.ts';
export { postMidpoints } from './post-midpoints.ts';
export { postPrices } from './post-prices.ts';
export { postSpreads } from './post-spreads.ts';
export { TokenList } from './token-list.ts';
