/**
 * `npm run bench -- flood`: several addresses flood the exchange from processes of their own, with
 * right or with wrong signatures, while a quiet owner sends one order at a time from another
 * address. None of the quiet orders may be refused, whatever the number of flooding addresses.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Exchange, type LoadMarket } from '../harness/exchange.ts';
import { Orders } from '../harness/orders.ts';
import { inMs, printProgress, printReport, whole } from '../harness/print.ts';
import { Process } from '../harness/process.ts';
import { type BenchResult, machine } from '../harness/results.ts';
import { percentilesOf } from '../harness/statistics.ts';
import { summaryRow } from '../harness/summary.ts';
import type * as Sender from './flood-sender.ts';
import type { Sent } from './flood-sender.ts';
import { FLAGS } from './servers.ts';

const SENDER = new URL('./flood-sender.ts', import.meta.url);
const ADDRESSES = [8, 30, 150];
/** Sockets of all flooding addresses together. */
const SOCKETS = 300;
const BATCH = 15;
const QUIET_PAUSE_MS = 20;
/** How long the flood runs before the quiet owner starts: by then it has filled the queue. */
const SETTLE_MS = 3_000;
const QUIET_SENDER = 1;

interface Flood {
  readonly addresses: number;
  readonly hasWrongSignatures: boolean;
  /** Orders of the quiet owner. */
  readonly orders: number;
}

async function measure(
  exchange: Exchange,
  market: LoadMarket,
  { addresses, orders, ...kind }: Flood,
) {
  const flooding = new Process<typeof Sender>(SENDER);
  const quiet = new Process<typeof Sender>(SENDER);
  const terms = { url: exchange.url, market, ...kind };
  try {
    const connections = Math.ceil(SOCKETS / addresses);
    const first = QUIET_SENDER + 1;
    await flooding.call('startFlood', { ...terms, first, addresses, connections, batch: BATCH });
    await sleep(SETTLE_MS);
    const single = { addresses: 1, connections: 1, batch: 1, hasWrongSignatures: false };
    const sent = await quiet.call(
      'sendQuietly',
      { ...terms, ...single, first: QUIET_SENDER },
      orders,
      QUIET_PAUSE_MS,
    );
    return { addresses, orders, ...kind, flood: await flooding.call('stopFlood'), quiet: sent };
  } finally {
    await Promise.all([flooding.stop(), quiet.stop()]);
  }
}
type Measured = Awaited<ReturnType<typeof measure>>;

function refusedOf({ statuses }: Sent): number {
  const all = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return all - (statuses[200] ?? 0);
}

const HEAD = 'addresses|signatures|flood 200|503|429|quiet refused|p50 ms|p99 ms'.split('|');

function rowOf({ addresses, hasWrongSignatures, orders, flood, quiet }: Measured): string[] {
  const { p50, p99 } = percentilesOf([quiet.latenciesMs]);
  return [
    whole(addresses),
    hasWrongSignatures ? 'wrong' : 'right',
    ...[200, 503, 429].map((status) => whole(flood.statuses[status] ?? 0)),
    `${refusedOf(quiet)} of ${orders}`,
    inMs(p50, 0),
    inMs(p99, 0),
  ];
}

export async function benchFlood({ orders = 150 }): Promise<BenchResult> {
  const measured: Measured[] = [];
  for (const hasWrongSignatures of [false, true]) {
    for (const addresses of ADDRESSES) {
      printProgress(`flood: ${addresses} addresses`);
      // Each flood gets a new exchange, because the flood before has filled the books.
      measured.push(
        await Exchange.with(FLAGS, async (exchange) => {
          const { markets } = await Orders.of(exchange);
          return await measure(exchange, markets[0]!, { addresses, hasWrongSignatures, orders });
        }),
      );
    }
  }
  const refused = measured.reduce((sum, { quiet }) => sum + refusedOf(quiet), 0);
  const total = measured.length * orders;
  printReport(`Quiet orders in a flood (${machine()})`, [HEAD, ...measured.map(rowOf)], '');
  return {
    figures: {
      measured: measured.map(({ quiet, flood, ...rest }) => ({
        ...rest,
        quiet: quiet.statuses,
        flood: flood.statuses,
      })),
    },
    rows: [
      summaryRow({
        what: 'flood: quiet orders that were refused',
        ours: `${refused} of ${total}`,
        budget: 'under 1',
        value: refused,
      }),
    ],
  };
}
