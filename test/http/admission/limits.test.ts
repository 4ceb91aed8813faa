import t from 'tap';
import { DEFAULT_RULES, LIMIT_TABLE, type LimitRow } from '../../../http/admission/limit-table.ts';
import { HTTP_BOUNDS } from '../../../http/bounds/sizes.ts';
import {
  admitted,
  asking,
  byOwner,
  figuresOf,
  limitsWith,
  onlyTight,
  refusalIn,
  rulesWith,
} from './limits-fixture.ts';

/** A request that a row counts. */
function requestOf({ routes, group }: LimitRow) {
  const paths = { catalog: 'GET /series', analytics: 'GET /value', order_book: 'GET /time' };
  if (group === 'failures') throw new Error('they cover no route');
  if (group === 'networks') return asking(routes[0] ?? paths.order_book, byOwner('0xa'));
  const route = routes === 'all' ? paths[group] : (routes[0] ?? '');
  return asking(route, { surface: group === 'order_book' ? 'clob' : 'gamma' });
}

t.test('each row of the default table admits exactly its capacity', async (t) => {
  for (const row of LIMIT_TABLE) {
    if (row.group === 'failures') continue;
    // The other rows have room, since some would be full first.
    const { limits, clock } = limitsWith(onlyTight({ [row.name]: row.capacity }));
    clock.ms = 123_456;
    t.equal(admitted(limits, requestOf(row)), row.capacity, row.name);
    const refusal = refusalIn(() => limits.admit(requestOf(row)));
    const { scope, windowMs } = row;
    const windowSeconds = windowMs / 1_000;
    t.match(refusal?.details, { limit: row.capacity, windowSeconds, scope, row: row.name });
    clock.ms += windowMs - 1;
    t.equal(admitted(limits, requestOf(row)), 0, 'within the window there is no room');
    clock.ms += windowMs / 10 + 1;
    t.equal(admitted(limits, requestOf(row)), row.capacity, 'a tenth of it later there is all');
  }
});

t.test('a route has the smallest number of its rows', async (t) => {
  const rows: readonly (readonly [route: string, capacity: number])[] = [
    ['GET /', 50],
    ['GET /book', 200],
    ['POST /books', 80],
    ['GET /time', 5_000],
    ['GET /events', 500],
    ['GET /markets', 300],
    ['GET /series', 4_000],
    ['GET /holders', 150],
    ['POST /order', 2_400],
    ['DELETE /order', 2_400],
  ];
  for (const [route, capacity] of rows) {
    t.equal(admitted(limitsWith().limits, asking(route)), capacity, route);
  }
});

t.test('a window slides: capacity returns as old requests leave it', async (t) => {
  const { limits, clock } = limitsWith(onlyTight({ root: 5 }));
  const request = asking('GET /');
  t.equal(admitted(limits, request, 3), 3);
  clock.ms = 6_000;
  t.equal(admitted(limits, request), 2);
  clock.ms = 10_999;
  t.equal(admitted(limits, request), 0);
  clock.ms = 11_000;
  t.equal(admitted(limits, request), 3, 'the first three are forgotten');
  clock.ms = 17_000;
  t.equal(admitted(limits, request), 2);
});

t.test('a trading write needs room in its burst and in its sustained budget', async (t) => {
  const { limits, clock } = limitsWith();
  const request = asking('POST /order', byOwner('0xa'));
  let total = 0;
  for (let burst = 0; burst < 10; burst++) {
    t.equal(admitted(limits, request), 2_400, 'up to the burst capacity');
    total += 2_400;
    clock.ms += 11_000;
  }
  t.equal(total, 24_000);
  t.equal(admitted(limits, request), 0);
  const refusal = refusalIn(() => limits.admit(request));
  t.match(refusal?.details, { row: 'order-sustained', limit: 24_000, windowSeconds: 600 });
  clock.ms = 659_999;
  t.equal(admitted(limits, request), 0);
  clock.ms = 660_000;
  t.ok(admitted(limits, request) > 0, 'the first burst has left the window');
});

