import t from 'tap';
import { isCounted, LIMIT_TABLE } from '../../../http/admission/limit-table.ts';
import { groupOf, type RouteGroup } from '../../../http/admission/route-groups.ts';
import { ROUTES } from '../../all-routes.ts';

const SUSTAINED_SECONDS = 600;

/** The published limits of the public venues (wire 10), with the name of each row here. */
const INTERFACE: readonly (readonly [name: string, routes: string, limit: number, s?: number])[] = [
  ['catalog', 'all catalog', 4_000],
  ['events', 'GET /events', 500],
  ['markets', 'GET /markets', 300],
  ['listings', 'GET /events, GET /markets', 900],
  ['tags', 'GET /tags', 200],
  ['public-search', 'GET /public-search', 350],
  ['order-book', 'all order_book', 5_000],
  ['root', 'GET /', 50],
  ['book', 'GET /book', 200],
  ['books', 'POST /books', 80],
  ['price', 'GET /price', 200],
  ['prices', 'POST /prices', 80],
  ['midpoint', 'GET /midpoint', 200],
  ['prices-history', 'GET /prices-history', 100],
  ['batch-prices-history', 'POST /batch-prices-history', 80],
  ['data-trades', 'GET /data/trades', 150],
  ['order-burst', 'POST /order', 2_400],
  ['order-sustained', 'POST /order', 24_000, SUSTAINED_SECONDS],
  ['cancel-burst', 'DELETE /order', 2_400],
  ['cancel-sustained', 'DELETE /order', 24_000, SUSTAINED_SECONDS],
];

/** Routes that rows name but that do not exist yet. They are limited once they exist. */
const NOT_YET: readonly string[] = [];

function rowNamed(name: string) {
  return LIMIT_TABLE.find((row) => row.name === name);
}

t.test('the table has the limits of the public venues (wire 10)', async (t) => {
  for (const [name, routes, capacity, seconds = 10] of INTERFACE) {
    const row = rowNamed(name);
    t.match(row, { capacity, windowMs: seconds * 1_000 }, name);
    if (routes.startsWith('all ')) t.match(row, { routes: 'all', group: routes.slice(4) }, name);
    else for (const route of routes.split(', ')) t.ok(row?.routes.includes(route), route);
  }
});

t.test('names are unique lowercase words; scopes and numbers are valid', async (t) => {
  const names = LIMIT_TABLE.map(({ name }) => name);
  t.equal(new Set(names).size, names.length);
  for (const { name, scope, windowMs, capacity } of LIMIT_TABLE) {
    t.match(name, /^[a-z]+(-[a-z]+)*$/);
    t.ok(scope !== '' && windowMs % 1_000 === 0 && Number.isInteger(capacity), name);
  }
});

t.test('each route that a row names exists', async (t) => {
  const there = new Set(ROUTES.map(({ method, path }) => `${method} ${path}`));
  const named = LIMIT_TABLE.flatMap(({ routes }) => (routes === 'all' ? [] : routes));
  const missing = [...new Set(named)].filter((route) => !there.has(route));
  t.strictSame(
    missing.filter((route) => !NOT_YET.includes(route)),
    [],
    'no route is misspelled',
  );
  t.strictSame(
    NOT_YET.filter((route) => there.has(route)),
    [],
    'not among the existing routes',
  );
});

t.test('a row names only routes of its own group, since it counts no others', async (t) => {
  for (const { name, group, routes } of LIMIT_TABLE) {
    if (routes === 'all' || group === 'failures' || group === 'networks') continue;
    for (const route of routes) {
      const path = route.slice(route.indexOf('/'));
      t.ok(path === '/markets' || groupOf(path) === group, `${name}: ${route}`);
    }
  }
});

t.test('every route of the public listener is in one group, whose row counts it', async (t) => {
  for (const { method, path } of ROUTES) {
    const rows = LIMIT_TABLE.filter((row) => isCounted(row, `${method} ${path}`, groupOf(path)));
    t.equal(rows.filter(({ routes }) => routes === 'all').length, 1, `${method} ${path}`);
  }
  const groups: readonly (readonly [path: string, group: RouteGroup])[] = [
    ['/', 'order_book'],
    ['/book', 'order_book'],
    ['/data/trades', 'order_book'],
    ['/markets', 'catalog'],
    ['/markets/7', 'catalog'],
    ['/markets/live-activity/0x1', 'order_book'],
    ['/markets-by-token/7', 'order_book'],
    ['/events/slug/x', 'catalog'],
    ['/trades', 'analytics'],
    ['/v1/heartbeats', 'order_book'],
    ['/v1/leaderboard', 'analytics'],
    ['/gamma/nothing', 'catalog'],
  ];
  for (const [path, group] of groups) t.equal(groupOf(path), group, path);
});

/** Routes that are not a GET and that only the row of their group counts. */
function writesOfGroupAlone(): readonly string[] {
  return ROUTES.filter(({ method, path }) => {
    const route = `${method} ${path}`;
    const rows = LIMIT_TABLE.filter((row) => isCounted(row, route, groupOf(path)));
    return method !== 'GET' && rows.length < 2;
  }).map(({ method, path }) => `${method} ${path}`);
}

t.test('each route that changes something has its own row', async (t) => {
  // The first two only read, and the routes of /rfq do nothing.
  const harmless = /^(POST \/orders-scoring|POST \/markets\/information|[A-Z]+ \/rfq\/.*)$/;
  t.strictSame(
    writesOfGroupAlone().filter((route) => !harmless.test(route)),
    [],
  );
});
