// The operator's listener, and what a web page in a browser on this machine could do to both
// listeners.
import t from 'tap';
import { sendTo, shareTestExchange } from '../http/exchange-fixture.ts';
import { KeepAliveClient } from '../http/keep-alive-client.ts';
import { nextOf, sendRaw, statusesIn } from './raw-server.ts';

/** What the operator's listener serves without its token, for browsers. */
const OPERATOR_PAGES = ['/ui/', '/ui/facts.json', '/images/weather.svg'];
const TOKEN = 'The-Token-of-the-operator';
const share = await shareTestExchange(t, { adminToken: TOKEN });

t.test('only the whole token in its own header is accepted', async (t) => {
  const exchange = share();
  const { running, stateHash } = exchange;
  const url = `http://127.0.0.1:${running.adminPort}`;
  const body = JSON.stringify({ state: 'halted', by: 'mallory', reason: 'to see' });
  const before = stateHash();
  const wrong: readonly (readonly [string, Record<string, string>])[] = [
    ['nothing', {}],
    ['an empty one', { authorization: '' }],
    ['the scheme alone', { authorization: 'Bearer ' }],
    ['another', { authorization: 'Bearer another' }],
    ['in lower case', { authorization: `Bearer ${TOKEN.toLowerCase()}` }],
    ['its beginning', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ['with more behind it', { authorization: `Bearer ${TOKEN}x` }],
    ['twice', { authorization: `Bearer ${TOKEN}, Bearer ${TOKEN}` }],
    ['without its scheme', { authorization: TOKEN }],
    ['in another scheme', { authorization: `Basic ${Buffer.from(TOKEN).toString('base64')}` }],
    ['as a cookie', { cookie: `authorization=Bearer ${TOKEN}; token=${TOKEN}` }],
    ['for a proxy', { 'proxy-authorization': `Bearer ${TOKEN}` }],
    ['in its own header', { 'x-admin-token': TOKEN }],
  ];
  for (const [name, headers] of wrong) {
    for (const path of [
      '/exchange/state',
      `/exchange/state?token=${TOKEN}&access_token=${TOKEN}`,
    ]) {
      const answer = await sendTo(url, 'POST', path, { headers, body });
      t.match([answer.status, answer.body.code], [401, 'bad_operator_token'], name);
      t.notOk(answer.text.includes(TOKEN));
    }
  }
  t.equal(stateHash(), before);
  const good = { authorization: `bearer ${TOKEN}` };
  t.equal((await sendTo(url, 'POST', '/exchange/state', { headers: good, body })).status, 200);
  t.not(stateHash(), before);
  const elsewhere = await sendTo(running.url, 'POST', '/exchange/state', { headers: good, body });
  t.equal(elsewhere.status, 404, 'the public listener has no such route');
  t.equal((await exchange.operator('POST', '/exchange/state', { state: 'open' })).status, 200);
});

t.test('a request without the token is refused before its body arrives', async (t) => {
  const { running } = share();
  const head = 'POST /exchange/state HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n{';
  const wire = sendRaw(t, running.adminPort, head);
  // Once the token was checked after the body, so unfinished bodies could fill the room of all.
  await nextOf(wire.socket);
  t.strictSame(statusesIn(wire.received()), [401]);
});

t.test('a page of another origin gets nothing from the listener of the operator', async (t) => {
  const { running } = share();
  const url = `http://127.0.0.1:${running.adminPort}`;
  const origin = { origin: 'https://evil.example' };
  const preflight = await sendTo(url, 'OPTIONS', '/exchange/state', {
    headers: {
      ...origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    },
  });
  const simple = await sendTo(url, 'POST', '/exchange/state', {
    headers: { ...origin, 'content-type': 'text/plain' },
    body: JSON.stringify({ state: 'halted', by: 'a', reason: 'b' }),
  });
  t.match([simple.status, simple.body.code], [403, 'foreign_origin']);
  for (const { headers } of [preflight, simple]) {
    for (const [name] of headers) t.notMatch(name, /^access-control-/);
  }
});

t.test('a page of another origin is refused even with the token', async (t) => {
  const { running, stateHash } = share();
  const client = new KeepAliveClient(`http://127.0.0.1:${running.adminPort}`);
  t.teardown(() => client.close());
  const authorization = `Bearer ${TOKEN}`;
  const body = JSON.stringify({ state: 'halted', by: 'mallory', reason: 'to see' });
  const host = `127.0.0.1:${running.adminPort}`;
  const foreign = [
    'https://evil.example',
    'null',
    running.url,
    'http://127.0.0.1',
    `http://localhost:${running.adminPort}`,
    `http://evil.example/${host}`,
    `http://evil.example:${running.adminPort}`,
    `http://x${host}`,
  ];
  const before = stateHash();
  for (const origin of foreign) {
    const headers = { authorization, host, origin };
    for (const [method, path] of [
      ['POST', '/exchange/state'],
      ['GET', '/audit'],
      ['GET', '/ui/facts.json'],
    ] as const) {
      const { status, text } = await client.send({ method, path, headers, body });
      t.equal(status, 403, `${origin} ${path}`);
      t.match(JSON.parse(text), { code: 'foreign_origin', limit: host, actual: origin });
    }
  }
  t.equal(stateHash(), before);
  const own = { authorization, host, origin: `http://${host}` };
  t.equal((await client.send({ method: 'GET', path: '/audit', headers: own })).status, 200);
});

t.test('a name of another site that leads here shows no page of the operator', async (t) => {
  const { running } = share();
  const client = new KeepAliveClient(`http://127.0.0.1:${running.adminPort}`);
  t.teardown(() => client.close());
  const read = (path: string, headers: Record<string, string>) =>
    client.send({ method: 'GET', path, headers });
  const rows = [
    ['127.0.0.1', 200],
    ['127.0.0.1:8081', 200],
    ['localhost:8081', 200],
    ['[::1]:8081', 200],
    ['evil.example', 403],
    ['evil.example:8081', 403],
    ['127.0.0.1.evil.example', 403],
    ['localhost.evil.example', 403],
    ['10.0.0.5:8081', 403],
  ] as const;
  for (const [host, status] of rows) {
    for (const path of OPERATOR_PAGES) {
      const page = await read(path, { host });
      t.equal(page.status, status, `${host} ${path}`);
      if (status === 403) t.match(JSON.parse(page.text), { code: 'foreign_host', actual: host });
    }
  }
  // Browsers add no credentials by themselves: whoever sends the token may use any name.
  const host = 'exchange.example';
  const authorization = `Bearer ${TOKEN}`;
  t.equal((await read('/audit', { host })).status, 401);
  t.equal((await read('/audit', { host, authorization })).status, 200);
  t.equal((await read('/healthz', { host })).status, 200);
});

t.test(
  'the public listener allows pages to read and uses no credentials that browsers add',
  async (t) => {
    const exchange = share();
    const alice = await exchange.trader(1);
    const { send, stateHash, plain } = exchange;
    t.equal((await alice.place({ tokenId: plain.tokenIds[0] })).status, 200);
    const before = stateHash();
    const origin = { origin: 'https://evil.example' };
    const preflight = await send('OPTIONS', '/order', { headers: origin });
    const names = preflight.headers.get('access-control-allow-headers')?.toLowerCase() ?? '';
    t.notMatch(names, /cookie|authorization/);
    t.equal(preflight.headers.get('access-control-allow-credentials'), null);
    const cookie = { ...origin, cookie: `POLY_API_KEY=${alice.credentials.apiKey}` };
    for (const [method, path] of [
      ['DELETE', '/cancel-all'],
      ['GET', '/data/orders'],
      ['POST', '/order'],
    ] as const) {
      t.equal((await send(method, path, { headers: cookie })).status, 401, path);
    }
    t.equal(stateHash(), before);
  },
);

t.test('an address that a client claims is ignored', async (t) => {
  const { running } = share();
  const url = `http://127.0.0.1:${running.adminPort}`;
  const claims = { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=::1' };
  t.equal((await sendTo(url, 'GET', '/audit', { headers: claims })).status, 401);
});
