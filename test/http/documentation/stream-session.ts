// A session on the streams of an exchange whose clock and secrets are fixed. Records all messages
// in both directions by kind. The first of each kind becomes the example of the documentation.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Test } from 'tap';
import { createCatalogMarkets } from '../../../catalog/routes/market-commands.ts';
import type { Json } from '../../../http/documentation/schema.ts';
import {
  startTestExchange,
  type TestExchange,
  type Trader,
  withOwnSalts,
} from '../exchange-fixture.ts';
import { type Message, StreamClient } from '../streams/stream-client.ts';
import { authOf } from '../streams/user/user-fixture.ts';

/** Messages by `channel.message`, in the order in which they were sent or received. */
export type Heard = Map<string, Json[]>;

const MASTER_SECRET = Buffer.alloc(32, 0x5e);
/** Replaces the stream id of the run. */
const STREAM_ID = '6b1f6a0e-6c8e-4b0e-9a51-0c4f5d1e2a37';
const HEARTBEAT_MS = 10_000;

/** One market in an event, as a catalog has it. */
const NEW_EVENT = {
  id: '990001',
  slug: 'rain',
  title: 'Rain',
  ticker: 'RAIN',
  description: 'Of rain',
  tags: [{ id: '990002', slug: 'rainfall', label: 'Rainfall' }],
  markets: [
    {
      id: '990003',
      question: 'Will it rain?',
      conditionId: `0x${'cd'.repeat(32)}`,
      slug: 'will-it-rain',
      description: 'Said by the weather station',
      outcomes: '["Wet","Dry"]',
      clobTokenIds: '["880001","880002"]',
      orderPriceMinTickSize: 0.01,
      orderMinSize: 5,
      active: true,
      closed: false,
      enableOrderBook: true,
      acceptingOrders: true,
    },
  ],
};

function kindOf({ event_type, type = '' }: Message): string {
  return event_type ?? type;
}

/** A client that records every message that it sends or receives. */
export class Listener {
  readonly #client: StreamClient;
  readonly #channel: string;
  readonly #heard: Heard;

  constructor(client: StreamClient, channel: string, heard: Heard) {
    this.#client = client;
    this.#channel = channel;
    this.#heard = heard;
  }

  static async open(url: string, channel: string, heard: Heard): Promise<Listener> {
    return new Listener(await StreamClient.open(url, `/ws/${channel}`), channel, heard);
  }

  /** Sends a message and waits until all of its answer is there. */
  async ask(kind: string, message: Json): Promise<void> {
    this.#note(kind, message);
    this.#client.send(message);
    await this.settle();
  }

  /** Records the messages that have arrived; returns the last one, if any. */
  async settle(): Promise<Message | undefined> {
    this.#note('ping', 'PING');
    await this.#client.settled();
    this.#note('pong', this.#client.words.at(-1) ?? '');
    const last = this.#client.messages.at(-1);
    this.#take();
    return last;
  }

  /** Sends an invalid message, which is not recorded. */
  async provoke(message: unknown): Promise<void> {
    if (message instanceof Uint8Array) this.#client.sendBytes(Uint8Array.from(message));
    else this.#client.send(message);
    await this.settle();
  }

  /** Waits for a message that is not an answer to a request. */
  async hear(kind: string): Promise<void> {
    await this.#client.until(() => this.#client.messages.some((one) => kindOf(one) === kind));
    this.#take();
  }

  close(): void {
    this.#client.close();
  }

  #take(): void {
    for (const message of this.#client.messages.splice(0)) {
      // Safe: it was parsed from JSON.
      this.#note(kindOf(message), message as Json);
    }
  }

  #note(kind: string, message: Json): void {
    const key = `${this.#channel}.${kind}`;
    const all = this.#heard.get(key) ?? [];
    all.push(message);
    this.#heard.set(key, all);
  }
}

interface World {
  readonly exchange: TestExchange;
  /** The clock of heartbeats and throttled books. */
  readonly monotonic: { ms: number };
  readonly maker: Trader;
  readonly taker: Trader;
  readonly heard: Heard;
}

