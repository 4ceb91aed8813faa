/**
 * The table of rate limits: which requests count together, and how many fit a window. Each group
 * starts with the limits of the public venues (wire 10). The rows marked "ours" follow, for routes
 * without a public limit and for requests that are costly, change something or prove no identity.
 *
 * Invariant: names are unique and stable, because settings use them.
 */
import type { RouteGroup } from './route-groups.ts';

export interface LimitRow {
  readonly name: string;
  /**
   * `failures`: wrong credentials or signatures, on any route. `networks`: all requests with API
   * keys from one network, because a client can make any number of owners.
   */
  readonly group: RouteGroup | 'failures' | 'networks';
  /** `METHOD /path` of each route, or all routes of the group. */
  readonly routes: readonly string[] | 'all';
  /** The description in refusals and GET /limits. */
  readonly scope: string;
  /** Maximum number of requests in a window. */
  readonly capacity: number;
  readonly windowMs: number;
  /** Whether each item of a batch counts as a request. */
  readonly countsItems?: true;
}

const TEN_SECONDS = 10_000;
const MINUTE = 60_000;
const TEN_MINUTES = 600_000;
const DAY = 86_400_000;

type Routes = readonly string[];
type MakeRow = (
  name: string,
  routes: Routes,
  capacity: number,
  more?: Partial<LimitRow>,
) => LimitRow;

/** Makes rows of a group with a window of ten seconds and their routes as scope, unless `more`. */
function rowsOf(group: RouteGroup): MakeRow {
  return (name, routes, capacity, more) => {
    const scope = routes.join(', ');
    return { name, group, routes, scope, capacity, windowMs: TEN_SECONDS, ...more };
  };
}

function allOf(name: string, group: RouteGroup, capacity: number): LimitRow {
  const scope = `all ${group.replace('_', '-')} routes`;
  return { name, group, routes: 'all', scope, capacity, windowMs: TEN_SECONDS };
}

const catalog = rowsOf('catalog');
const analytics = rowsOf('analytics');
const orderBook = rowsOf('order_book');

const CATALOG_ROWS: readonly LimitRow[] = [
  allOf('catalog', 'catalog', 4_000),
  catalog('events', ['GET /events'], 500),
  catalog('markets', ['GET /markets'], 300, { scope: 'GET /markets (catalog form)' }),
  catalog(
    'listings',
    [
      'GET /events',
      'GET /events/keyset',
      'GET /events/pagination',
      'GET /markets',
      'GET /markets/keyset',
      'POST /markets/information',
    ],
    900,
    { scope: 'combined event and market listings' },
  ),
  catalog('tags', ['GET /tags'], 200),
  catalog('public-search', ['GET /public-search'], 350),
  // Ours. Comments are synced to the disk, stay permanently and are read by all clients.
  catalog('comments-burst', ['POST /comments'], 10, { windowMs: MINUTE }),
  catalog('comments-sustained', ['POST /comments'], 300, { windowMs: DAY }),
  catalog(
    'comment-changes',
    [
      'PUT /comments/{id}',
      'DELETE /comments/{id}',
      'POST /comments/{id}/reactions',
      'DELETE /comments/{id}/reactions',
      'POST /comments/{id}/reports',
      'PUT /profile',
    ],
    60,
    { scope: 'changes of comments, reactions, reports and profiles', windowMs: MINUTE },
  ),
];

/** Ours. */
const ANALYTICS_ROWS: readonly LimitRow[] = [
  allOf('analytics', 'analytics', 1_000),
  analytics('trades', ['GET /trades'], 200),
  analytics('closed-positions', ['GET /closed-positions'], 150),
  analytics('holders', ['GET /holders', 'GET /v1/market-positions'], 150),
  analytics('positions', ['GET /positions'], 150),
  analytics(
    'balance-history',
    ['GET /balance-history', 'GET /explorer/accounts/{address}/balances'],
    100,
  ),
  analytics('explorer-lists', ['GET /explorer/commands'], 100),
  analytics('value', ['GET /value'], 150),
  analytics('accounting', ['GET /v1/accounting/snapshot'], 100),
  analytics(
    'leaderboard',
    ['GET /v1/leaderboard', 'GET /v1/builders/leaderboard', 'GET /v1/builders/volume'],
    100,
  ),
  // Data API v2 has rows like those of the same reads above.
  analytics('trades-newer', ['GET /v2/trades', 'GET /v2/activity'], 200),
  analytics('positions-newer', ['GET /v2/positions'], 150),
  analytics('holders-newer', ['GET /v2/holders'], 150),
  analytics('value-newer', ['GET /v2/value'], 150),
  analytics('profit-newer', ['GET /v2/user-pnl', 'GET /v2/user-stats', 'GET /v2/user-volume'], 150),
  analytics(
    'boards-newer',
    [
      'GET /v2/leaderboard',
      'GET /v2/biggest-winners',
      'GET /v2/builders/leaderboard',
      'GET /v2/builders/volume',
    ],
    100,
  ),
  analytics('prices-history-newer', ['GET /v2/prices-history'], 100),
  analytics('resolutions', ['GET /v2/resolutions', 'GET /v2/live-volume'], 150),
];

