import t from 'tap';
import packageJson from '../../../package.json' with { type: 'json' };
import { shareTestExchange } from '../exchange-fixture.ts';
import { KeepAliveClient } from '../keep-alive-client.ts';

const exchange = (await shareTestExchange(t))();
const { running } = exchange;

t.test('the page and everything that it loads come from the exchange', async (t) => {
  for (const prefix of ['', '/clob', '/gamma', '/data']) {
    const pageUrl = `${running.url}${prefix}/docs`;
    const page = await fetch(pageUrl);
    t.equal(page.status, 200);
    t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    const html = await page.text();
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link);
    t.equal(links.length, 7);
    for (const link of links) {
      t.notMatch(link, /^(\w+:|\/)/, 'relative to the page');
      const file = await fetch(new URL(link, pageUrl));
      t.equal(file.status, 200, link);
      t.notMatch(file.headers.get('content-type'), 'application/json', link);
      t.equal(file.headers.get('x-content-type-options'), 'nosniff');
      t.ok((await file.arrayBuffer()).byteLength > 100, link);
    }
    const start = await (await fetch(`${pageUrl}/start.js`)).text();
    const [, address = ''] = /fetch\('([^']+)'\)/.exec(start) ?? [];
    const document = await fetch(new URL(address, pageUrl));
    t.match(await document.json(), { openapi: '3.1.0' }, 'and shows the document');
  }
});

t.test('the headers forbid loading anything from other servers', async (t) => {
  for (const path of ['/docs', '/docs/start.js']) {
    const { headers } = await fetch(running.url + path);
    const policy = headers.get('content-security-policy') ?? '';
    t.match(policy, /^default-src 'none'; script-src 'self';/, path);
    t.notMatch(policy, /https?:|\*|unsafe-eval/);
    t.notMatch(policy, /script-src[^;]*unsafe-inline/);
    t.equal(headers.get('cache-control'), 'no-cache');
  }
  const html = await (await fetch(`${running.url}/docs`)).text();
  const start = await (await fetch(`${running.url}/docs/start.js`)).text();
  for (const text of [html, start]) t.notMatch(text, /https?:|\/\//, 'no foreign address');
  t.match(start, 'validatorUrl: null', 'nor is the document sent to a validator');
  t.notMatch(html, /<script>|<style|\son\w+=/, 'nothing that the policy would refuse');
});

t.test('the page of the streams and its scripts come from the exchange', async (t) => {
  const pageUrl = `${running.url}/docs/streams.html`;
  const page = await fetch(pageUrl);
  t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  const html = await page.text();
  const script = await (await fetch(new URL('streams.js', pageUrl))).text();
  const links = [
    ...[...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link),
    ...[...script.matchAll(/(?:from |fetch\()'([^']+)'/g)].map(([, link = '']) => link),
  ];
  t.strictSame(
    links.toSorted(),
    [
      ...['../asyncapi.json', '../asyncapi.json', '../docs', '../ui/', './signing.js'],
      ...['favicon-32x32.png', 'page.css', 'streams.js'],
    ].toSorted(),
  );
  for (const link of links) t.equal((await fetch(new URL(link, pageUrl))).status, 200, link);
});

// It once named 127.0.0.1:8080 and version 1.0.0 on every exchange.
t.test('asyncapi.json says the address at which it was asked, and the version', async (t) => {
  const { host } = new URL(running.url);
  const client = new KeepAliveClient(running.url);
  t.teardown(() => client.close());
  const read = async (headers: Record<string, string>): Promise<unknown> =>
    JSON.parse((await client.send({ method: 'GET', path: '/asyncapi.json', headers })).text);
  const plain = { host, protocol: 'ws' };
  t.match(await read({}), { info: { version: packageJson.version }, servers: { plain } });
  const proxied = { host: 'exchange.example:8443' };
  t.match(await read(proxied), { servers: { secure: { ...proxied, protocol: 'wss' } } });
  const hostile = await read({ host: 'a"b<script>' });
  t.match(hostile, { servers: { plain: { host: /^127\.0\.0\.1:/ } } });
});

t.test('only the files of one list are served', async (t) => {
  const client = new KeepAliveClient(running.url);
  t.teardown(() => client.close());
  const rows = [
    ['/docs/', 400],
    ['/docs/index.html', 400],
    ['/docs/package.json', 400],
    ['/docs/..%2fpackage.json', 400],
    ['/docs/%2e%2e%2f%2e%2e%2fpackage.json', 400],
    ['/docs/../package.json', 404],
    ['/docs/swagger-ui.css/x', 404],
    ['/docs/swagger-ui.css', 200],
  ] as const;
  for (const [path, status] of rows) {
    const answer = await client.send({ method: 'GET', path });
    t.equal(answer.status, status, path);
    if (status !== 200) t.equal(answer.contentType, 'application/json', path);
  }
});

t.test("only the operator can read the operator's document", async (t) => {
  const { operator, send } = exchange;
  const { status } = await fetch(`http://127.0.0.1:${running.adminPort}/openapi.json`);
  t.equal(status, 401);
  t.match((await operator('GET', '/openapi.json')).body, { paths: { '/audit': {} } });
  const { text } = await send('GET', '/openapi.json');
  t.notMatch(text, '/audit', 'the public document has no operator routes');
  t.match(JSON.parse(text), { paths: { '/book': { get: { security: [] } } } });
});
