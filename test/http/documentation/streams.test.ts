import { join } from 'node:path';
import t from 'tap';
import streamExamples from '../../../http/documentation/examples/streams.json' with {
  type: 'json',
};
import { isJsonObject, type Json, type JsonObject } from '../../../http/documentation/schema.ts';
import { asyncApiDocument, serversOf } from '../../../http/documentation/streams-document.ts';
import { STREAM_FAULTS } from '../../../http/streams/delivery/close-codes.ts';
import {
  type ClientMessage,
  readSubscription,
} from '../../../http/streams/delivery/subscription.ts';
import { STREAM_CHANNELS } from '../../../http/streams/index.ts';
import { readLiveRequest } from '../../../http/streams/live/request.ts';
import { readUserRequest } from '../../../http/streams/user/session.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { upgradeStatus } from '../streams/stream-client.ts';
import { type StreamBench, startStreams } from '../streams/stream-fixture.ts';
import { asyncApiFaults, COMMON_KEYWORDS } from './asyncapi-shape.ts';
import { asObject, atPointer, referencesIn } from './read-document.ts';
import { examplesOf, type Heard, Listener, runStreams } from './stream-session.ts';
import { compileSchema } from './undeclared.ts';

/** The document as it goes over the wire. */
const document: JsonObject = JSON.parse(
  JSON.stringify({
    ...asyncApiDocument(),
    servers: serversOf('127.0.0.1:8080', { port: 8080 }),
  }),
);
const messages = asObject(asObject(document.components).messages);
function payloadOf(key: string): JsonObject {
  return asObject(asObject(messages[key]).payload);
}

/** Faults of a message, which may be a plain text. */
function faultsOf(key: string, message: Json): readonly string[] {
  return compileSchema(payloadOf(key))(message);
}

/** Paths of all fields that a schema declares. */
function toldBy(schema: Json | undefined, path: string): readonly string[] {
  if (schema === undefined || !isJsonObject(schema)) return [];
  const { properties = {}, items, anyOf } = schema;
  const nested = Array.isArray(anyOf) ? anyOf.flatMap((one) => toldBy(one, path)) : [];
  const own = Object.entries(asObject(properties)).flatMap(([name, part]) => [
    `${path}.${name}`,
    ...toldBy(part, `${path}.${name}`),
  ]);
  return [...own, ...nested, ...toldBy(items, path)];
}

/** Paths of all fields that a message has; those of records are among them. */
function fieldsOf(value: Json, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => fieldsOf(one, path));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => [
    `${path}.${name}`,
    ...fieldsOf(part, `${path}.${name}`),
  ]);
}

/** Provokes every error that is answered, on a server with small bounds. */
async function provokeErrors(bench: StreamBench, heard: Heard): Promise<void> {
  const client = await Listener.open(bench.url, 'market', heard);
  const [market] = bench.registry.markets();
  const wrong = [
    'nonsense',
    Buffer.from('{}'),
    'x'.repeat(201),
    { markets: 'all' },
    { type: 'user' },
    { operation: 'listen' },
    { markets: [market?.conditionId ?? ''] },
    { assets_ids: ['nobody'], custom_feature_enabled: true },
  ];
  for (const message of wrong) await client.provoke(message);
  client.close();
}

t.test('the real messages of a session match the document', async (t) => {
  const { exchange, heard } = await runStreams(t, join(temporaryFolder(t), 'data'));
  t.strictSame(
    examplesOf(exchange, heard),
    streamExamples,
    'record-stream-examples.ts rewrites them',
  );
  const bench = await startStreams(t, { subscriptionsPerSocket: 1, messageBytes: 200 });
  await provokeErrors(bench, heard);
  const full = await startStreams(t, { subscriptionBytesPerSocket: 100 });
  const client = await Listener.open(full.url, 'market', heard);
  await client.provoke({ assets_ids: [[...full.registry.markets()][0]?.tokenIds[0]] });
  client.close();
  const seen = new Set<string>();
  for (const [key, all] of heard) {
    t.ok(messages[key] !== undefined, `${key} is in the document`);
    for (const message of all) {
      t.strictSame(faultsOf(key, message), [], `${key}: ${JSON.stringify(message)}`);
      for (const path of fieldsOf(message, key)) seen.add(path);
    }
  }
  for (const key of Object.keys(messages)) {
    t.ok(heard.has(key), `${key} was heard`);
    // Errors are the same on all channels.
    if (key.endsWith('.error') && key !== 'market.error') continue;
    for (const path of toldBy(payloadOf(key), key)) t.ok(seen.has(path), `${path} was seen`);
  }
  const codes = heard.get('market.error')?.map((message) => asObject(message).code);
  const answered = Object.entries(STREAM_FAULTS).filter(([, fault]) => !('closeCode' in fault));
  t.strictSame([...new Set(codes)].sort(), answered.map(([code]) => code).sort());
  const served = JSON.parse((await exchange.send('GET', '/asyncapi.json')).text);
  t.strictSame({ ...served, servers: document.servers }, document);
  const channels = bench.streams.totals.sockets.map(([name]) => name);
  t.strictSame(channels, Object.keys(asObject(document.channels)));
  for (const { address } of STREAM_CHANNELS) t.equal(await upgradeStatus(bench.port, address), 101);
});

