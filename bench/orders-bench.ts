/**
 * `npm run bench -- orders`: signed orders over HTTP to the real program, authenticated and durable
 * (every answer comes after a synced commit of its order to a data folder on disk).
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { syncMs } from './disk.ts';
import { type LoadResult, runLoad } from './http-load.ts';
import { OrderRequests } from './order-requests.ts';
import { fixed, printLine, printProgress, printTable, whole } from './print.ts';
import { machine, recordResult } from './results.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { spreadOf } from './statistics.ts';
import { type SummaryRow, speedText, summaryRow } from './summary.ts';

const CONNECTIONS = 100;
const WARM_UP_ORDERS = 4_000;
const ROUND_ORDERS = 10_000;
const ROUNDS = 3;
/** Enough for all orders of all rounds. */
const PAPER_AMOUNT = '1000000';

const CAVEATS = [
  `${CONNECTIONS} kept-alive connections, one order in flight on each; autocannon shares the`,
  'processors. Excluded: making and signing the requests, TLS, a network. Closed loop: at full',
  'load a slow answer delays the next request of its connection, so percentiles are of answers,',
  "not of arrivals. At half load autocannon sends each second's share of a connection in one go,",
  'so that arrivals come in bursts.',
];

interface Round extends LoadResult {
  readonly what: string;
  /** Microseconds of processor time an order, of all threads of the program. */
  readonly serverMicros: number;
  /** The same of autocannon, in this process. */
  readonly loadMicros: number;
}

const isSuccess = (body: string): boolean => body.includes('"success":true');

async function runRound(
  server: ServerProcess,
  orders: OrderRequests,
  terms: { readonly what: string; readonly count: number; readonly rate?: number },
): Promise<Round> {
  const { what, count, rate } = terms;
  printProgress(`orders: ${what}: signing ${whole(count)}`);
  const requests = orders.make(count);
  printProgress(`orders: ${what}: sending`);
  const serverBefore = server.processorSeconds();
  const loadBefore = process.cpuUsage();
  const load = { url: server.url, requests, connections: CONNECTIONS, isSuccess };
  const result = await runLoad(rate === undefined ? load : { ...load, rate });
  const { user, system } = process.cpuUsage(loadBefore);
  return {
    ...result,
    what,
    serverMicros: ((server.processorSeconds() - serverBefore) * 1e6) / count,
    loadMicros: (user + system) / count,
  };
}

/** What the journal has, read after the program has ended. */
function journaledOrders(dataDir: string): number {
  const journal = new Database(join(dataDir, 'journal.db'), { readonly: true });
  const count = journal.prepare("SELECT count(*) FROM commands WHERE kind = 'place_order'").pluck();
  const orders = Number(count.get());
  journal.close();
  return orders;
}

function printRounds(rounds: readonly Round[]): void {
  const ms = (ns: number): string => fixed(ns / 1e6, 1);
  printTable([
    ['', 'orders/s', 'p50 ms', 'p99 ms', 'p99.9 ms', 'errors', 'program us', 'autocannon us'],
    ...rounds.map(({ what, perSecond, latencyNs, errors, serverMicros, loadMicros }) => [
      what,
      whole(perSecond),
      ms(latencyNs.p50),
      ms(latencyNs.p99),
      ms(latencyNs.p999),
      whole(errors),
      fixed(serverMicros, 0),
      fixed(loadMicros, 0),
    ]),
  ]);
}

async function runRounds(server: ServerProcess): Promise<Round[]> {
  const orders = await OrderRequests.of(server);
  const warmUp = await runRound(server, orders, { what: 'warm-up', count: WARM_UP_ORDERS });
  const rounds: Round[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const what = `full load, round ${round}`;
    rounds.push(await runRound(server, orders, { what, count: ROUND_ORDERS }));
  }
  const rate = Math.round(spreadOf(rounds.map(({ perSecond }) => perSecond)).median / 2);
  rounds.push(await runRound(server, orders, { what: 'half load', count: ROUND_ORDERS, rate }));
  return [{ ...warmUp, what: 'warm-up (not counted)' }, ...rounds];
}

/** The rounds by what they are called, for the table of a whole run. */
function rowsOf(rounds: readonly Round[]): SummaryRow[] {
  const full = rounds.filter(({ what }) => what.startsWith('full load'));
  const half = rounds.find(({ what }) => what === 'half load');
  const halfP99Ms = (half?.latencyNs.p99 ?? Number.NaN) / 1e6;
  const speed = spreadOf(full.map(({ perSecond }) => perSecond));
  return [
    summaryRow({ what: 'POST /order, full load, orders/s', ours: speedText(speed) }),
    summaryRow({
      what: 'POST /order, half load, p99',
      ours: `${fixed(halfP99Ms, 1)} ms`,
      budget: 'under 25 ms',
      value: halfP99Ms,
    }),
  ];
}

export async function benchOrders(_options: readonly string[]): Promise<readonly SummaryRow[]> {
  const server = await startServer(['--paper-amount', PAPER_AMOUNT, '--log-level', 'error']);
  try {
    const probeMs = syncMs(server.dataDir);
    const rounds = await runRounds(server);
    await server.stop();
    const sent = WARM_UP_ORDERS + ROUND_ORDERS * (ROUNDS + 1);
    const journaled = journaledOrders(server.dataDir);
    const errors = rounds.reduce((sum, round) => sum + round.errors, 0);
    const speed = spreadOf(rounds.slice(1, 1 + ROUNDS).map(({ perSecond }) => perSecond));
    printLine(`POST /order: signed, authenticated, durable (${machine()})`);
    printLine();
    printRounds(rounds);
    printLine();
    const { median, lowest, highest } = speed;
    printLine(`  full load: ${whole(median)} orders/s (${whole(lowest)}..${whole(highest)})`);
    printLine(`  journaled ${whole(journaled)} of ${whole(sent)} orders sent; errors ${errors}`);
    printLine(`  one synced 4 KiB write to this disk: ${fixed(probeMs, 2)} ms`);
    for (const line of CAVEATS) printLine(`  ${line}`);
    recordResult('orders', {
      connections: CONNECTIONS,
      fullPerSecond: speed,
      rounds,
      journaled,
      sent,
      syncMs: probeMs,
    });
    if (errors > 0 || journaled !== sent) process.exitCode = 1;
    return rowsOf(rounds);
  } finally {
    await server.stop();
    server.remove();
  }
}
