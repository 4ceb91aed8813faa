/** One request to a source: whatever the other side does, it ends with a list or with a reason. */
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { SYNC_BOUNDS } from '../../../catalog/sync/bounds.ts';
import { retryAfterOf } from '../../../catalog/sync/source.ts';
import { SourceError } from '../../../catalog/sync/source-error.ts';
import { isPrivateAddress, TargetRule } from '../../../catalog/sync/source-target.ts';
import { parseBaseUrl } from '../../../http/codec/index.ts';
import {
  answer,
  type Behaviour,
  QUICK_PACE,
  sourceOf,
  startHostileServer,
} from './hostile-server.ts';

async function failureOf(t: Test, behave: Behaviour, options = {}) {
  const server = await startHostileServer(t, behave);
  const error = await sourceOf(t, server, options)
    .list('/events')
    .catch((thrown: unknown) => thrown);
  if (!(error instanceof SourceError)) throw new Error(`not refused: ${JSON.stringify(error)}`);
  const { code, status, message } = error;
  const words = message.replaceAll(server.url.href, '/').replace(/127\.0\.0\.1:\d+/, 'HOST');
  return { code, status, words, tries: server.asked.length };
}

t.test('a list is read compressed or not, and the request has its User-Agent', async (t) => {
  for (const isPacked of [false, true]) {
    const server = await startHostileServer(t, (request, response) => {
      const { accept, 'user-agent': agent } = request.headers;
      const text = Buffer.from(JSON.stringify([{ accept, agent, word: 'é' }]));
      response.setHeader('content-type', 'application/json; charset=utf-8');
      if (isPacked) response.setHeader('content-encoding', 'gzip');
      response.end(isPacked ? gzipSync(text) : text);
    });
    const list = await sourceOf(t, server).list('/events?limit=1');
    t.strictSame(list.records, [{ accept: 'application/json', agent: 'test', word: 'é' }]);
    t.strictSame(JSON.parse(list.text.toString()), list.records);
    t.strictSame(server.asked, ['/events?limit=1']);
  }
});

const json = { 'content-type': 'application/json' };

/** What the source does, the code and status of the error, and the number of requests. */
const FAULTS: readonly (readonly [string, Behaviour, string, number, number])[] = [
  ['cuts the connection', (request) => request.socket.destroy(), 'unreachable', 0, 6],
  [
    'cuts the body',
    (_request, response) => {
      response.writeHead(200, { ...json, 'content-length': '100' });
      response.write('[');
      setTimeout(() => response.destroy(), 5);
    },
    'unreachable',
    0,
    6,
  ],
  ['is busy', (_request, response) => response.writeHead(503).end(), 'busy', 503, 6],
  ['limits', (_request, response) => response.writeHead(429).end(), 'busy', 429, 6],
  ['breaks', (_request, response) => response.writeHead(500).end(), 'busy', 500, 6],
  ['is behind a proxy', (_request, response) => response.writeHead(520).end(), 'busy', 520, 6],
  ['lacks GET', (_request, response) => response.writeHead(501).end(), 'refused', 501, 1],
  ['refuses', (_request, response) => response.writeHead(403).end(), 'refused', 403, 1],
  ['knows no such list', (_request, response) => response.writeHead(404).end(), 'refused', 404, 1],
  ['sends no content', (_request, response) => response.writeHead(204).end(), 'refused', 204, 1],
  [
    'sends HTML',
    (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('[]'),
    'refused',
    200,
    1,
  ],
  [
    'sends no content type',
    (_request, response) => response.writeHead(200).end('[]'),
    'refused',
    200,
    1,
  ],
  [
    'writes broken JSON',
    (_request, response) => response.writeHead(200, json).end('[{"id":"1"},'),
    'not_json',
    0,
    6,
  ],
  [
    'sends invalid UTF-8',
    (_request, response) => response.writeHead(200, json).end(Buffer.from([0x5b, 0xff, 0x5d])),
    'not_json',
    0,
    6,
  ],
  [
    'writes an object',
    (_request, response) => answer(response, { events: [] }),
    'not_a_list',
    0,
    1,
  ],
  ['writes null', (_request, response) => answer(response, null), 'not_a_list', 0, 1],
  [
    'sends an encoding that was not requested',
    (_request, response) => response.writeHead(200, { ...json, 'content-encoding': 'br' }).end('x'),
    'unreachable',
    0,
    6,
  ],
  [
    'sends invalid gzip',
    (_request, response) =>
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('no gzip at all'),
    'unreachable',
    0,
    6,
  ],
  [
    'redirects in circles',
    (_request, response) => response.writeHead(302, { location: '/events' }).end(),
    'redirected',
    0,
    1 + SYNC_BOUNDS.redirects,
  ],
  [
    'redirects to a file',
    (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    'redirected',
    0,
    1,
  ],
  ['redirects nowhere', (_request, response) => response.writeHead(301).end(), 'redirected', 0, 1],
];

t.test('each fault of a source has a code, and only passing faults are retried', async (t) => {
  for (const [what, behave, code, status, tries] of FAULTS) {
    const failure = await failureOf(t, behave);
    t.strictSame([failure.code, failure.status, failure.tries], [code, status, tries], what);
    t.match(failure.words, /events/, `${what}: ${failure.words}`);
  }
});

t.test('slow heads, slow bodies and bodies without end are cut in time', async (t) => {
  const pace = { ...QUICK_PACE, headMs: 60, bodyMs: 120 };
  const silent = await failureOf(t, () => undefined, { pace });
  t.strictSame([silent.code, silent.tries], ['slow', 6]);
  t.match(silent.words, /no answer within 60 ms/);
  const dripping = await failureOf(
    t,
    (_request, response) => {
      response.writeHead(200, json);
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip));
    },
    { pace },
  );
  t.strictSame([dripping.code, dripping.tries], ['slow', 6]);
  t.match(dripping.words, /did not end within 120 ms/);
});

