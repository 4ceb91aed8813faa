// The live-data socket, from a real server with real orders.
import t from 'tap';
import { toChecksumAddress } from '../../../../http/signing/address.ts';
import type { MarketEntry } from '../../../../http/views/registry.ts';
import { EARLIER } from '../../../default-settings.ts';
import {
  type Answer,
  NEG_RISK_DOMAIN,
  shareTestExchange,
  type TestExchange,
} from '../../exchange-fixture.ts';
import { StreamClient } from '../stream-client.ts';

async function connectLive(
  { running }: TestExchange,
  subscriptions: readonly unknown[],
): Promise<StreamClient> {
  const client = await StreamClient.open(running.url, '/ws/live');
  client.send({ action: 'subscribe', subscriptions });
  await client.settled();
  return client;
}

/** One trade in a market: YES is bought at 0.4 by the second trader. */
async function tradeIn(exchange: TestExchange, market: MarketEntry): Promise<Answer> {
  const [yes, no] = market.tokenIds;
  const domain = market.negRisk ? { domain: NEG_RISK_DOMAIN } : {};
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  await alice.place({ tokenId: no, priceTicks: 6000, lots: 700, ...domain });
  return bob.place({ tokenId: yes, priceTicks: 4000, lots: 700, ...domain });
}

function wordsOf({ running }: TestExchange, { conditionId }: MarketEntry) {
  const words = running.services.exchange.catalog.lookup.marketByCondition(conditionId);
  if (words === undefined) throw new Error('the catalog has its markets');
  return words;
}

/** Trades are published in a turn after the answer to their orders. */
async function settled(client: StreamClient): Promise<void> {
  await client.settled();
  await client.settled();
}

// Its answers have the hashes of trades.
const share = await shareTestExchange(t, { profile: EARLIER });

t.test('a trade has the texts of its market', async (t) => {
  const exchange = share();
  const { plain, running } = exchange;
  const client = await connectLive(exchange, [{ topic: 'activity', type: 'orders_matched' }]);
  const { body } = await tradeIn(exchange, plain);
  await client.until(() => client.messages.length > 0);
  await settled(client);
  const words = wordsOf(exchange, plain);
  t.ok(words.slug !== '' && words.eventSlug !== '' && words.tags.length > 0);
  const { address } = await exchange.trader(2);
  const { text } = await exchange.send('GET', `/trades?market=${plain.conditionId}`);
  const [row]: readonly { readonly pseudonym: string }[] = JSON.parse(text);
  t.match(row?.pseudonym, /^\w+-\w+$/, 'the same as in GET /trades');
  t.strictSame(client.messages, [
    {
      connection_id: running.services.exchange.streamId,
      topic: 'activity',
      type: 'orders_matched',
      timestamp: exchange.clock.ms,
      payload: {
        proxyWallet: toChecksumAddress(address),
        side: 'BUY',
        asset: plain.tokenIds[0],
        conditionId: plain.conditionId,
        size: 7,
        price: 0.4,
        timestamp: Math.floor(exchange.clock.ms / 1_000),
        usdcSize: 2.8,
        stablecoinSize: 2.8,
        title: words.question,
        slug: words.slug,
        icon: words.icon,
        eventSlug: words.eventSlug,
        outcome: words.outcomes[0],
        outcomeIndex: 0,
        name: '',
        pseudonym: row?.pseudonym,
        bio: '',
        profileImage: '',
        profileImageOptimized: '',
        transactionHash: body.transactionsHashes[0],
        type: 'TRADE',
        id: body.tradeIDs[0],
        tags: words.tags,
        creator: words.creator,
      },
    },
  ]);
});

type Wish = (words: ReturnType<typeof wordsOf>, other: ReturnType<typeof wordsOf>) => unknown;

