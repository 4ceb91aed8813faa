/**
 * `npm run bench -- catalog`: a made-up catalog imported into the real program's folder; then lists
 * and searches of it at 200 a second while orders are matched, beside the same orders alone; at
 * 1,000, 10,000 and 100,000 markets. `--markets N` measures one size alone, `--rounds N` takes so
 * many rounds.
 */
import { rmSync } from 'node:fs';
import type { Options } from '../harness/arguments.ts';
import type { LoadRequest } from '../harness/closed-loop.ts';
import { Exchange, makeDataDir } from '../harness/exchange.ts';
import { evenly, runOpenLoop } from '../harness/open-loop.ts';
import { Orders } from '../harness/orders.ts';
import {
  fixed,
  inMs,
  printProgress,
  printReport,
  type ReportPart,
  whole,
} from '../harness/print.ts';
import { callInProcess } from '../harness/process.ts';
import { type BenchResult, machine } from '../harness/results.ts';
import { percentilesOf } from '../harness/statistics.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import { CatalogGenerator, type CatalogSize } from './catalog-generator.ts';
import type * as Import from './catalog-import.ts';
import { catalogFile, writeCatalog } from './catalog-import.ts';
import { CatalogRequests } from './catalog-requests.ts';

export const CATALOG_OPTIONS = { markets: 'number', rounds: 'number' } as const;
const IMPORT = new URL('./catalog-import.ts', import.meta.url);
const FLAGS = ['--paper-amount', '1000000', '--dev-accounts', '10', '--log-level', 'error'];
const SIZES = [1_000, 10_000, 100_000];
const ROUND_SECONDS = 4;
const READS_PER_SECOND = 200;
const ORDERS_PER_SECOND = 50;
const CONNECTIONS = 50;
const BUDGETS = { importSeconds: 60, lists: 5, searches: 20, matching: 1.5 } as const;
const LOADS = ['orders', 'lists', 'searches'] as const;
const READS = ['lists', 'searches'] as const;
type Load = (typeof LOADS)[number];

const NOTES =
  `budgets: import ${BUDGETS.importSeconds} s, lists' p99 ${BUDGETS.lists} ms, searches' p99 ` +
  `${BUDGETS.searches} ms, orders' p99 ${BUDGETS.matching} of alone\n` +
  `Lists of 20 and searches of 25 a type, ${READS_PER_SECOND} a second of one kind, in open ` +
  `loops; ${ORDERS_PER_SECOND} signed orders a second beside them and alone, in rounds taken in ` +
  'turn. Latencies count from when a request was due; the sender shares the processors and reads ' +
  'the answers, some 100 KB each. Import: its own process, into the folder that is then ' +
  'served, with start and end of the program, an index of words, and one synced transaction. ' +
  'Processor: what the program takes for an answer, without its time for the orders.';

/** What the rounds of one kind of load measured. */
interface Rounds {
  readonly reads: Float64Array[];
  readonly orders: Float64Array[];
  processorSeconds: number;
}

/** Sends requests at an even rate. Every answer must be 200. Returns the latencies. */
async function send({ url }: Exchange, requests: readonly LoadRequest[], perSecond: number) {
  const dueMs = evenly(requests.length, perSecond);
  const answers = await runOpenLoop({ url, connections: CONNECTIONS, requests, dueMs });
  const wrong = answers.statuses.findIndex((status) => status !== 200);
  if (wrong < 0) return answers.latenciesMs;
  const { method, path } = requests[wrong]!;
  throw new Error(`${method} ${path} answers ${answers.statuses[wrong]}`);
}

async function runRounds(exchange: Exchange, size: CatalogSize, rounds: number) {
  const requests = new CatalogRequests(size, new CatalogGenerator(size));
  const orders = await Orders.of(exchange);
  const none = (): Rounds => ({ reads: [], orders: [], processorSeconds: 0 });
  const sums: Record<Load, Rounds> = { orders: none(), lists: none(), searches: none() };
  // The first round is to warm up.
  for (let round = 0; round <= rounds; round += 1) {
    printProgress(`catalog: ${whole(size.markets)} markets: round ${round}`);
    for (const load of round % 2 === 0 ? LOADS : LOADS.toReversed()) {
      const reads = load === 'orders' ? [] : requests[load](READS_PER_SECOND * ROUND_SECONDS);
      const placed = orders.make(ORDERS_PER_SECOND * ROUND_SECONDS);
      const before = exchange.processorSeconds();
      const sent = await Promise.all([
        reads.length === 0 ? undefined : send(exchange, reads, READS_PER_SECOND),
        send(exchange, placed, ORDERS_PER_SECOND),
      ]);
      if (round === 0) continue;
      if (sent[0] !== undefined) sums[load].reads.push(sent[0]);
      sums[load].orders.push(sent[1]);
      sums[load].processorSeconds += exchange.processorSeconds() - before;
    }
  }
  return sums;
}

