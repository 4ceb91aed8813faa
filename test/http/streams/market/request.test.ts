// The messages that a client may send on the market channel, and the errors for all others.
import t from 'tap';
import { CONDITION, level, NO_TOKEN, YES_TOKEN } from '../../durable-commands.ts';
import { kindsOf, STREAM_ID, startStreams } from '../stream-fixture.ts';

const RESUME = { operation: 'resume', assets_ids: [YES_TOKEN] };

/** A message, and what its answer has besides `type` and `message`. */
const MALFORMED: readonly (readonly [message: unknown, answer: object])[] = [
  ['', { code: 'message_malformed' }],
  ['hello', { code: 'message_malformed' }],
  ['{"type":"market"', { code: 'message_malformed' }],
  ['[]', { code: 'message_malformed' }],
  ['null', { code: 'message_malformed' }],
  ['17', { code: 'message_malformed' }],
  ['"PING"', { code: 'message_malformed' }],
  [{ type: 'user' }, { code: 'type_unknown', field: 'type', allowed: ['market'] }],
  [{ type: 1 }, { code: 'field_malformed', field: 'type', expected: 'a text' }],
  [{ operation: 'dance' }, { code: 'operation_unknown', field: 'operation' }],
  [{ operation: null }, { code: 'field_malformed', field: 'operation' }],
  [{ assets_ids: YES_TOKEN }, { code: 'field_malformed', field: 'assets_ids' }],
  [{ assets_ids: [5211] }, { code: 'field_malformed', field: 'assets_ids' }],
  [{ markets: {} }, { code: 'field_malformed', field: 'markets' }],
  [{ markets: [null] }, { code: 'field_malformed', field: 'markets' }],
  [{ initial_dump: 'no' }, { code: 'field_malformed', field: 'initial_dump' }],
  [{ custom_feature_enabled: 1 }, { code: 'field_malformed', field: 'custom_feature_enabled' }],
  [
    { ...RESUME, sequence: 1 },
    { code: 'field_malformed', field: 'stream_id' },
  ],
  [
    { ...RESUME, stream_id: 'a' },
    { code: 'field_malformed', field: 'sequence' },
  ],
  [
    { ...RESUME, stream_id: 'a', sequence: '1' },
    { code: 'field_malformed', field: 'sequence' },
  ],
  [
    { ...RESUME, stream_id: 'a', sequence: -1 },
    { code: 'field_malformed', field: 'sequence' },
  ],
  [
    { ...RESUME, stream_id: 'a', sequence: 1.5 },
    { code: 'field_malformed', field: 'sequence' },
  ],
  [
    { ...RESUME, stream_id: 'a', sequences: 3 },
    { code: 'field_malformed', field: 'sequences' },
  ],
  [
    { ...RESUME, stream_id: 'a', sequences: {} },
    { code: 'field_malformed', field: 'sequences' },
  ],
  [
    { ...RESUME, stream_id: 'a', sequences: { [CONDITION]: '1' } },
    { code: 'field_malformed', field: 'sequences' },
  ],
];

t.test('a malformed message gets an error, and the socket stays open', async (t) => {
  const bench = await startStreams(t);
  const client = await bench.connect();
  for (const [message, answer] of MALFORMED) {
    client.send(message);
    const [told] = await client.take(1);
    t.match(told, { type: 'error', message: /\w/, ...answer }, JSON.stringify(message));
  }
  client.sendBytes(Uint8Array.from(Buffer.from('{"type":"market"}')));
  t.match(await client.take(1), [{ type: 'error', code: 'message_binary' }]);
  client.send({ type: 'market', assets_ids: [YES_TOKEN] });
  t.match(await client.take(1), [{ event_type: 'book' }]);
  t.equal(bench.count('faults', 'message_malformed'), 7);
  t.equal(bench.count('faults', 'message_binary'), 1);
});

t.test('a refused message changes nothing', async (t) => {
  const bench = await startStreams(t);
  const client = await bench.connect();
  client.send({ assets_ids: [YES_TOKEN], custom_feature_enabled: 'yes' });
  await client.take(1);
  bench.commit(level('bid', 4_000, 100));
  await client.settled();
  t.strictSame(client.messages, []);
});

t.test('PING in any case is answered PONG', async (t) => {
  const bench = await startStreams(t);
  const client = await bench.connect();
  for (const word of ['PING', 'ping', 'Ping']) client.send(word);
  await client.until(() => client.words.length >= 3);
  t.strictSame(client.words, ['PONG', 'PONG', 'PONG']);
  t.strictSame(client.messages, []);
});