/** The market channel: causes each kind of message and sends each kind of request. */
async function listenToMarket({ exchange, monotonic, maker, taker, heard }: World) {
  const { plain, operator, running } = exchange;
  const { conditionId, tokenIds } = plain;
  const [yes, no] = tokenIds;
  const { exchange: store, registry } = running.services;
  const client = await Listener.open(running.url, 'market', heard);
  const everything = { type: 'market', assets_ids: [yes, no], custom_feature_enabled: true };
  await client.ask('subscribe', everything);
  await client.ask('subscribe', { type: 'market', markets: [conditionId], initial_dump: false });
  await maker.place({ tokenId: yes, priceTicks: 4200, lots: 2500 });
  await taker.place({ tokenId: yes, priceTicks: 4800, lots: 1000 });
  await operator('POST', `/markets/${conditionId}/terms`, { tick_size: '0.001' });
  await store.catalog.write.importEvents([NEW_EVENT]);
  await createCatalogMarkets({ exchange: store, registry, log: pino({ level: 'silent' }) });
  await client.settle();
  monotonic.ms += HEARTBEAT_MS;
  await client.hear('heartbeat');
  const stream_id = store.streamId;
  const names = { assets_ids: [yes, no] };
  await client.ask('resume', { operation: 'resume', stream_id, sequence: 2, ...names });
  const sequences = { [conditionId]: 1 };
  await client.ask('resume', { type: 'market', operation: 'resume', stream_id: '', sequences });
  const features = { custom_feature_enabled: true };
  const markets = { markets: [conditionId] };
  const sequence = 1;
  await client.ask('resume', {
    operation: 'resume',
    stream_id,
    sequence,
    ...markets,
    ...features,
  });
  await client.ask('subscribe', { operation: 'subscribe', assets_ids: ['1'] });
  await client.ask('unsubscribe', { operation: 'unsubscribe', assets_ids: [no] });
  const rest = { type: 'market', operation: 'unsubscribe', ...markets, ...features };
  await client.ask('unsubscribe', rest);
  return client;
}

/** The same on the user channel, for an owner's orders, trades and balances. */
async function listenAsOwner({ exchange, monotonic, maker, taker, heard }: World) {
  const { plain, negRisk, running } = exchange;
  const [yes, no] = plain.tokenIds;
  const client = await Listener.open(running.url, 'user', heard);
  const auth = authOf(maker);
  const features = { custom_feature_enabled: true };
  await client.ask('subscribe', { type: 'user', markets: [], auth, ...features });
  const { body } = await maker.place({ tokenId: no, priceTicks: 5400, lots: 2000 });
  await taker.place({ tokenId: yes, priceTicks: 4600, lots: 500 });
  await maker.cancel(body.orderID);
  const { sequence = 0 } = (await client.settle()) ?? {};
  monotonic.ms += HEARTBEAT_MS;
  await client.hear('heartbeat');
  const { streamId: stream_id } = running.services.exchange;
  await client.ask('resume', { operation: 'resume', stream_id, sequence: sequence - 2 });
  await client.ask('resume', { type: 'user', operation: 'resume', stream_id: '', sequence, auth });
  client.close();
  const picky = await Listener.open(running.url, 'user', heard);
  const other = { markets: [negRisk.conditionId], assets_ids: [negRisk.tokenIds[0]] };
  const quiet = { initial_dump: false, ...features };
  await picky.ask('subscribe', { operation: 'subscribe', auth, ...other, ...quiet });
  await maker.place({ tokenId: yes, priceTicks: 4000 });
  const rest = { type: 'user', operation: 'unsubscribe', auth, ...other, ...features };
  await picky.ask('unsubscribe', rest);
  const resumed = { operation: 'resume', stream_id, sequence, auth, ...other, ...features };
  await picky.ask('resume', resumed);
  return picky;
}

