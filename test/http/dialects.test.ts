// The differences between the two public venues (wire 0.14): one setting decides all of them, and
// the family of the auth headers decides for its request.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { type Dialect, HEADER_PREFIXES, type HeaderPrefix } from '../../http/codec/headers.ts';
import { KUEST } from '../default-settings.ts';
import { shareTestExchange, type TestExchange } from './exchange-fixture.ts';
import { StreamClient } from './streams/stream-client.ts';

/** A market with one trade of the asker and a bid and an ask, on an exchange. */
interface Scene {
  readonly exchange: TestExchange;
  readonly conditionId: string;
  readonly tokens: readonly [string, string];
  readonly taker: string;
  readonly builder: string;
  /** The payload that /ws/live sent for the trade. */
  readonly live: unknown;
}

/** Asks in a dialect: by signed headers, by an address alone, or without any header. */
interface Asker {
  /** undefined: without headers. */
  readonly prefix: HeaderPrefix | undefined;
  readonly isSigned: boolean;
}

type Get = (path: string) => Promise<unknown>;

interface Difference {
  /** As in the first column of the table. */
  readonly name: string;
  /** What the answer shows of it; undefined where this asker can't ask. */
  readonly ask: (scene: Scene, get: Get, asker: Asker) => unknown;
  readonly expected: (scene: Scene) => Readonly<Record<Dialect, unknown>>;
}

/** Reads a path such as `0.holders.0.asset`. */
function at(value: unknown, path: string): unknown {
  // Safe: an object of the server's JSON; a missing member is undefined and fails the comparison.
  return path
    .split('.')
    .reduce((found, name) => (found as Record<string, unknown> | undefined)?.[name], value);
}

const STEP_S = { kuest: 60, polymarket: 180 * 60 };

const DIFFERENCES: readonly Difference[] = [
  {
    name: '`asset`, `oppositeAsset` and `token` of the analytics',
    ask: async ({ conditionId, taker }, get) => [
      at(await get(`/trades?market=${conditionId}`), '0.asset'),
      at(await get(`/activity?user=${taker}&market=${conditionId}`), '0.asset'),
      at(await get(`/positions?user=${taker}&market=${conditionId}`), '0.asset'),
      at(await get(`/positions?user=${taker}&market=${conditionId}`), '0.oppositeAsset'),
      at(await get(`/holders?market=${conditionId}`), '0.token'),
      at(await get(`/holders?market=${conditionId}`), '1.token'),
      at(await get(`/holders?market=${conditionId}`), '0.holders.0.asset'),
    ],
    expected: ({ conditionId, tokens: [yes, no] }) => {
      const names = (first: string, second: string) => {
        return [first, first, first, second, first, second, first];
      };
      return {
        kuest: names(`${conditionId}:0`, `${conditionId}:1`),
        polymarket: names(yes, no),
      };
    },
  },
  {
    name: '`match_time` and `last_update` of `GET /data/trades` and `GET /builder/trades`',
    ask: async ({ builder, conditionId }, get, { isSigned }) => {
      const path = isSigned
        ? `/clob/data/trades?market=${conditionId}`
        : `/builder/trades?market=${conditionId}&builder_code=${builder}`;
      const page = await get(path);
      return [at(page, 'data.0.match_time'), at(page, 'data.0.last_update')];
    },
    expected: ({ exchange: { clock } }) => {
      const iso = new Date(clock.ms).toISOString();
      const seconds = `${Math.floor(clock.ms / 1_000)}`;
      return { kuest: [iso, iso], polymarket: [seconds, seconds] };
    },
  },
  {
    name: 'the last `next_cursor` of `GET /data/orders`',
    ask: async (_, get, { isSigned }) =>
      isSigned ? at(await get('/data/orders'), 'next_cursor') : undefined,
    expected: () => ({ kuest: '', polymarket: 'LTE=' }),
  },
  {
    name: '`BUY` in `GET /price` and `POST /prices`',
    ask: async ({ tokens: [yes] }, get) =>
      at(await get(`/price?token_id=${yes}&side=BUY`), 'price'),
    expected: () => ({ kuest: '0.6', polymarket: '0.3' }),
  },
  {
    name: 'a `limit` above 100 of a catalog list',
    ask: async (_, get) => [
      at(await get('/events?limit=500'), 'code'),
      at(await get('/markets?limit=500'), 'code'),
      at(await get('/gamma/markets/keyset?limit=500'), 'code'),
    ],
    expected: () => ({
      kuest: ['invalid_parameter', 'invalid_parameter', 'invalid_parameter'],
      polymarket: [undefined, undefined, undefined],
    }),
  },
  {
    name: '`interval=1m` of a price history',
    ask: async ({ tokens: [yes] }, get) => {
      const { history } = (await get(`/prices-history?market=${yes}&interval=1m`)) as {
        history: readonly { readonly t: number }[];
      };
      return history.at(-1)?.t;
    },
    expected: ({ exchange: { clock } }) => {
      const last = (dialect: Dialect) =>
        Math.floor(clock.ms / 1_000 / STEP_S[dialect]) * STEP_S[dialect];
      return { kuest: last('kuest'), polymarket: last('polymarket') };
    },
  },
  {
    name: 'the sentence in `error`',
    ask: async (_, get, { isSigned }) =>
      isSigned ? undefined : at(await get('/data/orders'), 'error'),
    expected: () => ({ kuest: 'invalid_l2', polymarket: 'Unauthorized/Invalid api key' }),
  },
];

const LIVE = '`asset` of trades on `/ws/live`';