/** A message of one socket, the books that follow, and the messages of a level change. */
interface Step {
  readonly say: object;
  readonly books?: readonly string[];
  /** Kinds of the messages of a level change. */
  readonly hears: readonly string[];
}

const CHANGE = 'price_change';
const BOOK = 'book';
const BEST = 'best_bid_ask';
const BOTH = [CHANGE, BOOK, BOOK];
const STEPS: readonly Step[] = [
  { say: {}, hears: [] },
  { say: { type: 'market', assets_ids: [] }, hears: [] },
  { say: { assets_ids: ['1', 'no token', '5211x'] }, hears: [] },
  { say: { markets: [`0x${'00'.repeat(32)}`] }, hears: [] },
  { say: { type: 'Market', assets_ids: [YES_TOKEN] }, books: [YES_TOKEN], hears: [CHANGE, BOOK] },
  {
    say: { operation: 'SUBSCRIBE', assets_ids: [`000${NO_TOKEN}`] },
    books: [NO_TOKEN],
    hears: BOTH,
  },
  { say: {}, hears: [CHANGE, BOOK, BOOK] },
  { say: { operation: 'unsubscribe', assets_ids: [YES_TOKEN] }, hears: [CHANGE, BOOK] },
  { say: { operation: 'unsubscribe', assets_ids: [YES_TOKEN] }, hears: [CHANGE, BOOK] },
  { say: { operation: 'unsubscribe', markets: [CONDITION] }, hears: [] },
  {
    say: { markets: [CONDITION.toUpperCase().replace('X', 'x')], initial_dump: false },
    hears: [CHANGE, BOOK, BOOK],
  },
  { say: { assets_ids: [NO_TOKEN], level: 2 }, books: [NO_TOKEN], hears: [CHANGE, BOOK, BOOK] },
  { say: { custom_feature_enabled: true }, hears: [CHANGE, BEST, BEST, BOOK, BOOK] },
  {
    say: { operation: 'unsubscribe', assets_ids: [NO_TOKEN] },
    hears: [CHANGE, BEST, BOOK],
  },
  {
    say: { assets_ids: [NO_TOKEN], custom_feature_enabled: false },
    books: [NO_TOKEN],
    hears: [CHANGE, BOOK, BOOK],
  },
];

t.test('a socket gets messages of its subscriptions alone', async (t) => {
  const bench = await startStreams(t, { bookIntervalMs: 0 });
  const client = await bench.connect();
  let price = 1_000;
  for (const { say, books = [], hears } of STEPS) {
    const what = JSON.stringify(say);
    client.send(say);
    await client.settled();
    const dump = client.messages.splice(0);
    t.strictSame(
      dump.map(({ event_type, asset_id }) => [event_type, asset_id]),
      books.map((tokenId) => [BOOK, tokenId]),
      `books after ${what}`,
    );
    price += 100;
    bench.commit(level('bid', price, 100));
    await client.settled();
    t.strictSame(kindsOf(client.messages.splice(0)), hears, `a change after ${what}`);
  }
});

t.test('unknown names are reported with custom features', async (t) => {
  const bench = await startStreams(t, { namedUnknowns: 2 });
  const client = await bench.connect();
  client.send({
    assets_ids: ['1', YES_TOKEN, '2'],
    markets: ['0x3'],
    custom_feature_enabled: true,
  });
  t.match(await client.take(2), [
    { type: 'error', code: 'names_unknown', actual: 3, names: ['1', '2'] },
    { event_type: 'book', asset_id: YES_TOKEN },
  ]);
});

t.test('one sequence resumes one market; several markets need one each', async (t) => {
  const bench = await startStreams(t);
  const other = `0x${'ef'.repeat(32)}`;
  bench.create({ conditionId: other, tokenIds: ['7001', '7002'] });
  const client = await bench.connect();
  const resume = { operation: 'resume', stream_id: STREAM_ID };
  client.send({ ...resume, sequence: 1, markets: [CONDITION, other] });
  t.match(await client.take(1), [{ code: 'field_malformed', field: 'sequences' }]);
  client.send({ ...resume, sequences: { [CONDITION]: 0, [other.toUpperCase()]: 9 } });
  t.match(await client.take(4), [
    { event_type: 'resumed', market: CONDITION, replayed: 0, sequence: 0 },
    { event_type: 'snapshot_required', market: other, reason: 'out_of_reach', sequence: 0 },
    { event_type: 'book', market: other },
    { event_type: 'book', market: other },
  ]);
});