t.test('a body is cut at its bound, also after decompression', async (t) => {
  const bodyBytes = 10_000;
  const flood = await failureOf(
    t,
    (_request, response) => {
      response.writeHead(200, json);
      const pour = (): void => {
        while (!response.destroyed && response.write(' '.repeat(4_096)));
      };
      response.on('drain', pour);
      pour();
    },
    { bodyBytes },
  );
  t.strictSame([flood.code, flood.tries], ['too_large', 1]);
  const bomb = await failureOf(
    t,
    (_request, response) => {
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(1_000_000, ' ')));
    },
    { bodyBytes },
  );
  t.strictSame([bomb.code, bomb.tries], ['too_large', 1]);
});

t.test('a passing fault is retried until the source answers', async (t) => {
  const waits: number[] = [];
  let left = 3;
  const server = await startHostileServer(t, (_request, response) => {
    left -= 1;
    if (left >= 0) response.writeHead(503, left === 1 ? { 'retry-after': '1' } : {}).end();
    else answer(response, [1]);
  });
  const list = await sourceOf(t, server, {
    random: () => 1,
    onRetry: (_error, waitMs) => waits.push(waitMs),
  }).list('/events');
  t.strictSame(list.records, [1]);
  t.strictSame(waits, [1, 1_000, 4], 'doubled, but as long as the source asked for');
});

t.test('a source that asks for a longer wait than a run has ends it at once', async (t) => {
  const failure = await failureOf(t, (_request, response) =>
    response.writeHead(429, { 'retry-after': '3600' }).end(),
  );
  t.strictSame([failure.code, failure.tries], ['busy', 1]);
  t.match(failure.words, /429, and asks to wait 3600 s/);
});

t.test('requests are made one after the other, with a pause between', async (t) => {
  const times: number[] = [];
  const server = await startHostileServer(t, (_request, response) => {
    times.push(performance.now());
    answer(response, []);
  });
  const source = sourceOf(t, server, { pace: { ...QUICK_PACE, pauseMs: 50 } });
  for (let index = 0; index < 3; index += 1) await source.list('/tags');
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  t.ok(
    pauses.every((pause) => pause >= 49),
    `${pauses}`,
  );
  t.equal(source.requests, 3);
});

t.test('a redirect within HTTP is followed', async (t) => {
  const server = await startHostileServer(t, ({ url }, response) => {
    if (url?.startsWith('/v2') === true) answer(response, [url]);
    else response.writeHead(307, { location: `/v2${url}` }).end();
  });
  t.strictSame((await sourceOf(t, server).list('/events')).records, ['/v2/events']);
});

