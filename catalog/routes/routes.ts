/** The routes that read the catalog, except the two whose paths belong to the order book too. */
import type { Route } from '../../http/services/index.ts';
import { EVENT_ROUTES } from './events.ts';
import { KEYSET_ROUTES } from './keyset.ts';
import { MARKET_ROUTES } from './markets.ts';
import { postMarketsInformation } from './markets-information.ts';
import { PEOPLE_ROUTES } from './people.ts';
import { SEARCH_AND_SPORT_ROUTES } from './search-sports.ts';
import { SERIES_AND_TAG_ROUTES } from './series-tags.ts';

export const CATALOG_ROUTES = [
  ...EVENT_ROUTES,
  ...MARKET_ROUTES,
  postMarketsInformation,
  ...KEYSET_ROUTES,
  ...SERIES_AND_TAG_ROUTES,
  ...PEOPLE_ROUTES,
  ...SEARCH_AND_SPORT_ROUTES,
] as const satisfies readonly Route[];