/** Subscriptions, and how often a trade of the first market and one of another are sent. */
const FILTERS: readonly (readonly [
  name: string,
  wishes: readonly Wish[],
  told: number,
  other: number,
])[] = [
  ['every type', [() => ({ topic: 'activity', type: '*' })], 2, 2],
  ['no type', [() => ({ topic: 'activity' })], 2, 2],
  [
    'an event',
    [
      ({ eventSlug }) => ({
        topic: 'activity',
        type: 'trades',
        filters: { event_slug: eventSlug },
      }),
    ],
    1,
    0,
  ],
  [
    'an event as text, in capitals',
    [
      ({ eventSlug }) => ({
        topic: 'activity',
        type: 'trades',
        filters: JSON.stringify({ eventSlug: eventSlug.toUpperCase() }),
      }),
    ],
    1,
    0,
  ],
  [
    'a market',
    [({ slug }) => ({ topic: 'activity', type: 'trades', filters: { market_slug: slug } })],
    1,
    0,
  ],
  [
    'a market of another event',
    [
      ({ slug }, { eventSlug }) => ({
        topic: 'activity',
        filters: { market_slug: slug, event_slug: eventSlug },
      }),
    ],
    0,
    0,
  ],
  [
    'everything, and some of it again',
    [
      () => ({ topic: 'activity', type: 'trades', filters: '' }),
      ({ slug }) => ({ topic: 'activity', type: 'trades', filters: { market_slug: slug } }),
    ],
    1,
    1,
  ],
  [
    'an event, and its market again',
    [
      ({ eventSlug }) => ({ topic: 'activity', type: 'trades', filters: { eventSlug } }),
      ({ slug, eventSlug }) => ({
        topic: 'activity',
        type: 'trades',
        filters: { market_slug: slug, event_slug: eventSlug },
      }),
    ],
    1,
    0,
  ],
  ['other types', [() => ({ topic: 'activity', type: 'whispers' })], 0, 0],
  [
    'other topics',
    [
      () => ({ topic: 'comments', type: '*', filters: '{"parentEntityID":1}' }),
      () => ({ topic: 'crypto_prices', type: 'update', filters: 'btcusdt' }),
      () => ({ topic: 'clob_user', type: '*', clob_auth: {} }),
    ],
    0,
    0,
  ],
];

t.test('a socket gets each matching trade once for each type', async (t) => {
  const exchange = share();
  const { plain, negRisk } = exchange;
  const [words, other] = [wordsOf(exchange, plain), wordsOf(exchange, negRisk)];
  const witness = await connectLive(exchange, [{ topic: 'activity', type: 'trades' }]);
  const clients: StreamClient[] = [];
  for (const [, wishes] of FILTERS) {
    clients.push(
      await connectLive(
        exchange,
        wishes.map((wish) => wish(words, other)),
      ),
    );
  }
  await tradeIn(exchange, plain);
  await tradeIn(exchange, negRisk);
  await witness.until(() => witness.messages.length >= 2);
  for (const [index, [name, , told, others]] of FILTERS.entries()) {
    const client = clients[index];
    await client?.settled();
    const slugs = (client?.messages ?? []).map(({ payload }) => JSON.stringify(payload));
    const countOf = (conditionId: string): number =>
      slugs.filter((text) => text.includes(conditionId)).length;
    t.strictSame([countOf(plain.conditionId), countOf(negRisk.conditionId)], [told, others], name);
  }
});

t.test('an unsubscribed topic sends no more messages', async (t) => {
  const exchange = share();
  const all = { topic: 'activity', type: 'trades' };
  const client = await connectLive(exchange, [{ topic: 'activity', type: '*' }]);
  client.send({ action: 'unsubscribe', subscriptions: [all] });
  await client.settled();
  await tradeIn(exchange, exchange.plain);
  await client.until(() => client.messages.length > 0);
  await settled(client);
  t.strictSame(
    client.messages.map(({ type }) => type),
    ['orders_matched'],
  );
});

const WRONG: readonly (readonly [message: unknown, told: object])[] = [
  [{}, { code: 'operation_unknown', field: 'action' }],
  [
    { action: 'shout', subscriptions: [] },
    { code: 'operation_unknown', field: 'action' },
  ],
  [{ action: 'subscribe' }, { code: 'field_malformed', field: 'subscriptions' }],
  [
    { action: 'subscribe', subscriptions: [1] },
    { code: 'field_malformed', field: 'subscriptions' },
  ],
  [
    { action: 'subscribe', subscriptions: [{}] },
    { code: 'field_malformed', field: 'topic' },
  ],
  [
    { action: 'subscribe', subscriptions: [{ topic: 'activity', type: 1 }] },
    { code: 'field_malformed', field: 'type' },
  ],
  [
    { action: 'subscribe', subscriptions: [{ topic: 'activity', filters: '{' }] },
    { code: 'field_malformed', field: 'filters' },
  ],
  [
    { action: 'subscribe', subscriptions: [{ topic: 'activity', filters: { event_slug: 1 } }] },
    { code: 'field_malformed', field: 'event_slug' },
  ],
  // Making a text of it ended the process.
  [
    {
      action: 'subscribe',
      subscriptions: [{ topic: 'comments', filters: { parentEntityID: { toString: 1 } } }],
    },
    { code: 'field_malformed', field: 'parentEntityID' },
  ],
  [
    {
      action: 'subscribe',
      subscriptions: Array.from({ length: 2_001 }, (_, index) => ({
        topic: 'activity',
        type: 'trades',
        filters: { event_slug: `${index}` },
      })),
    },
    { code: 'too_many_subscriptions', limit: 2_000, actual: 2_001 },
  ],
];

t.test('a wrong request gets an error, and the socket stays open', async (t) => {
  const exchange = share();
  const client = await StreamClient.open(exchange.running.url, '/ws/live');
  for (const [message, told] of WRONG) {
    client.send(message);
    const [answer] = await client.take(1);
    t.match(answer, { type: 'error', ...told });
  }
});