t.test('a stop ends a request, a pause and a wait', async (t) => {
  for (const behave of [() => undefined, busyFor('30')] as const) {
    const server = await startHostileServer(t, behave);
    const ending = new AbortController();
    const pace = { ...QUICK_PACE, retryAfterMostMs: 60_000 };
    const source = sourceOf(t, server, { pace, signal: ending.signal });
    const reading = source.list('/events');
    setTimeout(() => ending.abort(), 50);
    await t.rejects(reading, { code: 'stopped' });
    await t.rejects(source.list('/events'), { code: 'stopped' });
  }
});

function busyFor(seconds: string): Behaviour {
  return (_request, response) => {
    response.writeHead(503, { 'retry-after': seconds }).end();
  };
}

t.test('a source must be HTTP without a name, a password, a query or a fragment', async (t) => {
  for (const good of ['http://host', 'https://host:8443/catalog/', 'http://[::1]:80']) {
    t.ok(parseBaseUrl(good), good);
  }
  const bad = [
    'host',
    'file:///etc',
    'ftp://host',
    'http://a:b@host',
    'http://h?a=1',
    'http://h#a',
  ];
  for (const text of bad) t.equal(parseBaseUrl(text), undefined, text);
});

t.test("a public source can't redirect to this machine or its network", async (t) => {
  const rule = new TargetRule(new URL('https://catalog.example'));
  const from = new URL('https://catalog.example/events');
  const refused: readonly (readonly [string, RegExp])[] = [
    ['http://catalog.example/events', /without TLS/],
    ['file:///etc/passwd', /not HTTP/],
    ['data:application/json,[]', /not HTTP/],
    ['https://user:pw@other.example/', /name or password/],
    ['https://localhost/', /on this machine/],
    ['https://127.0.0.1:8081/', /on this machine/],
    ['https://2130706433/', /on this machine/],
    ['https://[::1]/', /on this machine/],
    ['https://[::ffff:10.0.0.1]/', /on this machine/],
    ['https://169.254.169.254/latest', /on this machine/],
    ['https://[', /no URL/],
  ];
  for (const [location, reason] of refused) {
    t.throws(
      () => rule.redirect(from, location),
      { code: 'redirected', message: reason },
      location,
    );
  }
  t.equal(rule.redirect(from, '//other.example/x').href, 'https://other.example/x');
  t.equal(rule.redirect(from, '/next').href, 'https://catalog.example/next');
  const local = new TargetRule(new URL('http://127.0.0.1:8080'));
  const next = local.redirect(new URL('http://127.0.0.1:8080/a'), 'http://127.0.0.1:9090/');
  t.equal(next.port, '9090', 'the operator named this machine');
});

t.test('a name that resolves to this machine is refused where an address would be', async (t) => {
  const rule = new TargetRule(new URL('https://catalog.example'));
  const look = (url: string) =>
    new Promise((done) => {
      rule.lookupFor(new URL(url))('localhost', {}, (error, address) => done(error ?? address));
    });
  t.match(await look('https://other.example'), { message: /in this machine's network/ });
  t.match(await look('https://catalog.example'), /^(127\.|::1)/, 'but the source itself may be');
});

t.test('private addresses are recognized', async (t) => {
  const yes = ['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '0.0.0.0', '::1', 'fd00::1'];
  const no = ['8.8.8.8', '172.32.0.1', '2606:4700::1111', 'host', ''];
  for (const address of [...yes, '::ffff:127.0.0.1', 'fe80::1']) t.ok(isPrivateAddress(address));
  for (const address of no) t.notOk(isPrivateAddress(address), address);
  // A gateway to IPv4 leads to the address in its last 32 bits.
  t.ok(isPrivateAddress('64:ff9b::127.0.0.1') && isPrivateAddress('64:ff9b::a01:203'));
  t.notOk(isPrivateAddress('64:ff9b::8.8.8.8'));
  for (const address of ['192.0.0.8', '198.19.1.1', '64:ff9b:1::1', 'fec0::1']) {
    t.ok(isPrivateAddress(address), address);
  }
});

t.test('a Retry-After is seconds or a date, and anything else is ignored', async (t) => {
  const nowMs = Date.parse('2027-01-01T00:00:00Z');
  t.strictSame(
    ['7', 'Fri, 01 Jan 2027 00:00:05 GMT', 'Thu, 31 Dec 2026 23:00:00 GMT', 'soon', undefined].map(
      (text) => retryAfterOf(text, nowMs),
    ),
    [7_000, 5_000, 0, 0, 0],
  );
});