const READ_ROWS: readonly LimitRow[] = [
  allOf('order-book', 'order_book', 5_000),
  orderBook('root', ['GET /'], 50),
  orderBook('book', ['GET /book'], 200),
  orderBook('books', ['GET /books', 'POST /books'], 80),
  orderBook('price', ['GET /price'], 200),
  orderBook('prices', ['GET /prices', 'POST /prices'], 80),
  orderBook('midpoint', ['GET /midpoint'], 200),
  orderBook('prices-history', ['GET /prices-history'], 100),
  orderBook('batch-prices-history', ['POST /batch-prices-history'], 80),
  orderBook('data-trades', ['GET /data/trades'], 150),
  // Ours from here on, with the numbers of similar rows above.
  orderBook('midpoints', ['GET /midpoints', 'POST /midpoints'], 80),
  orderBook('spread', ['GET /spread'], 200),
  orderBook('spreads', ['POST /spreads'], 80),
  orderBook('last-trade-price', ['GET /last-trade-price'], 200),
  orderBook('last-trades-prices', ['GET /last-trades-prices', 'POST /last-trades-prices'], 80),
  orderBook('data-orders', ['GET /data/orders', 'GET /data/pre-migration-orders'], 150),
  orderBook('data-order', ['GET /data/order/{id}'], 200),
  orderBook('builder-trades', ['GET /builder/trades'], 150),
  orderBook(
    'live-activity',
    ['GET /live-activity/events/{condition_id}', 'GET /markets/live-activity/{condition_id}'],
    150,
  ),
  orderBook('several-orders', ['POST /data/orders', 'POST /data/volumes'], 80),
  // A page has hundreds of markets. Clients read all pages and do not retry.
  orderBook(
    'market-lists',
    [
      'GET /markets',
      'GET /simplified-markets',
      'GET /sampling-markets',
      'GET /sampling-simplified-markets',
    ],
    100,
    { scope: 'pages of order-book markets' },
  ),
];

/** A row for ten seconds and one for ten minutes. */
function burstAndSustained(
  name: string,
  routes: Routes,
  { burst, sustained }: { readonly burst: number; readonly sustained: number },
): readonly LimitRow[] {
  return [
    orderBook(`${name}-burst`, routes, burst),
    orderBook(`${name}-sustained`, routes, sustained, { windowMs: TEN_MINUTES }),
  ];
}

const ORDER_ROUTES = ['POST /order', 'POST /orders'];
const PRICED_AS_ORDERS = { burst: 2_400, sustained: 24_000 };

const TRADING_ROWS: readonly LimitRow[] = [
  ...burstAndSustained('order', ORDER_ROUTES, PRICED_AS_ORDERS).map(
    (row): LimitRow => ({
      ...row,
      scope: 'POST /order, and each order of POST /orders',
      countsItems: true,
    }),
  ),
  ...burstAndSustained('cancel', ['DELETE /order'], PRICED_AS_ORDERS),
  // Ours from here on.
  ...burstAndSustained('cancel-batch', ['DELETE /orders'], { burst: 1_000, sustained: 15_000 }),
  ...burstAndSustained('cancel-many', ['DELETE /cancel-all', 'DELETE /cancel-market-orders'], {
    burst: 250,
    sustained: 6_000,
  }),
];

