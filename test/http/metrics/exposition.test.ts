import t, { type Test } from 'tap';
import { DEFAULT_RULES, LIMIT_TABLE } from '../../../http/admission/limit-table.ts';
import { Histogram } from '../../../http/codec/histogram.ts';
import { Counts } from '../../../http/codec/time.ts';
import { Exposition } from '../../../http/metrics/command-metrics.ts';
import { counters, countersOf, gauge, histograms } from '../../../http/metrics/family.ts';
import { slowDisk } from '../../persistence/journal/test-disk.ts';
import { shareTestExchange } from '../exchange-fixture.ts';
import { type Scraped, scrape, total } from './scrape.ts';

const PREFIX = 'outcome_exchange_';

t.test('each form of metric is shown in the format of Prometheus', async (t) => {
  const counts = new Counts();
  counts.add('a', 'x');
  counts.add('a', 'y');
  counts.add('a', 'x');
  const histogram = new Histogram({ fromBits: 1, toBits: 2 });
  for (const value of [1, 3, 5]) histogram.observe(value);
  const shown = await new Exposition([
    gauge('one', 'Help', () => 7),
    counters(['odd', 'A \\ and\nlines', ['word']], () => [['a"b\\c\nd', 1]]),
    countersOf(['counts_total', 'Help', ['first', 'second']], counts),
    histograms(['times_seconds', 'Help', ['of']], 0.5, () => [[['a'], histogram]]),
  ]).text();
  const own = shown.slice(0, shown.indexOf('# HELP process_'));
  t.equal(
    own.trim(),
    [
      '# HELP outcome_exchange_one Help',
      '# TYPE outcome_exchange_one gauge',
      'outcome_exchange_one 7',
      '',
      '# HELP outcome_exchange_odd A \\\\ and\\nlines',
      '# TYPE outcome_exchange_odd counter',
      'outcome_exchange_odd{word="a\\"b\\\\c\\nd"} 1',
      '',
      '# HELP outcome_exchange_counts_total Help',
      '# TYPE outcome_exchange_counts_total counter',
      'outcome_exchange_counts_total{first="a",second="x"} 2',
      'outcome_exchange_counts_total{first="a",second="y"} 1',
      '',
      '# HELP outcome_exchange_times_seconds Help',
      '# TYPE outcome_exchange_times_seconds histogram',
      'outcome_exchange_times_seconds_bucket{le="1",of="a"} 1',
      'outcome_exchange_times_seconds_bucket{le="2",of="a"} 2',
      'outcome_exchange_times_seconds_bucket{le="+Inf",of="a"} 3',
      'outcome_exchange_times_seconds_sum{of="a"} 4.5',
      'outcome_exchange_times_seconds_count{of="a"} 3',
    ].join('\n'),
  );
});

/** Each bucket counts at least as many as the one before, and the last one equals the count. */
function checkHistograms(t: Test, families: ReadonlyMap<string, Scraped>): void {
  for (const [name, { type, values }] of families) {
    if (type !== 'histogram') continue;
    let before = 0;
    let last = 0;
    for (const [key, value] of values) {
      if (key.startsWith(`${name}_bucket`)) {
        if (value < before) t.fail(`${key} is ${value} after ${before}`);
        before = value;
        if (key.includes('le="+Inf"')) last = value;
      } else if (key.startsWith(`${name}_count`)) {
        t.equal(value, last, key);
        before = 0;
      }
    }
  }
}

const share = await shareTestExchange(t);