/** The live-data channel: subscribes to trades in all ways. */
async function listenToTrades({ exchange: { running, plain }, heard }: World) {
  const client = await Listener.open(running.url, 'live', heard);
  const { catalog } = running.services.exchange;
  const { slug = '', eventSlug = '' } = catalog.lookup.marketByCondition(plain.conditionId) ?? {};
  const ask = (filters: Json) => ({ topic: 'activity', type: 'orders_matched', filters });
  const asked = [ask({ event_slug: eventSlug })];
  await client.ask('subscribe', { action: 'subscribe', subscriptions: asked });
  const others = [
    { topic: 'activity', type: '*' },
    { topic: 'comments' },
    { topic: 'comments', filters: { parentEntityType: 'Event', parentEntityID: 11 } },
    { topic: 'comments', type: 'comment_created', filters: { parentEntityID: '11' } },
    ask({ eventSlug, marketSlug: slug }),
    ask(JSON.stringify({ market_slug: slug })),
    ask({ market_slug: slug }),
  ];
  await client.ask('subscribe', { action: 'subscribe', subscriptions: others });
  const taken = others.slice(2);
  await client.ask('unsubscribe', { action: 'unsubscribe', subscriptions: taken });
  await client.ask('unsubscribe', { action: 'unsubscribe', subscriptions: asked });
  return client;
}

/** Writes a comment and a reaction, hides and shows the comment, and removes both. */
async function talk({ exchange, maker, taker }: World): Promise<void> {
  const { running, plain, operator } = exchange;
  const { conditionId } = plain;
  const { eventId } = running.services.exchange.catalog.lookup.marketByCondition(conditionId) ?? {};
  await maker.signed('POST', '/sets/split', { market: conditionId, amount: '1', key: 'talk' });
  const said = {
    body: 'Clouds coming in.',
    parent_entity_type: 'Event',
    parent_entity_id: eventId,
  };
  const { id } = JSON.parse((await maker.signed('POST', '/comments', said)).text);
  const reactions = `/comments/${id}/reactions`;
  await taker.signed('POST', reactions, { reaction_type: 'HEART', icon: '❤' });
  await maker.signed('POST', reactions, { reaction_type: 'STAR', icon: '★' });
  await taker.signed('DELETE', `${reactions}?reaction_type=HEART`);
  for (const act of ['hide', 'unhide']) await operator('POST', `/comments/${id}/moderate`, { act });
  await maker.signed('DELETE', `/comments/${id}`);
}

interface StreamSession {
  readonly exchange: TestExchange;
  readonly heard: Heard;
}

/** Starts an exchange in `folder`, which is empty, and records all messages. */
export function runStreams(t: Pick<Test, 'teardown'>, folder: string): Promise<StreamSession> {
  return withOwnSalts(() => record(t, folder));
}

async function record(t: Pick<Test, 'teardown'>, folder: string): Promise<StreamSession> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'master.secret'), MASTER_SECRET);
  const monotonic = { ms: 0 };
  const exchange = await startTestExchange(t, {
    temporary: false,
    dataDir: folder,
    monotonicMs: () => monotonic.ms,
  });
  const heard: Heard = new Map();
  const [maker, taker] = [await exchange.trader(1, 'SERVICE'), await exchange.trader(2, 'SERVICE')];
  const world = { exchange, monotonic, maker, taker, heard };
  const { plain, operator } = exchange;
  await maker.place({ tokenId: plain.tokenIds[0], priceTicks: 4000, lots: 2500 });
  await maker.place({ tokenId: plain.tokenIds[1], priceTicks: 5200, lots: 2500 });
  const live = await listenToTrades(world);
  await talk(world);
  await live.hear('comment_removed');
  const market = await listenToMarket(world);
  await live.hear('orders_matched');
  const user = await listenAsOwner(world);
  const { conditionId } = plain;
  await market.ask('subscribe', { markets: [conditionId], initial_dump: false });
  await operator('POST', `/markets/${conditionId}/resolve`, { payout: '1' });
  await market.hear('market_resolved');
  for (const client of [market, user, live]) {
    await client.provoke({ type: 'weather' });
    client.close();
  }
  return { exchange, heard };
}

/** The first message of each kind, with a stream id that is always the same. */
export function examplesOf(
  { running }: TestExchange,
  heard: Heard,
): Readonly<Record<string, Json>> {
  const first = [...heard].map(([key, messages]) => [key, messages[0]]);
  const text = JSON.stringify(Object.fromEntries(first));
  return JSON.parse(text.replaceAll(running.services.exchange.streamId, STREAM_ID));
}
