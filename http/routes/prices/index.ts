/**
 * Endpoints for books, prices and price history.
 *
 * Invariant: books and prices come from the durable views. The GET route for one token and the POST
 * route for several give the same answer for a token.
 */
export { getBook, postBooks } from './books.ts';
export { getBooks, getMidpoints, getPrices } from './by-query.ts';
export { getPricesHistory } from './get-prices-history.ts';
export { postBatchPricesHistory } from './post-batch-prices-history.ts';
export {
  getLastTradePrice,
  getLastTradesPrices,
  getMidpoint,
  getPrice,
  getSpread,
  postLastTradesPrices,
  postMidpoints,
  postPrices,
  postSpreads,
} from './prices.ts';
export { TokenList } from './token-list.ts';
