// Replayed requests: unchanged, later, elsewhere, in another order, or changed. The attacker has
// all their bytes but no key.
import t from 'tap';
import {
  type Answer,
  sendTo,
  shareTestExchange,
  type TestExchange,
  type Trader,
} from '../http/exchange-fixture.ts';

interface Captured {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request signed with a trader's key, as bytes for the wire; not sent yet. */
function capture(trader: Trader, method: string, path: string, value?: unknown): Captured {
  if (value === undefined) return { method, path, headers: trader.keyHeaders(method, path) };
  const body = JSON.stringify(value);
  return { method, path, body, headers: trader.keyHeaders(method, path, body) };
}

function send(
  { running }: TestExchange,
  { method, path, body, headers }: Captured,
): Promise<Answer> {
  return sendTo(running.url, method, path, { body, headers });
}

/** The window of `--auth-window`, either way. */
const WINDOW_MS = 300_000;

/** One request of each kind that changes something or reads private data. */
function requestsOf({ plain }: TestExchange, alice: Trader): Record<string, Captured> {
  const market = plain.conditionId;
  const order = alice.order({ tokenId: plain.tokenIds[0], lots: 600 });
  const second = alice.order({ tokenId: plain.tokenIds[0], lots: 700 });
  const wallet = alice.walletHeaders({ nonce: '8' });
  const orderID = alice.idOf(order);
  return {
    'a read': capture(alice, 'GET', '/data/orders'),
    'an order': capture(alice, 'POST', '/order', order),
    'a batch': capture(alice, 'POST', '/orders', [second]),
    'a split': capture(alice, 'POST', '/sets/split', { market, amount: '5', key: 'split' }),
    'a merge': capture(alice, 'POST', '/sets/merge', { market, amount: '2', key: 'merge' }),
    'a cancel': capture(alice, 'DELETE', '/order', { orderID }),
    'a cancel of several': capture(alice, 'DELETE', '/orders', [alice.idOf(second)]),
    'a cancel in a market': capture(alice, 'DELETE', '/cancel-market-orders', { market }),
    'a cancel of all': capture(alice, 'DELETE', '/cancel-all'),
    'a dismissal': capture(alice, 'DELETE', '/notifications?ids=1'),
    'a read-only key': capture(alice, 'POST', '/auth/readonly-api-key'),
    'a builder key': capture(alice, 'POST', '/auth/builder-api-key'),
    'a trading key': { method: 'POST', path: '/auth/api-key', headers: wallet },
    'a trading key again': { method: 'GET', path: '/auth/derive-api-key', headers: wallet },
    'the end of a key': capture(alice, 'DELETE', '/auth/readonly-api-key', { key: 'x' }),
  };
}

// Not shared with other files, whose orders would meet these.
const share = await shareTestExchange(t, { paperMicros: 10_000_000_001 });

// The HMAC does not separate path and body, and the body was ignored.
t.test('the end of a signed path can not become a body', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  for (const [method, path, body] of [
    ['DELETE', '/comments/1', '2'],
    ['DELETE', '/cancel-al', 'l'],
    ['DELETE', '/cancel-all', '{}'],
  ] as const) {
    const { headers } = capture(alice, method, path + body);
    const { status, text } = await send(exchange, { method, path, body, headers });
    t.match(
      [status, text],
      path === '/cancel-al' ? [404] : [400, /"field":"body","limit":0/],
      path,
    );
  }
});

t.test('a replayed request is refused before and after its window', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const startMs = exchange.clock.ms;
  const requests = requestsOf(exchange, alice);
  const before = exchange.stateHash();
  for (const ms of [startMs + WINDOW_MS + 1_000, startMs - WINDOW_MS - 1_000]) {
    exchange.clock.ms = ms;
    for (const [name, request] of Object.entries(requests)) {
      const { status, body } = await send(exchange, request);
      const code = request.headers.POLY_NONCE ? 'l1_stale_timestamp' : 'stale_timestamp';
      t.match([status, body.code], [401, code], name);
    }
  }
  exchange.clock.ms = startMs;
  t.equal(exchange.stateHash(), before);
});

t.test('within the window a replayed request changes nothing', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  for (const [name, request] of Object.entries(requestsOf(exchange, alice))) {
    const first = await send(exchange, request);
    const hash = exchange.stateHash();
    for (let count = 0; count < 2; count += 1) {
      t.equal((await send(exchange, request)).status, first.status, name);
    }
    t.equal(exchange.stateHash(), hash, `${name} changes nothing more`);
  }
});

