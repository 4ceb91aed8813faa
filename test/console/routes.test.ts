// The files of the console on both listeners: what their headers forbid, and what is not served.
import t from 'tap';
import { CONSOLE_FILES } from '../../console/files.ts';
import { shareTestExchange } from '../http/exchange-fixture.ts';
import { KeepAliveClient } from '../http/keep-alive-client.ts';

const { running } = (await shareTestExchange(t))();
const LISTENERS = [
  ['public', running.url],
  ['operator', `http://127.0.0.1:${running.adminPort}`],
] as const;
const PATHS = ['/ui/', ...CONSOLE_FILES.map((name) => `/ui/${name}`)];

t.test('no other site may show a page in a frame, run it or load its scripts', async (t) => {
  for (const [listener, url] of LISTENERS) {
    for (const path of PATHS) {
      const { status, headers } = await fetch(url + path);
      t.equal(status, 200, `${listener} ${path}`);
      const policy = headers.get('content-security-policy') ?? '';
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]) {
        t.ok(policy.split('; ').includes(rule), `${listener} ${path}: ${rule}`);
      }
      t.notMatch(policy, /unsafe|https?:|\*/, path);
      t.match(Object.fromEntries(headers), {
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      if (listener === 'operator') t.notOk(headers.has('access-control-allow-origin'), path);
    }
  }
});

t.test('each listener has its page, and /ui leads there', async (t) => {
  const pages = await Promise.all(
    LISTENERS.map(async ([, url]) => {
      const moved = await fetch(`${url}/ui`, { redirect: 'manual' });
      t.match([moved.status, moved.headers.get('location')], [308, 'ui/']);
      const page = await fetch(`${url}/ui`);
      t.equal(page.url, `${url}/ui/`);
      t.equal(page.headers.get('cache-control'), 'no-cache');
      return page.text();
    }),
  );
  const named = CONSOLE_FILES.filter((name) => name.endsWith('.html'));
  const files = await Promise.all(
    named.map(async (name) => (await fetch(`${running.url}/ui/${name}`)).text()),
  );
  t.strictSame(pages.toSorted(), files.toSorted());
  t.not(pages[0], pages[1]);
  for (const page of pages) t.notMatch(page, /<script>|<style|\sstyle=|\son\w+=|https?:/);
});

t.test(
  'files are compressed where the client accepts it, and scripts are kept for good',
  async (t) => {
    const [script = ''] = CONSOLE_FILES.filter((name) => name.endsWith('.js'));
    const read = (encoding: string) =>
      fetch(`${running.url}/ui/${script}`, { headers: { 'accept-encoding': encoding } });
    const plain = await read('identity');
    t.equal(plain.headers.get('content-encoding'), null);
    t.equal(plain.headers.get('content-type'), 'text/javascript; charset=utf-8');
    t.match(plain.headers.get('cache-control'), /immutable/);
    const text = await plain.text();
    const rows = [
      ['gzip', 'gzip'],
      ['br', 'br'],
      ['gzip, br', 'br'],
      ['br;q=0, gzip', 'gzip'],
      ['zstd', null],
    ] as const;
    for (const [accepted, encoding] of rows) {
      const answer = await read(accepted);
      t.equal(answer.headers.get('content-encoding'), encoding, accepted);
      // It is decoded by `fetch`.
      t.equal(await answer.text(), text, accepted);
    }
  },
);

t.test('only the files of the console are served', async (t) => {
  const client = new KeepAliveClient(running.url);
  t.teardown(() => client.close());
  const rows = [
    ['/ui/unknown.js', 404],
    ['/ui/..%2ffiles.ts', 404],
    ['/ui/%2e%2e%2f%2e%2e%2fpackage.json', 404],
    ['/ui/../package.json', 404],
    ['/ui/index.html/x', 404],
    ['/ui/__proto__', 404],
    [`/ui/${'x'.repeat(65)}`, 400],
  ] as const;
  for (const [path, status] of rows) {
    const answer = await client.send({ method: 'GET', path });
    t.strictSame([answer.status, answer.contentType], [status, 'application/json'], path);
  }
});

t.test(
  'a browser that opens / is sent to the console, and a program gets its answer',
  async (t) => {
    const rows: readonly (readonly [accept: string, status: number])[] = [
      ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 303],
      ['application/xhtml+xml, text/html', 303],
      ['*/*', 200],
      ['application/json, text/plain, */*', 200],
      ['text/htmlx', 200],
    ];
    for (const [accept, status] of rows) {
      const answer = await fetch(`${running.url}/`, { headers: { accept }, redirect: 'manual' });
      t.equal(answer.status, status, accept);
      t.equal(answer.headers.get('location'), status === 303 ? 'ui/' : null, accept);
      t.equal(await answer.text(), '"OK"', accept);
    }
  },
);

t.test(
  'a file comes in the shortest encoding that is allowed; only its page is asked for again',
  async (t) => {
    const rows: readonly (readonly [accepted: string, encoding: string | null])[] = [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['br; q=0.0, gzip;q=0', null],
      ['brotli', null],
      ['identity', null],
    ];
    const script = CONSOLE_FILES.find((name) => name.startsWith('main-')) ?? '';
    for (const [accepted, encoding] of rows) {
      for (const path of ['/ui/', `/ui/${script}`]) {
        const headers = { 'accept-encoding': accepted };
        const answer = await fetch(running.url + path, { headers });
        t.equal(answer.headers.get('content-encoding'), encoding, `${path} ${accepted}`);
        t.equal(answer.headers.get('vary'), 'accept-encoding');
        const caching = path === '/ui/' ? 'no-cache' : 'public, max-age=31536000, immutable';
        t.equal(answer.headers.get('cache-control'), caching, path);
        t.match(await answer.text(), path === '/ui/' ? /^<!DOCTYPE html>/ : /import/);
      }
    }
  },
);