t.test('of several full rows the refusal names the one with the longest wait', async (t) => {
  const { limits, clock } = limitsWith(
    onlyTight({ 'order-burst': 1, 'order-sustained': 1, 'order-book': 1 }),
  );
  const request = asking('POST /order', byOwner('0xa'));
  limits.admit(request);
  clock.ms = 1_000;
  t.match(refusalIn(() => limits.admit(request))?.details, {
    row: 'order-sustained',
    retryAfterSeconds: 659,
  });
  clock.ms = 11_000;
  t.match(refusalIn(() => limits.admit(request))?.details, { row: 'order-sustained' });
});

t.test(
  'a batch counts once per order in the rows of orders, as one request in other rows',
  async (t) => {
    const { limits } = limitsWith(onlyTight({ 'order-burst': 20, 'order-book': 4 }));
    const batch = (weight: number) => asking('POST /orders', { ...byOwner('0xa'), weight });
    t.strictSame(figuresOf(limits.admit(batch(15))).slice(0, 2), [4, 3]);
    const refusal = refusalIn(() => limits.admit(batch(6)));
    t.match(refusal?.details, { row: 'order-burst', limit: 20, retryAfterSeconds: 11 });
    t.strictSame(figuresOf(refusal?.headers ?? []).slice(0, 2), [20, 5], 'the rest of the row');
    limits.admit(batch(4));
    limits.admit(asking('POST /order', byOwner('0xa')));
    t.equal(refusalIn(() => limits.admit(batch(1)))?.details.limit, 20);
  },
);

t.test('a weight above the capacity is never admitted', async (t) => {
  const { limits } = limitsWith(onlyTight({ 'order-burst': 3 }));
  const batch = asking('POST /orders', { ...byOwner('0xa'), weight: 4 });
  t.match(refusalIn(() => limits.admit(batch))?.details, { retryAfterSeconds: 11 });
});

t.test('a refused request is counted in no row', async (t) => {
  const { limits, clock } = limitsWith(onlyTight({ book: 2, 'order-book': 5 }));
  const book = asking('GET /book');
  t.equal(admitted(limits, book), 2);
  for (let count = 0; count < 100; count++) refusalIn(() => limits.admit(book));
  for (let count = 0; count < 100; count++) refusalIn(() => limits.check(book));
  t.equal(admitted(limits, asking('GET /time')), 3, 'the group did not count refusals');
  clock.ms = 11_000;
  t.equal(admitted(limits, book), 2, 'and refusals did not extend the wait');
});

t.test('a check counts nothing, and refuses what an admission would refuse', async (t) => {
  const { limits } = limitsWith(onlyTight({ root: 1 }));
  const request = asking('GET /');
  for (let count = 0; count < 10; count++) limits.check(request);
  t.equal(admitted(limits, request), 1);
  t.equal(refusalIn(() => limits.check(request))?.code, 'too_many_requests');
});

t.test('combined listings count together, and as their own rows', async (t) => {
  const { limits } = limitsWith(onlyTight({ listings: 5, events: 4, markets: 4 }));
  t.equal(admitted(limits, asking('GET /events')), 4);
  t.equal(admitted(limits, asking('GET /markets')), 1);
  const refusal = refusalIn(() => limits.admit(asking('GET /markets')));
  t.match(refusal?.details, { scope: 'combined event and market listings' });
});

t.test('GET /markets counts in the group of the requested form', async (t) => {
  const rows: readonly (readonly [changes: Parameters<typeof asking>[1], isCatalog: boolean])[] = [
    [{}, true],
    [{ query: 'limit=5' }, true],
    [{ query: 'my_next_cursor=1&x=next_cursor' }, true],
    [{ query: 'next_cursor=' }, false],
    [{ query: 'limit=5&next%5Fcursor=MA%3D%3D' }, false],
    [{ surface: 'clob' }, false],
    [{ surface: 'gamma', query: 'next_cursor=MA==' }, true],
    [{ surface: 'data', query: 'next_cursor=MA==' }, false],
  ];
  for (const [changes, isCatalog] of rows) {
    const { limits } = limitsWith(onlyTight({ catalog: 7, markets: 9, 'order-book': 8 }));
    const name = JSON.stringify(changes);
    t.equal(admitted(limits, asking('GET /markets', changes)), isCatalog ? 7 : 8, name);
    t.equal(admitted(limits, asking('GET /series')), isCatalog ? 0 : 7, 'alone');
    t.equal(admitted(limits, asking('GET /time')), isCatalog ? 8 : 0, 'alone');
  }
});