/** Ours: requests that are journaled or costly to check. */
const OTHER_ROWS: readonly LimitRow[] = [
  // These count by address, because a client can make any number of wallets.
  orderBook('credentials', ['POST /auth/api-key', 'GET /auth/derive-api-key'], 100),
  // A fresh signature opens an account and issues a key, which both stay (docs/bounds.md).
  orderBook('new-keys-sustained', ['POST /auth/api-key'], 1_000, { windowMs: DAY }),
  orderBook('validate-key', ['GET /auth/validate-readonly-api-key'], 50),
  orderBook(
    'key-changes',
    [
      'DELETE /auth/api-key',
      'POST /auth/readonly-api-key',
      'DELETE /auth/readonly-api-key',
      'POST /auth/builder-api-key',
      'DELETE /auth/builder-api-key',
    ],
    100,
  ),
  orderBook(
    'key-changes-sustained',
    ['POST /auth/readonly-api-key', 'POST /auth/builder-api-key'],
    1_000,
    { windowMs: DAY },
  ),
  orderBook('sets', ['POST /sets/split', 'POST /sets/merge', 'POST /sets/redeem'], 250),
  orderBook('convert', ['POST /sets/convert'], 50),
  // Each request stores an idempotency key forever, in the journal's index.
  orderBook(
    'token-moves-sustained',
    ['POST /sets/split', 'POST /sets/merge', 'POST /sets/redeem', 'POST /sets/convert'],
    3_000,
    { windowMs: TEN_MINUTES },
  ),
  // Each request may open an account, which stays (docs/bounds.md). These count by address.
  orderBook('faucet', ['POST /faucet', 'POST /invitations/accept'], 50),
  orderBook('faucet-sustained', ['POST /faucet', 'POST /invitations/accept'], 1_000, {
    windowMs: DAY,
  }),
  // As many as an owner may place.
  orderBook('sign-order', ['POST /sign-order'], PRICED_AS_ORDERS.burst),
  // Each call of a batch may store an idempotency key, as a move of sets does.
  orderBook('relayer', ['POST /submit'], 250, { countsItems: true }),
  orderBook('relayer-sustained', ['POST /submit'], 3_000, {
    windowMs: TEN_MINUTES,
    countsItems: true,
  }),
  orderBook('rpc', ['POST /rpc'], 500),
  orderBook('rpc-sustained', ['POST /rpc'], 3_000, { windowMs: TEN_MINUTES }),
  orderBook('heartbeats', ['POST /v1/heartbeats', 'POST /heartbeats'], 100),
  orderBook('balance-updates', ['PUT /balance-allowance'], 100),
  orderBook('notifications', ['GET /notifications', 'DELETE /notifications'], 100),
  orderBook('debug-order', ['POST /debug/order'], 50),
  orderBook(
    'documentation',
    [
      'GET /docs',
      'GET /docs/{file}',
      'GET /ui/facts.json',
      'GET /openapi.json',
      'GET /asyncapi.json',
    ],
    100,
  ),
];

/** Ours: wrong credentials, by the address that sends them. */
export const FAILURES_ROW = 'failed-authentication';
export const OPERATOR_FAILURES_ROW = 'operator-failures';

/** Orders with wrong signatures, by owner and by network: each costs as much as ten good ones. */
export const SIGNATURES_ROW = 'wrong-signatures';
export const NETWORK_SIGNATURES_ROW = 'wrong-signatures-network';

/** Ours: the requests of all owners of one network. */
export const NETWORK_ROW = 'network';

/** Ours: the comments of all owners of one network, which stay. */
export const COMMENTS_NETWORK_ROW = 'comments-network';

/** Limits on what one sender does on any route. */
const ONE_SENDER_ROWS: readonly LimitRow[] = [
  {
    name: NETWORK_ROW,
    group: 'networks',
    routes: [],
    scope: 'requests with API keys from one address',
    capacity: 20_000,
    windowMs: TEN_SECONDS,
  },
  {
    name: COMMENTS_NETWORK_ROW,
    group: 'networks',
    routes: ['POST /comments'],
    scope: 'POST /comments from one address',
    capacity: 1_000,
    windowMs: DAY,
  },
  failures(FAILURES_ROW, 'failed authentication', 200, MINUTE),
  failures(OPERATOR_FAILURES_ROW, "failed authentication on the operator's listener", 30, MINUTE),
  failures(SIGNATURES_ROW, 'orders of an owner with wrong signatures', 50, TEN_SECONDS),
  failures(
    NETWORK_SIGNATURES_ROW,
    'orders from one address with wrong signatures',
    500,
    TEN_SECONDS,
  ),
];

function failures(name: string, scope: string, capacity: number, windowMs: number): LimitRow {
  return { name, group: 'failures', routes: [], scope, capacity, windowMs };
}

/** The default limits. */
export const LIMIT_TABLE: readonly LimitRow[] = [
  ...CATALOG_ROWS,
  ...ANALYTICS_ROWS,
  ...READ_ROWS,
  ...TRADING_ROWS,
  ...OTHER_ROWS,
  ...ONE_SENDER_ROWS,
];

export interface LimitRules {
  readonly isOn: boolean;
  /** Whether requests from this machine count too. */
  readonly countsLoopback: boolean;
  readonly rows: readonly LimitRow[];
}

export const DEFAULT_RULES: LimitRules = { isOn: true, countsLoopback: false, rows: LIMIT_TABLE };

/**
 * The part of the rules that one of several gateways grants, at least one request of each row: all
 * gateways together grant no more than the rules, except of rows with less than one for each.
 */
export function dividedRules(rules: LimitRules, gateways: number): LimitRules {
  if (gateways === 1) return rules;
  const rows = rules.rows.map((row) => {
    return { ...row, capacity: Math.max(1, Math.floor(row.capacity / gateways)) };
  });
  return { ...rules, rows };
}

/** Whether a row counts requests of a route. */
export function isCounted(row: LimitRow, route: string, group: RouteGroup): boolean {
  return row.group === group && (row.routes === 'all' || row.routes.includes(route));
}
