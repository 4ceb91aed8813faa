/**
 * How late a subscriber hears of an order: signed orders over HTTP in an open loop to the real
 * program, durable, with many subscribers of their market; and a bare uWebSockets.js publish of a
 * message as long at the same rate to as many. All processes share the machine's wall clock.
 */
import { LOTS_PER_TOKEN } from '../../engine/index.ts';
import { isAccepted } from '../harness/closed-loop.ts';
import { Exchange } from '../harness/exchange.ts';
import { evenly, runOpenLoop } from '../harness/open-loop.ts';
import { Orders, SIZE_LOTS } from '../harness/orders.ts';
import { printProgress } from '../harness/print.ts';
import { percentilesOf } from '../harness/statistics.ts';
import { levelKey } from './stream-clients.ts';
import { startClients, startPublisher } from './stream-rounds.ts';

/** Orders go to one level after the other, so level and size tell which order a message is of. */
const LEVELS = 40;
const FIRST_CENTS = 11;
const CONNECTIONS = 16;
/** Between asking the clients to listen and the first order. */
const LEAD_MS = 300;
const FLAGS = ['--paper-amount', '1000000', '--log-level', 'error', '--trust-proxy', '127.0.0.1'];

export interface LatencyTerms {
  readonly subscribers: number;
  readonly perSecond: number;
  readonly orders: number;
  /** Sent before, and not counted. */
  readonly warmUp: number;
}

async function measureOurs(exchange: Exchange, terms: LatencyTerms) {
  const orders = await Orders.of(exchange);
  const clients = startClients();
  let made = 0;
  const run = async (count: number) => {
    const startAtMs = Date.now() + LEAD_MS;
    const dueMs = evenly(count, terms.perSecond);
    const dueByLevel: Record<string, number> = {};
    const requests = Array.from(dueMs, (due) => {
      const cents = FIRST_CENTS + (made % LEVELS);
      const size = ((Math.floor(made / LEVELS) + 1) * SIZE_LOTS) / LOTS_PER_TOKEN;
      made += 1;
      dueByLevel[levelKey(cents / 100, size)] = startAtMs + due;
      return orders.makeOne(cents);
    });
    const load = { url: exchange.url, connections: CONNECTIONS, requests, dueMs, startAtMs };
    const [late, answers] = await Promise.all([
      clients.call('measureLateness', count * terms.subscribers, dueByLevel),
      runOpenLoop({ ...load, isSuccess: isAccepted }),
    ]);
    if (answers.statuses.some((status) => status !== 200)) throw new Error('an order was refused');
    return { ...late, answered: percentilesOf([answers.latenciesMs]) };
  };
  const message = JSON.stringify({ assets_ids: [orders.firstTokenId], initial_dump: false });
  await clients.call('subscribe', Number(new URL(exchange.url).port), terms.subscribers, message);
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

async function measureBare(terms: LatencyTerms) {
  const publisher = startPublisher();
  const clients = startClients();
  const run = async (count: number) => {
    const startMs = Date.now() + LEAD_MS;
    const dueMs = [...evenly(count, terms.perSecond)].map((due) => startMs + due);
    const [{ accepted }] = await Promise.all([
      clients.call('measureLateness', count * terms.subscribers),
      publisher.call('pace', TEXT, dueMs),
    ]);
    return accepted;
  };
  const port = await publisher.call('start', [TEXT]);
  await clients.call('subscribe', port, terms.subscribers, '{}');
  await run(terms.warmUp);
  const accepted = await run(terms.orders);
  await clients.stop();
  await publisher.stop();
  return accepted;
}

export async function measureLatency(terms: LatencyTerms) {
  printProgress(`streams: latency with ${terms.subscribers} subscribers: bare publish`);
  const bare = await measureBare(terms);
  printProgress(`streams: latency with ${terms.subscribers} subscribers: signed orders`);
  const ours = await Exchange.with(FLAGS, (exchange) => measureOurs(exchange, terms));
  return { ...terms, ...ours, bare };
}
