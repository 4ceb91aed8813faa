/** An exchange copies the catalog of another while both run, and serves the same. */
import t, { type Test } from 'tap';
import { builtinEvents } from '../../../catalog/builtin/index.ts';
import type { Settings } from '../../../http/settings/settings.ts';
import { type Running, runExchange } from '../../../venue/program.ts';
import { TEST_SETTINGS } from '../../default-settings.ts';
import { sendTo } from '../../http/exchange-fixture.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

async function start(
  t: Test,
  settings: Partial<Settings>,
  catalog: unknown = [],
): Promise<Running> {
  const running = await runExchange(
    {
      ...TEST_SETTINGS,
      port: 0,
      adminPort: 0,
      temporary: true,
      logLevel: 'silent',
      snapshotMs: Number.POSITIVE_INFINITY,
      ...settings,
    },
    {
      catalog,
      onFatal: (error) => {
        throw error;
      },
    },
  );
  t.teardown(() => running.close());
  return running;
}

async function get({ url }: Running, path: string): Promise<unknown> {
  return JSON.parse((await sendTo(url, 'GET', path)).text);
}

function operator({ adminPort, adminToken }: Running, path: string, body: object) {
  return sendTo(`http://127.0.0.1:${adminPort}`, 'POST', path, {
    headers: { authorization: `Bearer ${adminToken}` },
    body: JSON.stringify({ by: 'test', reason: 'to see what a copy makes of it', ...body }),
  });
}

/** Waits until a condition holds. The test runner ends a test that waits too long. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((done) => setTimeout(done, 10));
}

async function isCopied({ services }: Running, source: string): Promise<boolean> {
  return (await services.exchange.catalog.write.syncMark({ source, kind: 'sports' })) !== undefined;
}

const tagged = builtinEvents().map((event, index) =>
  index > 0
    ? event
    : {
        ...event,
        furtherField: { kept: ['as', 'it', 'is'] },
        markets: event.markets.map((market) => ({
          ...market,
          umaBond: '500',
        })),
      },
);

/** The exchange that is copied; the last test adds an event to it. */
const source = await start(t, {}, tagged);

t.test('the copy serves what its source serves, route by route', async (t) => {
  // Without `tradesImported` the copy would show that its markets accept no orders.
  const copy = await start(t, { syncFrom: source.url, syncMs: 0, tradesImported: true });
  await until(() => isCopied(copy, source.url));
  const marketCount = [...source.services.registry.markets()].length;
  await until(async () => [...copy.services.registry.markets()].length === marketCount);
  const lists = [
    '/events?limit=100',
    '/events?limit=100&order=endDate',
    '/markets?limit=100',
    '/markets?limit=100&closed=false&order=question&ascending=true',
    '/series?limit=100',
    '/tags?limit=100',
    '/events/creators',
    '/teams',
    '/public-search?q=will',
  ];
  // Safe: the first list is of events.
  const events = (await get(source, '/events?limit=100')) as { id: string; slug: string }[];
  t.ok(events.length > 20);
  const [{ id = '', slug = '' } = {}] = events;
  const paths = [...lists, `/events/${id}`, `/events/slug/${slug}`, `/events/${id}/tags`];
  for (const { markets } of tagged) {
    for (const market of markets.slice(0, 1)) paths.push(`/markets/${market.id}`);
  }
  for (const path of paths) t.same(await get(copy, path), await get(source, path), path);
  t.match(await get(copy, `/events/${id}`), { furtherField: { kept: ['as', 'it', 'is'] } });
});

t.test(
  'markets of a sync are opened by the operator, and a stopped copy reads changes alone',
  async (t) => {
    const dataDir = temporaryFolder(t);
    const settings = { dataDir, temporary: false, syncFrom: source.url, syncMs: 0 };
    const first = await start(t, settings);
    await until(() => isCopied(first, source.url));
    t.equal([...first.services.registry.markets()].length, 0, 'none by itself');
    const [opened] = builtinEvents().flatMap(({ markets }) => markets);
    const path = `/markets/${opened?.conditionId}/open`;
    t.match(await operator(first, path, {}), { status: 200, body: { duplicate: false } });
    t.match(await operator(first, path, {}), { status: 200, body: { duplicate: true } });
    t.equal([...first.services.registry.markets()].length, 1);
    t.match(await operator(first, `/markets/0x${'9'.repeat(64)}/open`, {}), { status: 404 });
    await first.close();
    const record = { title: 'A later one', slug: 'a-later-one' };
    const market = {
      question: 'Will it be copied?',
      slug: 'will-it-be-copied',
      clobTokenIds: undefined,
    };
    const made = await operator(source, '/events', { ...record, markets: [market] });
    t.equal(made.status, 200, made.text);
    const second = await start(t, settings);
    await until(async () => {
      const { status } = await sendTo(second.url, 'GET', '/events/slug/a-later-one');
      return status === 200;
    });
    const { text } = await sendTo(source.url, 'GET', '/events/slug/a-later-one');
    // The market trades at the source, but not here.
    const expected = JSON.parse(text.replace('"acceptingOrders":true', '"acceptingOrders":false'));
    t.same(await get(second, '/events/slug/a-later-one'), expected);
  },
);