t.test('requests without a route count to the group of their path', async (t) => {
  const { limits } = limitsWith(onlyTight({ catalog: 2, 'order-book': 3 }));
  const lost = (path: string) => ({ ...asking('GET /time', { path }), route: undefined });
  t.equal(admitted(limits, lost('/gamma/nothing')), 2);
  t.equal(admitted(limits, lost('/nothing')), 3);
  t.equal(admitted(limits, asking('GET /time')), 0);
});

t.test('keys of one owner share its budget, whatever address they come from', async (t) => {
  const { limits } = limitsWith(onlyTight({ 'cancel-burst': 3 }));
  const cancel = (owner: string, apiKey: string, address: string) =>
    asking('DELETE /order', { owner, apiKey, address });
  t.equal(admitted(limits, cancel('0xa', 'one', '203.0.113.1'), 2), 2);
  t.equal(admitted(limits, cancel('0xa', 'two', '203.0.113.2')), 1);
  t.equal(admitted(limits, cancel('0xb', 'three', '203.0.113.1')), 3, 'another owner');
});

t.test('logins count by address, since a new wallet costs nothing', async (t) => {
  const { limits } = limitsWith(onlyTight({ credentials: 3 }));
  const login = (owner: string, address: string) =>
    asking('POST /auth/api-key', { owner, address });
  for (const owner of ['0xa', '0xb', '0xc']) limits.admit(login(owner, '203.0.113.1'));
  t.equal(admitted(limits, login('0xd', '203.0.113.1')), 0);
  t.equal(admitted(limits, login('0xd', '203.0.113.2')), 3);
});

t.test('an IPv6 network counts as one client', async (t) => {
  const { limits } = limitsWith(onlyTight({ root: 3 }));
  const from = (address: string) => asking('GET /', { address });
  for (const address of ['2001:db8::1', '2001:DB8::2', '2001:db8:0:0:ffff:1:2:3']) {
    t.equal(admitted(limits, from(address), 1), 1);
  }
  t.equal(admitted(limits, from('2001:0db8:0000:0000:0000:0000:0000:0009')), 0);
  t.equal(admitted(limits, from('2001:db8:0:1::1')), 3);
});

t.test('this machine is exempt unless the rules say otherwise', async (t) => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1']) {
    const request = asking('GET /', { address, ...byOwner('0xa') });
    const exempt = limitsWith(onlyTight({ root: 3 })).limits;
    t.strictSame(exempt.admit(request), [], 'and gets no headers');
    t.equal(admitted(exempt, request, 10), 10);
    for (let count = 0; count < 1_000; count++) exempt.countFailure(address);
    t.equal(
      refusalIn(() => exempt.admitAttempt(address)),
      undefined,
    );
    const counted = limitsWith(onlyTight({ root: 3 }, { countsLoopback: true })).limits;
    t.equal(admitted(counted, request), 3, address);
  }
});

t.test('wrong credentials count by address, for each listener separately', async (t) => {
  const { limits, clock } = limitsWith();
  const { operator } = limits;
  const failures = (admission: typeof operator, address: string): number => {
    let count = 0;
    while (refusalIn(() => admission.admitAttempt(address)) === undefined) {
      admission.countFailure(address);
      count += 1;
    }
    return count;
  };
  t.equal(failures(limits, '203.0.113.1'), 200);
  t.equal(failures(operator, '203.0.113.1'), 30);
  t.equal(failures(limits, '203.0.113.2'), 200);
  const refusal = refusalIn(() => limits.admitAttempt('203.0.113.1'));
  t.match(refusal?.details, { limit: 200, windowSeconds: 60, scope: 'failed authentication' });
  t.equal(refusal?.details.retryAfterSeconds, 66);
  t.strictSame(limits.operator.admit(asking('GET /')), [], 'the operator is not counted');
  t.equal(
    refusalIn(() => operator.check(asking('GET /'))),
    undefined,
  );
  clock.ms = 66_000;
  t.equal(failures(limits, '203.0.113.1'), 200);
});