t.test('each message has an example that fits its schema', async (t) => {
  for (const [key, message] of Object.entries(messages)) {
    const { examples, payload } = asObject(message);
    const [example] = Array.isArray(examples) ? examples : [];
    const value = asObject(example).payload ?? null;
    t.strictSame(compileSchema(asObject(payload))(value), [], key);
  }
});

t.test('the document is valid AsyncAPI 3.0', async (t) => {
  t.strictSame(asyncApiFaults(document), []);
  for (const pointer of referencesIn(document)) t.ok(atPointer(document, pointer), pointer);
  const pointers = new Set(referencesIn(document));
  for (const key of Object.keys(messages)) t.ok(pointers.has(`#/components/messages/${key}`), key);
  for (const [name, channel] of Object.entries(asObject(document.channels))) {
    for (const message of Object.keys(asObject(asObject(channel).messages))) {
      t.ok(
        pointers.has(`#/channels/${name}/messages/${message}`),
        `${message} is sent or received`,
      );
    }
  }
  const { channels: _, ...empty } = document;
  t.not(asyncApiFaults(empty).length, 0, 'a document without channels is found');
  t.not(asyncApiFaults({ ...document, more: 1 }).length, 0, 'and one with another part');
});

function keywordsOf(schema: Json): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const { properties = {}, items = null, anyOf = [], additionalProperties = null } = schema;
  const options = Array.isArray(anyOf) ? anyOf : [];
  const parts = [...Object.values(asObject(properties)), ...options, items, additionalProperties];
  return [...Object.keys(schema), ...parts.flatMap(keywordsOf)];
}

t.test('schemas are valid in both JSON Schema 2020-12 and AsyncAPI', async (t) => {
  for (const key of Object.keys(messages)) {
    const other = keywordsOf(payloadOf(key)).filter((keyword) => !COMMON_KEYWORDS.has(keyword));
    t.strictSame(other, [], key);
  }
});

// History: a trade had `matchtime` and `match_time`, which decoders with aliases refuse.
t.test('no message to clients has a field in two spellings', async (t) => {
  const sent = STREAM_CHANNELS.flatMap(({ name, sent }) =>
    Object.keys(sent).map((kind) => `${name}.${kind}`),
  );
  for (const key of sent) {
    const names = toldBy(payloadOf(key), '').map((name) => name.replaceAll('_', '').toLowerCase());
    t.strictSame([...new Set(names)], names, key);
  }
});

t.test('every close code belongs to a channel', async (t) => {
  const told = STREAM_CHANNELS.flatMap(({ closings }) => closings);
  const closing = Object.entries(STREAM_FAULTS).filter(([, fault]) => 'closeCode' in fault);
  t.strictSame([...new Set(told)].sort(), closing.map(([code]) => code).sort());
});

const READERS: readonly (readonly [string, (message: ClientMessage) => unknown])[] = [
  ['market', (message) => readSubscription(message, 'market')],
  ['user', readUserRequest],
  ['live', (message) => readLiveRequest(message, 1)],
];

/** The fields of a message that a reader looks at. */
function readBy(read: (message: ClientMessage) => unknown, message: ClientMessage) {
  const names = new Set<string>();
  const watched = new Proxy(message, {
    get: (target, name) => {
      names.add(String(name));
      return target[String(name)];
    },
  });
  read(watched);
  return [...names];
}

/** Fields that all readers read, although they have no meaning in these messages. */
const MEANINGLESS: Readonly<Record<string, readonly string[]>> = {
  'market.unsubscribe': ['initial_dump'],
  'market.resume': ['initial_dump'],
  'user.unsubscribe': ['initial_dump'],
  'user.resume': ['initial_dump', 'sequences'],
};

t.test('the document has exactly the fields that a channel reads', async (t) => {
  for (const [channel, read] of READERS) {
    for (const operation of ['subscribe', 'unsubscribe', 'resume']) {
      const key = `${channel}.${operation}`;
      if (messages[key] === undefined) continue;
      const action = operation;
      const asked = { operation, action, stream_id: '', sequence: 1, subscriptions: [] };
      const names = readBy(read, asked);
      const meant = names.filter((name) => !MEANINGLESS[key]?.includes(name));
      const told = Object.keys(asObject(payloadOf(key).properties));
      t.strictSame(told.sort(), [...meant].sort(), key);
    }
  }
});
