/**
 * The real program on a data folder of the analytics bench: how far behind its projection is while
 * orders come as fast as they are answered, and how long each read takes at 100 a second while
 * orders flow. Reads and orders are open loops (open-load.ts).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runLoad } from '../harness/closed-load.ts';
import { type OpenAnswers, sendOpen } from '../harness/open-load.ts';
import { OrderRequests } from '../harness/order-requests.ts';
import { printProgress } from '../harness/print.ts';
import { type ServerProcess, startServer } from '../harness/server-process.ts';
import { percentilesOf } from '../harness/statistics.ts';
import { analyticsReads, type Read } from './analytics-requests.ts';

export interface ReadFigures {
  readonly name: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
  /** Of the largest of a few answers. */
  readonly kilobytes: number;
  /** Processor time of the program for one answer: without that for the orders meanwhile. */
  readonly workMs: number;
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
const ANSWERS_LOOKED_AT = 5;
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

function dueMs(count: number, perSecond: number): Float64Array {
  return Float64Array.from({ length: count }, (_, index) => (index * 1_000) / perSecond);
}

/** What the measurements of one folder share. */
interface Bench {
  readonly server: ServerProcess;
  readonly orders: OrderRequests;
  readonly seconds: number;
}

/** What waits: 50 orders a second, signed beforehand. */
function flowOf({ server, orders, seconds }: Bench): () => Promise<OpenAnswers> {
  const count = ORDERS_PER_SECOND * seconds;
  const requests = orders.make(count);
  return async () => {
    const due = dueMs(count, ORDERS_PER_SECOND);
    const open = { url: server.url, connections: OPEN_CONNECTIONS, requests, dueMs: due };
    const answers = await sendOpen(open);
    if (answers.statuses.some((status) => status !== 200)) throw new Error('an order was refused');
    return answers;
  };
}

/** Processor time of the program while something is done, in ms. */
async function workOf<Done>({ server }: Bench, act: () => Promise<Done>) {
  const before = server.processorSeconds();
  const done = await act();
  return { done, workMs: (server.processorSeconds() - before) * 1_000 };
}

/** Bytes of one answer. */
async function sizeOf({ server }: Bench, { make }: Read): Promise<number> {
  const { method = 'GET', path = '', headers, body } = make();
  const head = headers as Record<string, string> | undefined; // ours are plain texts
  const text = typeof body === 'string' ? { body } : {};
  const answer = await fetch(`${server.url}${path}`, { method, headers: head ?? {}, ...text });
  return (await answer.arrayBuffer()).byteLength;
}

async function measureRead(bench: Bench, read: Read, flowMs: number): Promise<ReadFigures> {
  const { server, seconds } = bench;
  const sizes: number[] = [];
  while (sizes.length < ANSWERS_LOOKED_AT) sizes.push(await sizeOf(bench, read));
  const count = READS_PER_SECOND * seconds;
  const requests = Array.from({ length: count }, read.make);
  const due = dueMs(count, READS_PER_SECOND);
  const open = { url: server.url, connections: OPEN_CONNECTIONS, requests, dueMs: due };
  const flow = flowOf(bench);
  const { done, workMs } = await workOf(bench, () => Promise.all([sendOpen(open), flow()]));
  const [answers, ordered] = done;
  const { p50, p99, longest } = percentilesOf([answers.latenciesMs]);
  return {
    name: read.name,
    p50Ms: p50 / 1e6,
    p99Ms: p99 / 1e6,
    longestMs: longest / 1e6,
    kilobytes: Math.max(...sizes) / 1_024,
    workMs: (workMs - flowMs) / count,
    failures: answers.statuses.filter((status) => status !== 200 && status !== 207).length,
    orderP99Ms: percentilesOf([ordered.latenciesMs]).p99 / 1e6,
  };
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
    const bench = { server, orders, seconds };
    const { workMs: flowMs } = await workOf(bench, flowOf(bench));
    const figures: ReadFigures[] = [];
    for (const read of reads) {
      printProgress(`analytics: ${read.name}`);
      figures.push(await measureRead(bench, read, flowMs));
    }
    return { lag, reads: figures };
  } finally {
    await server.stop();
  }
}
