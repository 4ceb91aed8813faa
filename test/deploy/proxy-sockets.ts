/**
 * The three sockets through a proxy, while it reads its configuration again: what arrived has no
 * gap, or the proxy closed the socket and a resume brings what was missed.
 */
import { strict as assert } from 'node:assert';
import { type Message, StreamClient } from '../http/streams/stream-client.ts';
import { ask, codeOf, makeTraders, type Traders, trade, type Venue } from './proxy-checks.ts';

const ROUNDS = 24;
/** Before these rounds the proxy reads its configuration again. */
const RELOADS: readonly number[] = [6, 12, 18];

/** A client of a stream that counts its steps, and what it was sent. */
interface Follower {
  readonly messages: Message[];
  readonly client: StreamClient;
}

function isStep({ event_type: type, sequence }: Message): boolean {
  return sequence !== undefined && type !== 'heartbeat' && type !== 'resumed';
}

/** Throws if a step is missing; `from` is the sequence before the first message. */
function assertNoGap(messages: readonly Message[], from: number): number {
  let last = from;
  for (const message of messages.filter(isStep)) {
    const sequence = message.sequence ?? 0;
    const first = Number(message.first_sequence ?? sequence);
    assert.ok(
      (sequence === last && message.event_type !== 'skipped') || first === last + 1,
      `after ${last} comes ${JSON.stringify(message)}`,
    );
    last = sequence;
  }
  return last;
}

async function followMarket(url: string, tokenId: string): Promise<Follower> {
  const client = await StreamClient.open(url, '/ws/market');
  client.send({ type: 'market', assets_ids: [tokenId] });
  const messages = await client.take(1);
  return { client, messages };
}

function authOf({ alice }: Traders) {
  const { key: apikey, secret, passphrase } = alice.credentials;
  return { apikey, secret, passphrase };
}

async function followUser(url: string, traders: Traders): Promise<Follower> {
  const client = await StreamClient.open(url, '/ws/user');
  client.send({ type: 'user', auth: authOf(traders), custom_feature_enabled: true });
  const messages = await client.take(1);
  return { client, messages };
}

async function followLive(url: string): Promise<Follower> {
  const client = await StreamClient.open(url, '/ws/live');
  client.send({ action: 'subscribe', subscriptions: [{ topic: 'activity', type: 'trades' }] });
  await client.settled();
  return { client, messages: [] };
}

async function collect({ client, messages }: Follower): Promise<readonly Message[]> {
  await client.settled();
  messages.push(...client.messages.splice(0));
  return messages;
}

/** Trades while the proxy reloads; returns how many trades there were. */
async function tradeThroughReloads({ front, exchange }: Venue, traders: Traders): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const reloading = RELOADS.includes(round) ? front.reload() : undefined;
    // Orders do not go through the proxy here: an idle connection may be closed by the reload.
    await trade(traders, exchange.url);
    await reloading;
  }
}

/** For a proxy whose old workers go on: every message arrives on the sockets that were open. */
export async function keepSockets(venue: Venue): Promise<void> {
  const { front } = venue;
  const traders = await makeTraders(venue);
  const market = await followMarket(front.url, traders.yes);
  const user = await followUser(front.url, traders);
  const live = await followLive(front.url);
  await tradeThroughReloads(venue, traders);
  const steps = (await collect(market)).filter(isStep);
  assertNoGap(steps, steps[0]?.sequence ?? 0);
  const prices = steps.filter(({ event_type: type }) => type === 'price_change');
  assert.equal(prices.length, 2 * ROUNDS, 'an order and its fill, each round');
  const own = (await collect(user)).filter(isStep);
  assertNoGap(own, own[0]?.sequence ?? 0);
  const placed = own.filter(({ type }) => type === 'PLACEMENT');
  assert.equal(placed.length, ROUNDS);
  assert.equal((await collect(live)).filter(({ topic }) => topic === 'activity').length, ROUNDS);
  for (const { client } of [market, user, live]) client.close();
}

/** For a proxy that closes its sockets at a reload: a resume has all that came meanwhile. */
export async function resumeSockets(venue: Venue): Promise<void> {
  const { front, exchange } = venue;
  const traders = await makeTraders(venue);
  const { client, messages } = await followMarket(front.url, traders.yes);
  await trade(traders, exchange.url);
  messages.push(...(await client.take(2)));
  await front.reload();
  await client.closed;
  messages.push(...client.messages.splice(0));
  const last = messages.findLast(isStep);
  await trade(traders, exchange.url);
  const again = await StreamClient.open(front.url, '/ws/market');
  const { stream_id: streamId, sequence = 0 } = last ?? {};
  const resume = { operation: 'resume', stream_id: streamId, sequence };
  again.send({ ...resume, assets_ids: [traders.yes] });
  await again.settled();
  const [first, ...rest] = again.messages;
  assert.equal(first?.event_type, 'resumed', JSON.stringify(first));
  assert.ok(assertNoGap(rest, sequence) >= sequence + 2, 'the steps of the second trade');
  again.close();
}

/** nginx's own limits, made so small by a reload that a few requests reach them. */
export async function limitNetworks({ front }: Venue): Promise<void> {
  await front.reload((text) => text.replace('connections 2000;', 'connections 2;'));
  const open = () => StreamClient.open(front.url, '/ws/market');
  const sockets = [await open(), await open()];
  const refused = await ask(`${front.url}/time`);
  assert.equal(codeOf(refused), '429 too_many_requests');
  assert.equal(refused.headers['retry-after'], '1');
  const other = await ask(`${front.url}/time`, { localAddress: '127.0.0.4' });
  assert.equal(other.status, 200, 'another address is not affected');
  for (const socket of sockets) socket.close();
  await front.reload((text) =>
    text.replace('rate=3000r/s', 'rate=1r/m').replace('burst=3000', 'burst=1'),
  );
  const from = { localAddress: '127.0.0.5' };
  const replies = [1, 2, 3].map(() => ask(`${front.url}/time`, from));
  const statuses = (await Promise.all(replies)).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [200, 200, 429]);
  await front.reload((text) => text);
}

/** A name that is not the venue's leads nowhere, also on a connection for the venue's name. */
export async function refuseOtherNames({ front }: Venue): Promise<void> {
  const headers = { host: 'elsewhere.example' };
  const other = await ask(`${front.url}/time`, { headers, servername: 'localhost' });
  assert.equal(other.status, 421);
  const { port } = new URL(front.url);
  await assert.rejects(ask(`https://127.0.0.1:${port}/time`), /alert|unrecognized/);
}

/** While the exchange is down a client gets JSON that says so. */
export async function answerForNone({ front, exchange }: Venue): Promise<void> {
  await exchange.stop();
  const headers = { POLY_PASSPHRASE: 'passphrase-without-exchange' };
  const reply = await ask(`${front.url}/time`, { headers });
  assert.equal(codeOf(reply), '502 no_answer');
  assert.equal(reply.headers['retry-after'], '1');
  assert.equal(reply.headers['access-control-allow-origin'], '*');
  const log = await front.logWith('502');
  assert.ok(!log.includes('passphrase-without-exchange'), 'its headers are not logged');
}
