/**
 * Which group of routes a path counts to. The public venues serve each group from a host of its own
 * (wire 0.3), and interface.md gives each its own budget in its section "Limits".
 *
 * Invariant: a path is in one group, whatever prefix of a surface a request puts before it; only
 * GET /markets, which has two forms, is in the group of the form that was asked for.
 */
import type { Surface } from '../api/index.ts';

export type RouteGroup = 'catalog' | 'analytics' | 'order_book';

/** Where the paths of a group begin; the first that fits counts, and others are `order_book`. */
const BEGINNINGS: readonly (readonly [path: string, group: RouteGroup])[] = [
  // Of the order book (wire 1.1), although its path begins as those of the catalog do.
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
  ['/oi', 'analytics'],
  ['/live-volume', 'analytics'],
  ['/other', 'analytics'],
  ['/volume', 'analytics'],
  ['/v1/leaderboard', 'analytics'],
  ['/v1/builders', 'analytics'],
];

/** The group of a path, of a route or as a client asked for it. */
export function groupOf(path: string): RouteGroup {
  const found = BEGINNINGS.find(([start]) => path === start || path.startsWith(`${start}/`));
  return found?.[1] ?? 'order_book';
}

/** The path whose form is told by the surface or the query. */
export const TWO_FORMS = '/markets';

/**
 * Whether GET /markets is asked for in its order-book form (wire 0.4): by the prefix of a surface,
 * else by whether there is a `next_cursor`, even an empty one.
 */
export function isOrderBookForm(surface: Surface, hasCursor: boolean): boolean {
  return surface === 'clob' || (surface !== 'gamma' && hasCursor);
}
