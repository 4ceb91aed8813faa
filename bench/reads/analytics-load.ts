/**
 * The real program on a data folder of the analytics benchmark: how far its projection is behind
 * while orders come as fast as they are answered, and how long each read takes at 100 a second
 * while orders flow.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAccepted, runClosedLoop } from '../harness/closed-loop.ts';
import { Exchange } from '../harness/exchange.ts';
import { Orders } from '../harness/orders.ts';
import { printProgress } from '../harness/print.ts';
import { percentilesOf, spreadOf } from '../harness/statistics.ts';
import { analyticsReads, type Read } from './analytics-requests.ts';
import { BesideOrders } from './beside-orders.ts';

const READS_PER_SECOND = 100;
const FULL_SPEED_ORDERS = 6_000;
const LOOK_MS = 20;
const FLAGS = ['--paper-amount', '1000000', '--dev-accounts', '20', '--log-level', 'error'];

/** The lag of the projection, and the orders a second that are answered meanwhile. */
async function measureLag(exchange: Exchange) {
  const requests = (await Orders.of(exchange)).make(FULL_SPEED_ORDERS);
  const looksMs: number[] = [];
  let isLooking = true;
  const look = async (): Promise<void> => {
    while (isLooking) {
      looksMs.push(((await exchange.metrics()).get('projection_lag_seconds') ?? 0) * 1_000);
      await sleep(LOOK_MS);
    }
  };
  const looked = look();
  const terms = { requests, connections: 100, isSuccess: isAccepted };
  const { perSecond, errors } = await runClosedLoop(exchange, terms);
  isLooking = false;
  await looked;
  if (errors > 0) throw new Error(`${errors} orders failed`);
  return { ordersPerSecond: perSecond, lagMs: spreadOf(looksMs) };
}

async function measureRead(bench: BesideOrders, { name, make }: Read, seconds: number) {
  printProgress(`analytics: ${name}`);
  const requests = Array.from({ length: READS_PER_SECOND * seconds }, make);
  const { readsMs, ordersMs, processorSeconds } = await bench.run(requests);
  const [reads, orders] = [percentilesOf([readsMs]), percentilesOf([ordersMs])];
  return { name, reads, orders, processorSeconds, count: requests.length };
}

/** Measures the program on a folder. The orders that it sends stay in the folder. */
export async function measureLoad(dataDir: string, seconds: number) {
  const kinds = analyticsReads(join(dataDir, 'analytics.db'));
  const exchange = await Exchange.start(FLAGS, dataDir);
  try {
    await exchange.caughtUp();
    const full = await measureLag(exchange);
    await exchange.caughtUp();
    const bench = await BesideOrders.of(exchange, seconds);
    const { processorSeconds: forOrders } = await bench.run([]);
    // The first read of a thread starts it.
    await bench.run(kinds.flatMap(({ make }) => [make(), make()]));
    const reads = [];
    for (const kind of kinds) {
      const { processorSeconds, count, ...read } = await measureRead(bench, kind, seconds);
      reads.push({ ...read, processorMs: ((processorSeconds - forOrders) * 1_000) / count });
    }
    return { ...full, reads };
  } finally {
    await exchange.stop();
  }
}
