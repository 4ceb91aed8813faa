/**
 * The real program on a data folder of the analytics benchmark: how far its projection is behind
 * while orders come as fast as they are answered, and how long each read takes at 100 a second
 * while orders flow.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAccepted, type LoadRequest, runClosedLoop } from '../harness/closed-loop.ts';
import { Exchange } from '../harness/exchange.ts';
import { evenly, type OpenAnswers, runOpenLoop } from '../harness/open-loop.ts';
import { Orders } from '../harness/orders.ts';
import { printProgress } from '../harness/print.ts';
import { percentilesOf, spreadOf } from '../harness/statistics.ts';
import { analyticsReads, type Read } from './analytics-requests.ts';

const READS_PER_SECOND = 100;
const ORDERS_PER_SECOND = 50;
const FULL_SPEED_ORDERS = 6_000;
const OPEN_CONNECTIONS = 50;
const LOOK_MS = 20;
const ANSWERS_SIZED = 5;
const FLAGS = ['--paper-amount', '1000000', '--dev-accounts', '20', '--log-level', 'error'];

async function measureLag(exchange: Exchange, orders: Orders) {
  const requests = orders.make(FULL_SPEED_ORDERS);
  const looks: { readonly commands: number; readonly ms: number }[] = [];
  let isLooking = true;
  const look = async (): Promise<void> => {
    while (isLooking) {
      const metrics = await exchange.metrics();
      const ms = (metrics.get('projection_lag_seconds') ?? 0) * 1_000;
      looks.push({ commands: metrics.get('projection_lag_commands') ?? 0, ms });
      await sleep(LOOK_MS);
    }
  };
  const looked = look();
  const terms = { requests, connections: 100, isSuccess: isAccepted };
  const { perSecond, errors } = await runClosedLoop(exchange, terms);
  isLooking = false;
  await looked;
  if (errors > 0) throw new Error(`${errors} orders failed`);
  const lagMs = spreadOf(looks.map(({ ms }) => ms));
  return {
    ordersPerSecond: perSecond,
    mostCommands: Math.max(...looks.map(({ commands }) => commands)),
    mostMs: lagMs.highest,
    medianMs: lagMs.median,
  };
}

/** What the measurements of one folder share. */
interface Bench {
  readonly exchange: Exchange;
  readonly orders: Orders;
  readonly seconds: number;
}

function send({ exchange }: Bench, requests: readonly LoadRequest[], perSecond: number) {
  const dueMs = evenly(requests.length, perSecond);
  return runOpenLoop({ url: exchange.url, connections: OPEN_CONNECTIONS, requests, dueMs });
}

/** The flow of orders, signed now and sent when the returned function is called. */
function makeFlow(bench: Bench): () => Promise<OpenAnswers> {
  const requests = bench.orders.make(ORDERS_PER_SECOND * bench.seconds);
  return async () => {
    const answers = await send(bench, requests, ORDERS_PER_SECOND);
    if (answers.statuses.some((status) => status !== 200)) throw new Error('an order was refused');
    return answers;
  };
}

/** Processor time of the program while something is done, in ms. */
async function workOf<Done>({ exchange }: Bench, act: () => Promise<Done>) {
  const before = exchange.processorSeconds();
  const done = await act();
  return { done, workMs: (exchange.processorSeconds() - before) * 1_000 };
}

async function answerBytes({ exchange }: Bench, { make }: Read): Promise<number> {
  const { method, path, headers, body } = make();
  const init = { method, headers, ...(method === 'GET' ? {} : { body }) };
  return (await (await fetch(`${exchange.url}${path}`, init)).arrayBuffer()).byteLength;
}

/** `flowMs`: the processor time of the flow of orders alone. */
async function measureRead(bench: Bench, read: Read, flowMs: number) {
  printProgress(`analytics: ${read.name}`);
  const bytes: number[] = [];
  while (bytes.length < ANSWERS_SIZED) bytes.push(await answerBytes(bench, read));
  const count = READS_PER_SECOND * bench.seconds;
  const requests = Array.from({ length: count }, read.make);
  const flow = makeFlow(bench);
  const { done, workMs } = await workOf(bench, () =>
    Promise.all([send(bench, requests, READS_PER_SECOND), flow()]),
  );
  const [answers, ordered] = done;
  const { p50, p99, longest } = percentilesOf([answers.latenciesMs]);
  return {
    name: read.name,
    p50Ms: p50 / 1e6,
    p99Ms: p99 / 1e6,
    longestMs: longest / 1e6,
    /** The size of the largest of a few answers. */
    kilobytes: Math.max(...bytes) / 1_024,
    workMs: (workMs - flowMs) / count,
    failures: answers.statuses.filter((status) => status !== 200 && status !== 207).length,
    orderP99Ms: percentilesOf([ordered.latenciesMs]).p99 / 1e6,
  };
}

/** Leaves the folder with more orders in it. */
export async function measureLoad(dataDir: string, seconds: number) {
  const reads = analyticsReads(join(dataDir, 'analytics.db'));
  const exchange = await Exchange.start(FLAGS, dataDir);
  try {
    await exchange.caughtUp();
    const orders = await Orders.of(exchange);
    const lag = await measureLag(exchange, orders);
    await exchange.caughtUp();
    const bench = { exchange, orders, seconds };
    const { workMs: flowMs } = await workOf(bench, makeFlow(bench));
    const figures: Awaited<ReturnType<typeof measureRead>>[] = [];
    for (const read of reads) figures.push(await measureRead(bench, read, flowMs));
    return { lag, reads: figures };
  } finally {
    await exchange.stop();
  }
}
