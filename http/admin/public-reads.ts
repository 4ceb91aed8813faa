/**
 * Reads of the public listener that the operator's pages need too. A page talks to the listener
 * that it came from and to no other, so they are served here as well, behind the token.
 */
import { CATALOG_ROUTES, getImage } from '../../catalog/routes/index.ts';
import { ANALYTICS_ROUTES } from '../routes/analytics/index.ts';
import { getClobMarket, getMarket, getMarkets } from '../routes/markets/index.ts';
import { getBook, getPricesHistory } from '../routes/prices/index.ts';
import type { Route } from '../services/index.ts';

const READS: readonly Route[] = [
  getMarkets,
  getMarket,
  getClobMarket,
  getBook,
  getPricesHistory,
  ...CATALOG_ROUTES,
  ...ANALYTICS_ROUTES,
];

export const PUBLIC_READS: readonly Route[] = [
  ...READS.filter(({ method }) => method === 'GET').map(
    (route): Route => ({ ...route, auth: 'operator' }),
  ),
  // The browser loads pictures by itself, without the token.
  getImage,
];
