import { globSync, readFileSync } from 'node:fs';
import t from 'tap';
import packageJson from '../../../package.json' with { type: 'json' };
import { shareTestExchange } from '../exchange-fixture.ts';
import { KeepAliveClient } from '../keep-alive-client.ts';

const exchange = (await shareTestExchange(t))();
const { running } = exchange;

function linksIn(html: string): readonly string[] {
  return [...html.matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, link = '']) => link);
}

t.test('the page of the routes and everything that it loads come from the exchange', async (t) => {
  for (const prefix of ['', '/clob', '/gamma', '/data']) {
    const home = await fetch(`${running.url}${prefix}/docs`);
    t.equal(home.url, `${running.url}${prefix}/docs/README.html`);
    const pageUrl = `${running.url}${prefix}/docs/routes.html`;
    const page = await fetch(pageUrl);
    t.equal(page.status, 200);
    t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    const links = linksIn(await page.text());
    t.equal(links.length, 8);
    for (const link of links) {
      t.notMatch(link, /^(\w+:|\/)/, 'relative to the page');
      const file = await fetch(new URL(link, pageUrl));
      t.equal(file.status, 200, link);
      t.notMatch(file.headers.get('content-type'), 'application/json', link);
      t.equal(file.headers.get('x-content-type-options'), 'nosniff');
      t.ok((await file.arrayBuffer()).byteLength > 100, link);
    }
    const start = await (await fetch(new URL('start.js', pageUrl))).text();
    const [, address = ''] = /fetch\('([^']+)'\)/.exec(start) ?? [];
    const document = await fetch(new URL(address, pageUrl));
    t.match(await document.json(), { openapi: '3.1.0' }, 'and shows the document');
  }
});

t.test('the headers forbid loading anything from other servers', async (t) => {
  for (const file of ['README.html', 'routes.html', 'start.js', 'search.json']) {
    const { headers } = await fetch(`${running.url}/docs/${file}`);
    const policy = headers.get('content-security-policy') ?? '';
    t.match(policy, /^default-src 'none'; script-src 'self';/, file);
    t.notMatch(policy, /https?:|\*|unsafe-eval/);
    t.notMatch(policy, /script-src[^;]*unsafe-inline/);
    t.equal(headers.get('cache-control'), 'no-cache');
  }
  const [html = '', start = ''] = await Promise.all(
    ['routes.html', 'start.js'].map(async (file) =>
      (await fetch(`${running.url}/docs/${file}`)).text(),
    ),
  );
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
    ...linksIn(html),
    ...[...script.matchAll(/(?:from |fetch\()'([^']+)'/g)].map(([, link = '']) => link),
  ];
  t.strictSame(
    links.toSorted(),
    [
      ...['../asyncapi.json', '../asyncapi.json', '../ui/', './signing.js', 'README.html'],
      ...['favicon-32x32.png', 'page.css', 'routes.html', 'streams.js'],
    ].toSorted(),
  );
  for (const link of links) t.equal((await fetch(new URL(link, pageUrl))).status, 200, link);
});

/** The documents of the product, and those that say how it is tried. */
const DOCUMENTS = globSync(['*.md', '{cli,deploy,docs,http,persistence,bench,test}/**/*.md']);

t.test('every document is a page, and every link leads to a page and a place there', async (t) => {
  const home = new URL('docs/README.html', `${running.url}/`);
  const places = new Map<string, ReadonlySet<string>>();
  const wanted = new Set<string>();
  const waiting = [home];
  for (const url of waiting) {
    if (places.has(url.pathname)) continue;
    const answer = await fetch(url);
    t.equal(answer.status, 200, `${url.pathname}`);
    const isPage = url.pathname.startsWith('/docs/') && url.pathname.endsWith('.html');
    const html = isPage ? await answer.text() : '';
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);
    places.set(url.pathname, new Set(ids));
    t.equal(new Set(ids).size, ids.length, `${url.pathname}: each place has its own name`);
    for (const link of linksIn(html)) {
      const { origin, pathname, hash } = new URL(link.replaceAll('&amp;', '&'), url);
      if (origin !== home.origin) continue;
      wanted.add(`${pathname}${hash}`);
      waiting.push(new URL(pathname, home));
    }
  }
  for (const link of wanted) {
    const [path = '', place = ''] = link.split('#');
    if (place !== '') t.ok(places.get(path)?.has(decodeURIComponent(place)), link);
  }
  for (const path of DOCUMENTS) {
    const name = path.replace(/^docs\//, '').replaceAll('/', '-');
    t.ok(places.has(`/docs/${name.replace(/\.md$/, '.html')}`), `${path} has a page`);
    const raw = await fetch(new URL(name, home));
    t.match(raw.headers.get('content-type'), 'text/markdown');
    t.equal((await raw.text()).split('\n')[0], readFileSync(path, 'utf8').split('\n')[0]);
  }
});

t.test('llms.txt lists documents that are there, each with what it says', async (t) => {
  const answer = await fetch(`${running.url}/llms.txt`);
  t.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
  const text = await answer.text();
  t.match(text, /^# outcome-exchange\n\n> A prediction-market exchange in one process/);
  const rows = [...text.matchAll(/^- \[(.+)\]\((.+)\): (.*)$/gm)];
  t.ok(rows.length > 20);
  for (const [, , link = '', summary] of rows) {
    t.equal((await fetch(`${running.url}/${link}`)).status, 200, link);
    t.match(summary, /\w{3}.*\S$/, link);
  }
  t.match(text, '[For agents](docs/agents.md)');
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
    ['/docs/', 404],
    ['/docs/index.html', 404],
    ['/docs/package.json', 404],
    ['/docs/main.ts', 404],
    ['/docs/..%2fpackage.json', 404],
    ['/docs/%2e%2e%2f%2e%2e%2fpackage.json', 404],
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