async function measure(markets: number, rounds: number) {
  const events = Math.ceil(markets * 0.3);
  const size: CatalogSize = { seed: 1, markets, events, tags: 500, series: 200 };
  const dataDir = makeDataDir();
  try {
    // A first start, so that the built-in markets are there to be traded.
    await (await Exchange.start(FLAGS, dataDir)).stop();
    printProgress(`catalog: ${whole(markets)} markets: import`);
    writeCatalog(catalogFile(dataDir), size);
    const imported = await callInProcess<typeof Import, 'importCatalog'>(
      IMPORT,
      'importCatalog',
      dataDir,
    );
    const exchange = await Exchange.start(FLAGS, dataDir);
    const sums = await runRounds(exchange, size, rounds).finally(() => exchange.stop());
    const figures = (load: Load) => {
      const { reads, orders, processorSeconds } = sums[load];
      const answers = reads.length * ROUND_SECONDS * READS_PER_SECOND;
      const alone = sums.orders.processorSeconds;
      return {
        reads: percentilesOf(reads),
        orders: percentilesOf(orders),
        /** Processor time of one answer. */
        processorMicros: ((processorSeconds - alone) * 1e6) / answers,
      };
    };
    const loads = {
      orders: figures('orders'),
      lists: figures('lists'),
      searches: figures('searches'),
    };
    const ratio = (load: Load): number => loads[load].orders.p99 / loads.orders.orders.p99;
    /** The p99 of orders beside reads, over that of orders alone. */
    const matching = { lists: ratio('lists'), searches: ratio('searches') };
    return { markets, ...imported, loads, matching };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Figures = Awaited<ReturnType<typeof measure>>;

/** How much more the largest catalog takes than the smallest, for a record or an answer. */
function growth(rows: readonly Figures[]): ReportPart[] {
  const [small, large] = [rows[0], rows.at(-1)];
  if (small === undefined || large === undefined || small === large) return [];
  const times = (of: (figures: Figures) => number): string => fixed(of(large) / of(small), 2);
  return [
    [
      [`${whole(large.markets)} of ${whole(small.markets)} markets`, 'processor', 'time (p99)'],
      [
        'a record: import',
        times(({ processorSeconds, records }) => processorSeconds / records),
        times(({ seconds, records }) => seconds / records),
      ],
      ...READS.map((load) => [
        `an answer: ${load}`,
        times(({ loads }) => loads[load].processorMicros),
        times(({ loads }) => loads[load].reads.p99),
      ]),
    ],
  ];
}

function print(rows: readonly Figures[]): void {
  const latencies = rows.flatMap(({ markets, loads, matching }) =>
    READS.map((load) => {
      const { reads, orders, processorMicros } = loads[load];
      return [
        `${load}, ${whole(markets)}`,
        inMs(reads.p50),
        inMs(reads.p99),
        inMs(reads.p999),
        inMs(reads.longest),
        whole(processorMicros),
        inMs(orders.p99),
        fixed(matching[load], 2),
      ];
    }),
  );
  printReport(
    `The catalog at the size of a venue (${machine()})`,
    [
      ['import of', 'records', 'seconds', 'processor s', 'peak MB'],
      ...rows.map(({ markets, records, seconds, processorSeconds, peakMegabytes }) => [
        `${whole(markets)} markets`,
        whole(records),
        fixed(seconds, 1),
        fixed(processorSeconds, 1),
        whole(peakMegabytes),
      ]),
    ],
    [
      ['ms', 'p50', 'p99', 'p99.9', 'longest', 'processor us', 'orders p99', 'of alone'],
      ...latencies,
    ],
    ...growth(rows),
    NOTES,
  );
}

/** The rows of the largest catalog. */
function summaryOf({ markets, seconds, loads, matching }: Figures): SummaryRow[] {
  const size = `catalog of ${whole(markets)} markets`;
  return [
    summaryRow({
      what: `${size}, import`,
      ours: `${fixed(seconds, 1)} s`,
      budget: `under ${BUDGETS.importSeconds} s`,
      value: seconds,
    }),
    ...READS.map((load) =>
      summaryRow({
        what: `${size}, ${load}, p99`,
        ours: `${inMs(loads[load].reads.p99)} ms`,
        budget: `under ${BUDGETS[load]} ms`,
        value: loads[load].reads.p99 / 1e6,
      }),
    ),
    ...READS.map((load) =>
      summaryRow({
        what: `${size}, orders' p99 beside ${load}`,
        ours: `${inMs(loads[load].orders.p99)} ms`,
        reference: `${inMs(loads.orders.orders.p99)} ms alone`,
        ratio: fixed(matching[load], 2),
        budget: `under ${BUDGETS.matching}`,
        value: matching[load],
      }),
    ),
  ];
}

export async function benchCatalog({
  markets,
  rounds = 3,
}: Options<typeof CATALOG_OPTIONS>): Promise<BenchResult> {
  const rows: Figures[] = [];
  for (const size of markets === undefined ? SIZES : [markets]) {
    rows.push(await measure(size, rounds));
  }
  print(rows);
  return { figures: { rows }, rows: rows.slice(-1).flatMap(summaryOf) };
}
