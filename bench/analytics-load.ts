/**
 * The real program on a data folder of the analytics bench: how far behind its projection is while
 * orders come as fast as they are answered, and how long each read takes at 100 a second while
 * orders flow. Reads and orders are open loops (open-load.ts).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { analyticsReads, type Read } from './analytics-requests.ts';
import { runLoad } from './http-load.ts';
import { sendOpen } from './open-load.ts';
import { OrderRequests } from './order-requests.ts';
import { printProgress } from './print.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { percentilesOf } from './statistics.ts';

export interface ReadFigures {
  readonly name: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
  /** Of a kilobyte, of one answer. */
  readonly kilobytes: number;
  /** Answers that were not 200; a route that is not served has nothing else. */
  readonly failures: number;
  /** Of the orders meanwhile. */
  readonly orderP99Ms: number;
}

export interface LagFigures {
  readonly ordersPerSecond: number;
  readonly mostCommands: number;
  readonly mostMs: number;
  /** Of all looks at it. */
  readonly medianMs: number;
}

export interface LoadFigures {
  readonly lag: LagFigures;
  readonly reads: readonly ReadFigures[];
}

const READS_PER_SECOND = 100;
const ORDERS_PER_SECOND = 50;
const FULL_SPEED_ORDERS = 6_000;
const CONNECTIONS = 100;
const OPEN_CONNECTIONS = 50;
const LOOK_MS = 20;
const FLAGS = ['--paper-amount', '1000000', '--dev-accounts', '20', '--log-level', 'error'];

/** What a metric without labels shows now; 0 for one that is not shown. */
async function metricOf(server: ServerProcess): Promise<(name: string) => number> {
  const token = readFileSync(join(server.dataDir, 'admin.token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`http://127.0.0.1:${server.adminPort}/metrics`, { headers });
  const lines = (await response.text()).split('\n');
  return (name) => {
    const line = lines.find((one) => one.startsWith(`outcome_exchange_${name} `));
    return line === undefined ? 0 : Number(line.slice(line.lastIndexOf(' ') + 1));
  };
}

async function untilCaughtUp(server: ServerProcess): Promise<void> {
  for (;;) {
    const metric = await metricOf(server);
    if (metric('projection_lag_commands') + metric('audit_lag_commands') === 0) return;
    await sleep(200);
  }
}

async function measureLag(server: ServerProcess, orders: OrderRequests): Promise<LagFigures> {
  const requests = orders.make(FULL_SPEED_ORDERS);
  const isSuccess = (body: string): boolean => body.includes('"success":true');
  const looks: { readonly commands: number; readonly ms: number }[] = [];
  let isLooking = true;
  const look = async (): Promise<void> => {
    while (isLooking) {
      const metric = await metricOf(server);
      const ms = metric('projection_lag_seconds') * 1_000;
      looks.push({ commands: metric('projection_lag_commands'), ms });
      await sleep(LOOK_MS);
    }
  };
  const looked = look();
  const load = { url: server.url, requests, connections: CONNECTIONS, isSuccess };
  const { perSecond, errors } = await runLoad(load);
  isLooking = false;
  await looked;
  if (errors > 0) throw new Error(`${errors} orders failed`);
  const sorted = looks.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    ordersPerSecond: perSecond,
    mostCommands: Math.max(...looks.map(({ commands }) => commands)),
    mostMs: sorted.at(-1) ?? 0,
    medianMs: sorted[sorted.length >>> 1] ?? 0,
  };
}

const dueMs = (count: number, perSecond: number): Float64Array =>
  Float64Array.from({ length: count }, (_, index) => (index * 1_000) / perSecond);

async function measureRead(
  { server, orders, seconds }: { server: ServerProcess; orders: OrderRequests; seconds: number },
  { name, make }: Read,
): Promise<ReadFigures> {
  const { method = 'GET', path = '', headers, body } = make();
  const head = headers as Record<string, string> | undefined; // ours are plain texts
  const text = typeof body === 'string' ? { body } : {};
  const first = await fetch(`${server.url}${path}`, { method, headers: head ?? {}, ...text });
  const kilobytes = (await first.arrayBuffer()).byteLength / 1_024;
  const [reads, orderCount] = [READS_PER_SECOND * seconds, ORDERS_PER_SECOND * seconds];
  const open = { url: server.url, connections: OPEN_CONNECTIONS };
  const signed = orders.make(orderCount);
  const [answers, ordered] = await Promise.all([
    sendOpen({
      ...open,
      requests: Array.from({ length: reads }, make),
      dueMs: dueMs(reads, READS_PER_SECOND),
    }),
    sendOpen({ ...open, requests: signed, dueMs: dueMs(orderCount, ORDERS_PER_SECOND) }),
  ]);
  const failures = answers.statuses.filter((status) => status !== 200 && status !== 207).length;
  if (ordered.statuses.some((status) => status !== 200)) throw new Error('an order was refused');
  const { p50, p99, longest } = percentilesOf([answers.latenciesMs]);
  const [p50Ms, p99Ms, longestMs] = [p50 / 1e6, p99 / 1e6, longest / 1e6];
  const orderP99Ms = percentilesOf([ordered.latenciesMs]).p99 / 1e6;
  return { name, p50Ms, p99Ms, longestMs, kilobytes, failures, orderP99Ms };
}

/** Leaves the folder with more orders in it. */
export async function measureLoad(dataDir: string, seconds: number): Promise<LoadFigures> {
  const reads = analyticsReads(join(dataDir, 'analytics.db'));
  const server = await startServer(FLAGS, dataDir);
  try {
    await untilCaughtUp(server);
    const orders = await OrderRequests.of(server);
    const lag = await measureLag(server, orders);
    await untilCaughtUp(server);
    const figures: ReadFigures[] = [];
    for (const read of reads) {
      printProgress(`analytics: ${read.name}`);
      figures.push(await measureRead({ server, orders, seconds }, read));
    }
    return { lag, reads: figures };
  } finally {
    await server.stop();
  }
}
