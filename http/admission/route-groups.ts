/**
 * The groups of routes that have rate limits of their own. The public venues serve each group from
 * a separate host (wire 0.3).
 *
 * Invariant: a path is in one group, with or without the prefix of a surface. Only GET /markets,
 * which has two forms, is in the group of the requested form.
 */
import type { Surface } from '../api/index.ts';

export type RouteGroup = 'catalog' | 'analytics' | 'order_book';

/** The beginnings of paths; the first match counts, and all other paths are `order_book`. */
const BEGINNINGS: readonly (readonly [path: string, group: RouteGroup])[] = [
  // A route of the order book (wire 1.1), although catalog paths begin with /markets.
  ['/markets/live-activity', 'order_book'],
  ['/markets', 'catalog'],
  ['/events', 'catalog'],
  ['/series', 'catalog'],
  ['/comments', 'catalog'],
  ['/tags', 'catalog'],
  ['/teams', 'catalog'],
  ['/sports', 'catalog'],
  ['/public-search', 'catalog'],
  ['/public-profile', 'catalog'],
  ['/profiles', 'catalog'],
  ['/profile', 'catalog'],
  ['/gamma', 'catalog'],
  ['/trades', 'analytics'],
  ['/closed-positions', 'analytics'],
  ['/holders', 'analytics'],
  ['/positions', 'analytics'],
  ['/activity', 'analytics'],
  ['/value', 'analytics'],
  ['/traded', 'analytics'],
  ['/balance-history', 'analytics'],
  ['/explorer', 'analytics'],
  ['/oi', 'analytics'],
  ['/live-volume', 'analytics'],
  ['/other', 'analytics'],
  ['/volume', 'analytics'],
  ['/v1/market-positions', 'analytics'],
  ['/v1/leaderboard', 'analytics'],
  ['/v1/builders', 'analytics'],
  ['/v1/accounting', 'analytics'],
  ['/v2', 'analytics'],
];

/** The group of a path, which may be a route's or a request's. */
export function groupOf(path: string): RouteGroup {
  const found = BEGINNINGS.find(([start]) => path === start || path.startsWith(`${start}/`));
  return found?.[1] ?? 'order_book';
}

/** The path with two forms, chosen by the surface or the query. */
export const TWO_FORMS = '/markets';

/**
 * Whether GET /markets is requested in its order-book form (wire 0.4): by the prefix of a surface,
 * or else by the presence of a `next_cursor`, even an empty one.
 */
export function isOrderBookForm(surface: Surface, hasCursor: boolean): boolean {
  return surface === 'clob' || (surface !== 'gamma' && hasCursor);
}