t.test('an address that never failed is admitted, however many others fail', async (t) => {
  const { limits, clock } = limitsWith();
  const { limitCounters, sharedLimitCounters } = HTTP_BOUNDS;
  // First the addresses that get their own counters, then many that use the shared ones.
  for (let count = 0; count < limitCounters + 300 * sharedLimitCounters; count++) {
    limits.countFailure(
      `2001:db8:${(count >> 16).toString(16)}:${(count & 65_535).toString(16)}::1`,
    );
  }
  const isAdmitted = (address: string): boolean =>
    refusalIn(() => limits.admitAttempt(address)) === undefined;
  for (let host = 0; host < 256; host++) {
    if (!isAdmitted(`203.0.113.${host}`)) t.fail(`203.0.113.${host} is refused`);
  }
  clock.ms = 66_000;
  limits.countFailure('203.0.113.1');
  t.ok(isAdmitted('203.0.113.1'), 'in its own counter it has one failure');
});

t.test('headers describe the row with the least left', async (t) => {
  const { limits, clock } = limitsWith(onlyTight({ book: 4, 'order-book': 5 }));
  const book = asking('GET /book');
  clock.ms = 2_500;
  t.strictSame(figuresOf(limits.admit(book)), [4, 3, 11], 'counted until 13 seconds');
  clock.ms = 4_200;
  t.strictSame(figuresOf(limits.admit(book)), [4, 2, 9], '9 seconds until 13');
  limits.admit(asking('GET /time'));
  t.strictSame(figuresOf(limits.admit(asking('GET /time'))), [5, 1, 9], 'now the group is tighter');
  t.strictSame(figuresOf(limits.admit(book)), [5, 0, 9]);
  const refusal = refusalIn(() => limits.admit(book));
  t.strictSame(refusal?.headers, [
    ['retry-after', '9'],
    ['x-ratelimit-limit', '5'],
    ['x-ratelimit-remaining', '0'],
    ['x-ratelimit-reset', '9'],
  ]);
  t.strictSame(refusal?.details, {
    limit: 5,
    windowSeconds: 10,
    scope: 'all order-book routes',
    row: 'order-book',
    retryAfterSeconds: 9,
  });
  clock.ms = 12_999.9;
  t.equal(refusalIn(() => limits.admit(book))?.details.retryAfterSeconds, 1, 'never 0');
  clock.ms = 13_000;
  limits.admit(book);
});

t.test('replacing the rules keeps the counts of rows', async (t) => {
  const { limits, clock } = limitsWith(onlyTight({ root: 3, book: 3, price: 3 }));
  for (const path of ['GET /', 'GET /book', 'GET /price']) {
    t.equal(admitted(limits, asking(path)), 3, path);
  }
  const change = ({ name }: LimitRow): Partial<LimitRow> => {
    if (name === 'root') return { capacity: 5 };
    if (name === 'book') return { capacity: 2 };
    if (name === 'price') return { capacity: 4, windowMs: 20_000 };
    return { capacity: 1_000_000 };
  };
  limits.replace(rulesWith(change));
  t.equal(limits.rules.rows.find(({ name }) => name === 'root')?.capacity, 5);
  t.equal(admitted(limits, asking('GET /')), 2, 'three are counted already');
  t.equal(admitted(limits, asking('GET /book')), 0, 'already above the new capacity');
  t.equal(admitted(limits, asking('GET /price')), 4, 'a new window starts from zero');
  clock.ms = 11_000;
  t.equal(admitted(limits, asking('GET /book')), 2);
  t.equal(admitted(limits, asking('GET /price')), 0);
  clock.ms = 22_000;
  t.equal(admitted(limits, asking('GET /price')), 4);
});

t.test('replaced rules also decide which addresses are exempt', async (t) => {
  const { limits } = limitsWith(onlyTight({ root: 3 }));
  const request = asking('GET /', { address: '127.0.0.1' });
  t.equal(admitted(limits, request, 10), 10);
  limits.replace({ ...DEFAULT_RULES, countsLoopback: true });
  t.equal(admitted(limits, request), 50);
});