t.test('only the operator can read the metrics, as text for Prometheus', async (t) => {
  const exchange = share();
  const { running, send } = exchange;
  const url = `http://127.0.0.1:${running.adminPort}/metrics`;
  t.equal((await fetch(url)).status, 401);
  t.equal((await send('GET', '/metrics')).status, 404, 'the public listener has no metrics');
  const headers = { authorization: `Bearer ${running.adminToken}` };
  const { headers: answered } = await fetch(url, { headers });
  t.equal(answered.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
});

/** It has had no requests: health.test.ts shares it, but runs after this file. */
const shareSlow = await shareTestExchange(t, { journalDisk: slowDisk(150) });

t.test('orders, refusals, cancels and retries are counted and timed once', async (t) => {
  const exchange = shareSlow();
  const { trader, plain, send, operator } = exchange;
  const alice = await trader(1);
  const [tokenId] = plain.tokenIds;
  const before = await scrape(exchange);
  const payload = alice.order({ tokenId });
  // At the same time, because a retry of an order that is durable does not reach the engine.
  const answers = await Promise.all([
    alice.signed('POST', '/order', payload),
    alice.signed('POST', '/order', payload),
  ]);
  t.equal(answers.filter(({ body }) => body.duplicate === true).length, 1);
  t.match((await alice.place({ tokenId, lots: 100_000_000 })).body, { code: 'not_enough_cash' });
  const orderId = alice.idOf(payload);
  await alice.cancel(orderId);
  for (let index = 0; index < 20; index += 1) await send('GET', `/nowhere/${index}`);
  await send('GET', `/data/order/${orderId}`);
  await operator('GET', '/audit');
  const after = await scrape(exchange);
  checkHistograms(t, after);

  const grown = (name: string, ...texts: readonly string[]): number =>
    total(after, PREFIX + name, ...texts) - total(before, PREFIX + name, ...texts);
  const counts: readonly (readonly [count: number, name: string, ...texts: string[]])[] = [
    [1, 'commands_total', 'kind="place_order"', 'outcome="changed"'],
    [1, 'commands_total', 'kind="place_order"', 'outcome="duplicate"'],
    [1, 'commands_total', 'kind="place_order"', 'outcome="not_enough_cash"'],
    [1, 'commands_total', 'kind="cancel_orders"', 'outcome="changed"'],
    [2, 'http_requests_total', 'method="POST"', 'route="/order"', 'status="200"'],
    [1, 'http_requests_total', 'method="POST"', 'route="/order"', 'status="400"'],
    [1, 'http_requests_total', 'method="DELETE"', 'route="/order"', 'status="200"'],
    [20, 'http_requests_total', 'method="none"', 'route="none"', 'status="404"'],
    [1, 'http_requests_total', 'method="GET"', 'route="/data/order/{id}"'],
    [2, 'http_request_duration_seconds_count', 'route="/order"', 'method="POST"', 'class="2xx"'],
    [3, 'stage_duration_seconds_count', 'stage="verify"'],
    [4, 'stage_duration_seconds_count', 'stage="line"'],
    [2, 'commit_commands_sum'],
    [2, 'commit_commands_count'],
    [2, 'applied_seq'],
    [2, 'durable_seq'],
    [1, 'audits_total', 'result="ok"'],
    [0, 'invariant_violations_total'],
  ];
  for (const [count, name, ...texts] of counts) {
    t.equal(grown(name, ...texts), count, [name, ...texts].join(' '));
  }
  for (const stage of ['receive', 'apply', 'durable', 'commit', 'write']) {
    t.ok(grown('stage_duration_seconds_sum', `stage="${stage}"`) > 0, stage);
  }
  t.equal(total(after, `${PREFIX}ready`), 1);
  t.equal(total(after, `${PREFIX}accounts`), 1);
  t.equal(total(after, `${PREFIX}live_orders`), 0, 'the order was cancelled');
  t.equal(total(after, `${PREFIX}collateral_units`, 'of="accounts"'), 10_000);
  t.equal(total(after, `${PREFIX}collateral_units`, 'of="deposited"'), 10_000);
  t.equal(total(after, `${PREFIX}keys`), 1);
  t.equal(total(before, `${PREFIX}threads_up`), 6);
  t.equal(total(after, `${PREFIX}threads_up`), 7, 'the audit thread runs from the first audit on');
  t.equal(total(after, `${PREFIX}audit_lag_commands`), 0);
  t.equal(
    total(after, `${PREFIX}http_requests_in_flight`, 'listener="operator"'),
    1,
    'this request',
  );
  t.ok(
    total(after, `${PREFIX}http_sockets_open`, 'listener="operator"') >= 1,
    'the connection of this request',
  );
});

t.test('no label contains text of a client, so the number of metrics is bounded', async (t) => {
  const exchange = share();
  const { send } = exchange;
  const paths = (round: number) => [
    `/book?token_id=${round}`,
    `/neg-risk/${round}`,
    `/clob/${round}`,
    `/${round}/x`,
    `/data/order/${round}`,
  ];
  const ask = async (round: number): Promise<number> => {
    for (const path of paths(round)) {
      for (const method of ['GET', 'PUT', `X${round}`]) {
        await send(method, path, { headers: { 'x-request-id': `${round}`, 'user-agent': 'u' } });
      }
    }
    let lines = 0;
    for (const { values } of (await scrape(exchange)).values()) lines += values.size;
    return lines;
  };
  await ask(1);
  const lines = await ask(2);
  // A second scrape adds lines about the first one and about garbage collections.
  const own = async () =>
    [...(await scrape(exchange))].filter(([name]) => name.startsWith(PREFIX)).map(([, one]) => one);
  const before = (await own()).reduce((sum, { values }) => sum + values.size, 0);
  for (let round = 3; round < 10; round += 1) await ask(round);
  t.equal(
    (await own()).reduce((sum, { values }) => sum + values.size, 0),
    before,
  );
  t.ok(lines < 2_000, `${lines} lines`);
});

t.test('routes of the same name, which both listeners have, are one row', async (t) => {
  const exchange = share();
  const { running, send } = exchange;
  const name = `${PREFIX}http_requests_total`;
  const row = 'method="GET",route="/openapi.json",status="200"';
  const before = total(await scrape(exchange), name, row);
  const headers = { authorization: `Bearer ${running.adminToken}` };
  await send('GET', '/openapi.json');
  await fetch(`http://127.0.0.1:${running.adminPort}/openapi.json`, { headers });
  t.equal(total(await scrape(exchange), name, row), before + 2);
});

t.test('a request over a rate limit is counted by the row of that limit', async (t) => {
  const rows = LIMIT_TABLE.map((row) =>
    row.name === 'order-book' ? { ...row, capacity: 2 } : row,
  );
  const exchange = share();
  const { limits } = exchange.running.services;
  const before = limits.rules;
  limits.replace({ ...DEFAULT_RULES, countsLoopback: true, rows });
  t.teardown(() => limits.replace(before));
  const statuses: number[] = [];
  for (let tries = 0; tries < 4; tries += 1) {
    statuses.push((await exchange.send('GET', '/ok')).status);
  }
  t.strictSame(statuses, [200, 200, 429, 429]);
  const families = await scrape(exchange);
  t.equal(total(families, `${PREFIX}rate_limited_total`), 2);
  t.equal(total(families, `${PREFIX}rate_limited_total`, 'row="order-book"'), 2);
});

t.test('requests that fail are counted by the code of their error', async (t) => {
  const exchange = share();
  const [unknown, wrong] = ['code="route_unknown"', 'code="invalid_parameter"'];
  const count = async (code: string) =>
    total(await scrape(exchange), `${PREFIX}http_refusals_total`, code);
  const before = [await count(unknown), await count(wrong)];
  await exchange.send('GET', '/nowhere');
  await exchange.send('GET', '/price?token_id=1&side=NEITHER');
  await exchange.send('GET', '/price?token_id=1&side=NEITHER');
  const after = [await count(unknown), await count(wrong)];
  t.strictSame(
    after.map((now, index) => now - (before[index] ?? 0)),
    [1, 2],
  );
});

t.test('databases and the free space of their disk are measured', async (t) => {
  const families = await scrape(share());
  for (const name of ['journal', 'analytics', 'catalog']) {
    t.ok(total(families, `${PREFIX}database_bytes`, `database="${name}"`) > 10_000, name);
  }
  t.ok(total(families, `${PREFIX}disk_free_bytes`) > 0);
});

t.test('limits of connections and memory are shown beside what is used', async (t) => {
  const families = await scrape(share());
  const rows: readonly (readonly [used: string, limit: string])[] = [
    [`${PREFIX}http_sockets_open`, `${PREFIX}http_sockets_limit`],
    ['process_resident_memory_bytes', `${PREFIX}memory_limit_bytes`],
    ['nodejs_heap_size_used_bytes', `${PREFIX}heap_limit_bytes`],
  ];
  for (const [used, limit] of rows) t.ok(total(families, used) < total(families, limit), limit);
  const operator = total(families, `${PREFIX}http_sockets_limit`, 'listener="operator"');
  t.equal(operator, 64, 'see connection-bound.ts');
});

t.test('the trading state of the exchange is shown', async (t) => {
  const exchange = share();
  const shown = async () => {
    const families = await scrape(exchange);
    const has = (state: string): number =>
      total(families, `${PREFIX}trading_state`, `state="${state}"`);
    return [has('open'), has('cancel_only'), has('halted')];
  };
  t.strictSame(await shown(), [1, 0, 0]);
  await exchange.operator('POST', '/exchange/state', { state: 'cancel_only' });
  t.strictSame(await shown(), [0, 1, 0]);
  const families = await scrape(exchange);
  t.equal(total(families, `${PREFIX}clock_pauses_orders`), 0, 'an operator paused it');
  await exchange.operator('POST', '/exchange/state', { state: 'open' });
});