// History: each copy of a captured request for a key got a further key with its secret.
t.test(
  'a replayed request for a key gives the same key, and none once it is revoked',
  async (t) => {
    const exchange = share();
    const alice = await exchange.trader(1);
    const requests = requestsOf(exchange, alice);
    for (const [name, id, revocation] of [
      ['a read-only key', 'apiKey', ['DELETE', '/auth/readonly-api-key']],
      ['a builder key', 'key', ['DELETE', '/auth/builder-api-key']],
      ['a trading key', 'apiKey', ['DELETE', '/auth/api-key']],
    ] as const) {
      const request = requests[name];
      if (request === undefined) throw new Error('a request for each kind of key was captured');
      const first = await send(exchange, request);
      t.equal(first.status, 200, name);
      const bytes = Buffer.from(request.headers.POLY_SIGNATURE ?? '', 'base64');
      // The same signature in all its forms. A wallet's has only one.
      const forms = name === 'a trading key' ? [] : (['base64', 'base64url', 'hex'] as const);
      for (const form of forms) {
        const headers = { ...request.headers, POLY_SIGNATURE: bytes.toString(form) };
        t.equal(
          (await send(exchange, { ...request, headers })).text,
          first.text,
          `${name}, ${form}`,
        );
      }
      t.equal((await send(exchange, request)).text, first.text, name);
      const key: string = JSON.parse(first.text)[id];
      const [method, path] = revocation;
      const query = name === 'a trading key' ? `?apiKey=${key}` : '';
      const body = name === 'a read-only key' ? { key } : undefined;
      t.equal((await alice.signed(method, `${path}${query}`, body)).status, 200, name);
      const hash = exchange.stateHash();
      const again = await send(exchange, request);
      t.match(again.body.code, /^(key_request_spent|nonce_revoked)$/, name);
      t.notMatch(again.text, 'secret');
      t.equal(exchange.stateHash(), hash);
    }
  },
);

// SECURITY.md documents this limit in the row "a request is sent again".
t.test('a replayed mass cancel within the window cancels again', async (t) => {
  const exchange = share();
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const [tokenId] = exchange.plain.tokenIds;
  const cancelAll = capture(alice, 'DELETE', '/cancel-all');
  await send(exchange, cancelAll);
  const [own, others] = [await alice.place({ tokenId }), await bob.place({ tokenId })];
  const again = await send(exchange, cancelAll);
  t.strictSame(again.body.canceled, [own.body.orderID], 'no order of another owner');
  t.not(others.body.orderID, '');
  exchange.clock.ms += WINDOW_MS + 1_000;
  t.match((await send(exchange, cancelAll)).body, { code: 'stale_timestamp' });
});

t.test('in another order each request still has only its own effect', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const [tokenId] = exchange.plain.tokenIds;
  const orders = [alice.order({ tokenId, lots: 600 }), alice.order({ tokenId, lots: 700 })];
  const [first, second] = orders.map((order) => capture(alice, 'POST', '/order', order));
  const cancel = capture(alice, 'DELETE', '/order', {
    orderID: alice.idOf(orders[0] ?? alice.order({ tokenId })),
  });
  if (first === undefined || second === undefined) throw new Error('two orders were captured');
  const early = await send(exchange, cancel);
  t.strictSame(early.body.canceled, [], 'a cancel before its order cancels nothing');
  t.match((await send(exchange, second)).body, { status: 'live' });
  t.match((await send(exchange, first)).body, { status: 'live' });
  t.equal((await send(exchange, cancel)).body.canceled.length, 1);
  const hash = exchange.stateHash();
  t.match((await send(exchange, first)).body, { status: 'canceled', duplicate: true });
  t.equal(exchange.stateHash(), hash, 'an order that was cancelled does not come back');
});