/** YES bought at 0.4 with a builder's code, and a bid at 0.3 and an ask at 0.6. */
async function sceneOf(exchange: TestExchange): Promise<Scene> {
  const { conditionId, tokenIds } = exchange.plain;
  const [yes, no] = tokenIds;
  const client = await StreamClient.open(exchange.running.url, '/ws/live');
  client.send({ action: 'subscribe', subscriptions: [{ topic: 'activity', type: 'trades' }] });
  await client.settled();
  const [taker, maker] = [await exchange.trader(1), await exchange.trader(2)];
  const builder = `0x${'0'.repeat(24)}${'b1'.repeat(20)}`;
  await maker.place({ tokenId: no, priceTicks: 6_000, lots: 1_000 });
  await taker.place({ tokenId: yes, priceTicks: 4_000, lots: 1_000, changes: { builder } });
  await maker.place({ tokenId: yes, priceTicks: 3_000, lots: 1_000 });
  await maker.place({ tokenId: no, priceTicks: 4_000, lots: 1_000 });
  await client.until(() => client.messages.length > 0);
  const live = client.messages[0]?.payload;
  return { exchange, conditionId, tokens: tokenIds, taker: taker.address, builder, live };
}

function getterFor({ exchange }: Scene, { prefix, isSigned }: Asker): Get {
  return async (path) => {
    if (prefix === undefined) return (await exchange.send('GET', path)).body;
    const trader = await exchange.trader(1, prefix);
    const signed = isSigned ? trader.keyHeaders('GET', path) : {};
    const headers = { [`${prefix}_ADDRESS`]: trader.address, ...signed };
    return (await exchange.send('GET', path, { headers })).body;
  };
}

const OF_PREFIX: Readonly<Record<HeaderPrefix, Dialect>> = {
  SERVICE: 'kuest',
  KUEST: 'kuest',
  POLY: 'polymarket',
};

const ASKERS: readonly Asker[] = [
  { prefix: undefined, isSigned: false },
  ...HEADER_PREFIXES.flatMap((prefix) => [
    { prefix, isSigned: false },
    { prefix, isSigned: true },
  ]),
];

const SETTINGS: readonly Dialect[] = ['kuest', 'polymarket'];
const shared = {
  kuest: await shareTestExchange(t, { profile: KUEST }),
  polymarket: await shareTestExchange(t),
};

t.test(
  'the setting decides every difference, and auth headers decide for their request',
  async (t) => {
    for (const setting of SETTINGS) {
      const scene = await sceneOf(shared[setting]());
      for (const asker of ASKERS) {
        const get = getterFor(scene, asker);
        const dialect = asker.prefix === undefined ? setting : OF_PREFIX[asker.prefix];
        for (const { name, ask, expected } of DIFFERENCES) {
          const found = await ask(scene, get, asker);
          const who = `${asker.prefix ?? 'no headers'}${asker.isSigned ? ', signed' : ''}`;
          if (found !== undefined) {
            t.same(found, expected(scene)[dialect], `--dialect ${setting}, ${who}: ${name}`);
          }
        }
      }
    }
  },
);

t.test('trades on /ws/live name tokens as the setting says', async (t) => {
  for (const setting of SETTINGS) {
    const { live, conditionId, tokens } = await sceneOf(shared[setting]());
    t.equal(at(live, 'asset'), setting === 'kuest' ? `${conditionId}:0` : tokens[0], setting);
  }
});

t.test('the table of the wire contract has these differences and no others', async (t) => {
  const page = readFileSync(new URL('../../http/wire/0-ground-rules.md', import.meta.url), 'utf8');
  const section = page.split('## 0.14 ')[1]?.split('\n## ')[0] ?? '';
  const table = section.split('| --- | --- | --- |\n')[1]?.split('\n\n')[0] ?? '';
  const names = table.split('\n').map((row) => row.split(' | ')[0]?.slice(2));
  t.strictSame(names.toSorted(), [...DIFFERENCES.map(({ name }) => name), LIVE].toSorted());
});

t.test('GET /data/trades without auth headers is the list of the analytics', async (t) => {
  const scene = await sceneOf(shared.polymarket());
  const { exchange, conditionId } = scene;
  const query = `?market=${conditionId}&takerOnly=false&limit=2`;
  const list = (await exchange.send('GET', `/trades${query}`)).body;
  t.equal(list.length, 2);
  for (const path of ['/data/trades', '/data-api/trades']) {
    const { status, body } = await exchange.send('GET', path + query);
    t.equal(status, 200, path);
    t.same(body, list, path);
  }
  for (const path of ['positions', 'activity', 'value']) {
    const asked = `${path}?user=${scene.taker}`;
    const plain = await exchange.send('GET', `/${asked}`);
    t.equal(plain.status, 200, path);
    t.same((await exchange.send('GET', `/data-api/${asked}`)).body, plain.body, path);
  }
  t.same((await exchange.send('GET', '/data-api/')).body, { data: 'OK' });
  const trader = await exchange.trader(1, 'POLY');
  const { body } = await trader.signed('GET', '/data/trades');
  t.equal(body.data.length, 1, "with an API key it is the caller's own trades");
  t.match(await exchange.send('GET', '/clob/data/trades'), { status: 401 });
  const wrong = { POLY_ADDRESS: trader.address };
  t.match(await exchange.send('GET', '/data/trades', { headers: wrong }), { status: 401 });
  const { headers } = await exchange.send('GET', `/data/trades${query}`);
  t.match(headers.get('x-seq'), /^\d+$/);
});
