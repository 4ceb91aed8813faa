/**
 * How late a subscriber hears of an order: signed orders over HTTP at a rate (an open loop) to the
 * real program, durable, with many subscribers of their market; and a bare uWebSockets.js publish
 * of the same message at the same rate to as many.
 *
 * Clock: the wall clock of this machine, which all processes share.
 */
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Request } from 'autocannon';
import { LOTS_PER_TOKEN } from '../../engine/index.ts';
import { OrderRequests, SIZE_LOTS } from '../harness/order-requests.ts';
import { printProgress } from '../harness/print.ts';
import { type ServerProcess, startServer } from '../harness/server-process.ts';
import { type Percentiles, percentilesOf } from '../harness/statistics.ts';
import { type Lateness, levelKey } from './stream-wishes.ts';
import { startClients, startPublisher } from './streams-rounds.ts';

/** One after the other, so that an order's level and its size after it tell which it was. */
const LEVELS = 40;
const FIRST_CENTS = 11;
/** What is done between asking the clients to listen and the first order. */
const LEAD_MS = 300;

/** The clients come from many addresses, as if through a proxy of this machine. */
const SERVER_FLAGS = ['--paper-amount', '1000000', '--log-level', 'error'];
const PROXY_FLAGS = ['--trust-proxy', '127.0.0.1'];

export interface LatencyTerms {
  readonly subscribers: number;
  readonly perSecond: number;
  readonly orders: number;
  /** Sent before, to clients that are there already, and not counted. */
  readonly warmUp: number;
}

export interface LatencyRow extends LatencyTerms {
  /** From the time that the journal has for the order to the message at a subscriber. */
  readonly accepted: Percentiles;
  /** From when the order was due to be sent to the message at a subscriber. */
  readonly due: Percentiles;
  /** From when the order was due to be sent to its answer. */
  readonly answered: Percentiles;
  /** From a bare publish to the message at a subscriber. */
  readonly bare: Percentiles;
}

interface DueOrder {
  readonly request: Request;
  readonly dueMs: number;
}

/** Orders with the level and size that tell them apart. */
class OrderPlan {
  readonly #requests: OrderRequests;
  #made = 0;

  constructor(requests: OrderRequests) {
    this.#requests = requests;
  }

  make(count: number): readonly { readonly request: Request; readonly key: string }[] {
    return Array.from({ length: count }, () => {
      const cents = FIRST_CENTS + (this.#made % LEVELS);
      const before = Math.floor(this.#made / LEVELS);
      this.#made += 1;
      const size = ((before + 1) * SIZE_LOTS) / LOTS_PER_TOKEN;
      return { request: this.#requests.makeOne(cents), key: levelKey(cents / 100, size) };
    });
  }
}

/** Sends one order; gives the time of its answer. */
async function send(url: string, agent: Agent, { method, path, headers, body }: Request) {
  const sent = httpRequest(`${url}${path}`, {
    agent,
    ...(method === undefined ? {} : { method }),
    // Ours are plain texts.
    headers: { ...(headers as Record<string, string>) },
  });
  sent.end(body);
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response) text += String(chunk);
  if (!text.includes('"success":true')) throw new Error(`an order was refused: ${text}`);
  return Date.now();
}

/** Each at its time, whether or not the one before has been answered. */
async function sendAll(url: string, orders: readonly DueOrder[]): Promise<Float64Array> {
  const agent = new Agent({ keepAlive: true });
  const answers: Promise<number>[] = [];
  for (const { request, dueMs } of orders) {
    await setTimeout(Math.max(0, dueMs - Date.now()));
    const answer = send(url, agent, request).then((atMs) => Math.max(0, atMs - dueMs));
    // Looked at below; until then it must not end the process.
    answer.catch(() => {});
    answers.push(answer);
  }
  const latenciesMs = Float64Array.from(await Promise.all(answers));
  agent.destroy();
  return latenciesMs;
}

function dueTimes(count: number, perSecond: number): number[] {
  const startMs = Date.now() + LEAD_MS;
  return Array.from({ length: count }, (_, index) => startMs + (index * 1_000) / perSecond);
}

async function measureOurs(server: ServerProcess, terms: LatencyTerms) {
  const requests = await OrderRequests.of(server);
  const plan = new OrderPlan(requests);
  const clients = startClients();
  const run = async (count: number) => {
    const planned = plan.make(count);
    const due = dueTimes(count, terms.perSecond);
    const orders = planned.map(({ request }, at) => ({ request, dueMs: due[at]! }));
    const dueMs = Object.fromEntries(planned.map(({ key }, at) => [key, due[at]!]));
    const changes = count * terms.subscribers;
    const [late, answeredMs] = await Promise.all([
      clients.ask<Required<Lateness>>({ kind: 'measure', changes, dueMs }),
      sendAll(server.url, orders),
    ]);
    return { ...late, answered: percentilesOf([answeredMs]) };
  };
  const message = JSON.stringify({ assets_ids: [requests.firstTokenId], initial_dump: false });
  const port = Number(new URL(server.url).port);
  await clients.ask({ kind: 'connect', port, count: terms.subscribers, message });
  await run(terms.warmUp);
  const measured = await run(terms.orders);
  await clients.stop();
  return measured;
}

/** A message of one level, as long as those of the real program. */
const TEXT = JSON.stringify({
  event_type: 'price_change',
  market: `0x${'ab'.repeat(32)}`,
  timestamp: '1700000000000',
  price_changes: ['1', '2'].map((digit) => ({
    asset_id: digit.repeat(77),
    price: '0.25',
    size: '100',
    side: 'BUY',
    hash: 'c'.repeat(40),
    best_bid: '0.5',
    best_ask: '1',
  })),
  sequence: 1_000,
  stream_id: 'd'.repeat(36),
  server_ts_ms: 1_700_000_000_000,
});

async function measureBare(terms: LatencyTerms): Promise<Percentiles> {
  const publisher = startPublisher();
  const clients = startClients();
  const run = async (count: number): Promise<Percentiles> => {
    const [{ accepted }] = await Promise.all([
      clients.ask<Lateness>({ kind: 'measure', changes: count * terms.subscribers }),
      publisher.ask({ kind: 'pace', text: TEXT, dueMs: dueTimes(count, terms.perSecond) }),
    ]);
    return accepted;
  };
  const port = await publisher.ask<number>({ kind: 'start', texts: [TEXT] });
  await clients.ask({ kind: 'connect', port, count: terms.subscribers, message: '{}' });
  await run(terms.warmUp);
  const accepted = await run(terms.orders);
  await clients.stop();
  await publisher.stop();
  return accepted;
}

export async function measureLatency(terms: LatencyTerms): Promise<LatencyRow> {
  printProgress(`streams: latency with ${terms.subscribers} subscribers: bare publish`);
  const bare = await measureBare(terms);
  printProgress(`streams: latency with ${terms.subscribers} subscribers: signed orders`);
  const server = await startServer([...SERVER_FLAGS, ...PROXY_FLAGS]);
  try {
    return { ...terms, ...(await measureOurs(server, terms)), bare };
  } finally {
    await server.stop();
    server.remove();
  }
}