/** Changes to a captured request, each of which must be refused. */
function changesOf(request: Captured): Record<string, Captured> {
  const with_ = (changes: Partial<Captured>): Captured => ({ ...request, ...changes });
  const header = (name: string, value: string) =>
    with_({ headers: { ...request.headers, [name]: value } });
  const seconds = Number(request.headers.POLY_TIMESTAMP);
  const body = request.body ?? '';
  return {
    'another path': with_({ path: '/cancel-all' }),
    'the path of a part of it': with_({ path: '/order' }),
    'another method': with_({ method: 'POST' }),
    'a space more': with_({ body: ` ${body}` }),
    'a line more': with_({ body: `${body}\n` }),
    'a key more': with_({ body: body.replace('{', '{"x":1,') }),
    'a key twice': with_({ body: body.replace('}', ',"market":"0x"}') }),
    'no body': with_({ body: '' }),
    'another second': header('POLY_TIMESTAMP', String(seconds + 1)),
    'the same second in ms': header('POLY_TIMESTAMP', String(seconds * 1_000)),
    'a sign': header('POLY_TIMESTAMP', `+${seconds}`),
    'a zero in front': header('POLY_TIMESTAMP', `0${seconds}`),
    'a fraction': header('POLY_TIMESTAMP', `${seconds}.0`),
    'digits of the path in the time': with_({
      path: request.path.slice(1),
      headers: { ...request.headers, POLY_TIMESTAMP: `${seconds}/` },
    }),
    'a quote for a quote': with_({ body: body.replaceAll('"', "'") }),
    'no signature': header('POLY_SIGNATURE', ''),
    'half a signature': header('POLY_SIGNATURE', 'YWJj'),
  };
}

t.test('no part of a request can be changed', async (t) => {
  const exchange = share();
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const [tokenId] = exchange.plain.tokenIds;
  await alice.place({ tokenId });
  await bob.place({ tokenId });
  const market = { market: exchange.plain.conditionId };
  const request = capture(alice, 'DELETE', '/cancel-market-orders', market);
  const before = exchange.stateHash();
  for (const [name, changed] of Object.entries(changesOf(request))) {
    if (!changed.path.startsWith('/')) continue;
    const { status } = await send(exchange, changed);
    t.ok(status >= 400 && status < 500, `${name}: ${status}`);
  }
  t.equal(exchange.stateHash(), before);
  t.equal((await send(exchange, request)).status, 200, 'the unchanged request is accepted');
  t.not(exchange.stateHash(), before);
});

t.test(
  "a wallet's signature is valid for its nonce and time, and returns the same key again",
  async (t) => {
    const exchange = share();
    const alice = await exchange.trader(1);
    const headers = alice.walletHeaders();
    const seconds = Number(headers.POLY_TIMESTAMP);
    const at = (method: string, path: string, changes: Record<string, string> = {}) =>
      exchange.send(method, path, { headers: { ...headers, ...changes } });
    const before = exchange.stateHash();
    const rows: readonly (readonly [Promise<Answer>, number])[] = [
      [at('POST', '/auth/api-key'), 200],
      [at('GET', '/auth/derive-api-key'), 200],
      [at('POST', '/auth/api-key', { POLY_NONCE: '1' }), 401],
      [at('POST', '/auth/api-key', { POLY_TIMESTAMP: String(seconds + 1) }), 401],
      [at('POST', '/auth/api-key', { POLY_TIMESTAMP: `0${seconds}` }), 401],
      [at('GET', '/data/orders'), 401],
      [at('POST', '/order'), 401],
      [at('DELETE', '/auth/api-key'), 401],
      [at('POST', '/auth/readonly-api-key'), 401],
    ];
    for (const [answer, status] of rows) t.equal((await answer).status, status);
    t.equal(exchange.stateHash(), before, 'no new key was made');
    exchange.clock.ms += WINDOW_MS + 1_000;
    t.match((await at('POST', '/auth/api-key')).body, { code: 'l1_stale_timestamp' });
  },
);

t.test(
  'with and without the path prefix it is the same request, and takes effect once',
  async (t) => {
    const exchange = share();
    const alice = await exchange.trader(1);
    const order = alice.order({ tokenId: exchange.plain.tokenIds[0] });
    const request = capture(alice, 'POST', '/order', order);
    t.match((await send(exchange, request)).body, { status: 'live' });
    const hash = exchange.stateHash();
    const prefixed = await send(exchange, { ...request, path: '/clob/order' });
    t.match(prefixed.body, { status: 'live', duplicate: true });
    const signedSo = capture(alice, 'POST', '/clob/order', order);
    t.match((await send(exchange, { ...signedSo, path: '/order' })).body, {
      code: 'bad_signature',
    });
    t.equal(exchange.stateHash(), hash);
  },
);
