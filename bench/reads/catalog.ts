/**
 * `npm run bench -- catalog`: a made-up catalog imported into the real program's folder, and lists
 * and searches of it at 200 a second while orders are matched, beside the same orders alone; at
 * 1,000, 10,000 and 100,000 markets. `--markets N` measures one size alone, `--rounds N` in so many
 * rounds.
 */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Request } from 'autocannon';
import { runChild } from '../harness/measurement.ts';
import { type OpenAnswers, sendOpen } from '../harness/open-load.ts';
import { readOptions } from '../harness/options.ts';
import { OrderRequests } from '../harness/order-requests.ts';
import { fixed, printLine, printProgress, printTable, whole } from '../harness/print.ts';
import { machine, recordResult } from '../harness/results.ts';
import { makeDataDir, type ServerProcess, startServer } from '../harness/server-process.ts';
import { type Percentiles, percentilesOf } from '../harness/statistics.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import { CatalogGenerator, type CatalogSize } from './catalog-generator.ts';
import type { CatalogImportInput, CatalogImportOutput } from './catalog-import.ts';
import { CatalogRequests } from './catalog-requests.ts';

const IMPORT = new URL('./catalog-import.ts', import.meta.url);
const FLAGS = ['--paper-amount', '1000000', '--dev-accounts', '10', '--log-level', 'error'];
const SIZES = [1_000, 10_000, 100_000];
export const CATALOG_OPTIONS = { markets: 'number', rounds: 'number' } as const;
const ROUNDS = 3;
/** What is not answered by then never is. */
const ROUND_LIMIT_MS = 60_000;
const ROUND_SECONDS = 4;
const READS_PER_SECOND = 200;
const ORDERS_PER_SECOND = 50;
const CONNECTIONS = 50;
const BUDGETS = { importSeconds: 60, listMs: 5, searchMs: 20, matching: 1.5 } as const;

const CAVEATS = [
  `Lists of 20 and searches of 25 a type, ${READS_PER_SECOND} a second of one kind, in open loops;`,
  `${ORDERS_PER_SECOND} signed orders a second beside them and alone, in rounds taken in turn.`,
  'Latencies count from when a request was due; the sender shares the processors and reads the',
  'answers, some 100 KB each. Import: a process of its own, into the folder that is then served;',
  'in it are start and end of the program, an index of words, and one synced transaction.',
  'Processor: what the program takes for an answer, without that for the orders.',
];

/** By kind of load. */
interface Latencies {
  readonly reads: Float64Array[];
  readonly orders: Float64Array[];
  processorSeconds: number;
}

type Load = 'orders' | 'lists' | 'searches';
const LOADS: readonly Load[] = ['orders', 'lists', 'searches'];

interface LoadFigures {
  readonly reads: Percentiles;
  readonly orders: Percentiles;
  /** Of one answer. */
  readonly processorMicros: number;
}

interface Figures extends CatalogImportOutput {
  readonly markets: number;
  readonly loads: Readonly<Record<Load, LoadFigures>>;
  /** p99 of orders with reads beside them, over that of orders alone. */
  readonly matching: Readonly<Record<'lists' | 'searches', number>>;
}

function sizeOf(markets: number): CatalogSize {
  return {
    seed: 1,
    markets,
    events: Math.ceil(markets * 0.3),
    tags: 500,
    series: 200,
  };
}

/** Events with their markets, then two comments a market: one line a record. */
function writeFile(file: string, size: CatalogSize): void {
  const generator = new CatalogGenerator(size);
  const descriptor = openSync(file, 'w');
  const writeList = (name: string, batches: Iterable<readonly unknown[]>): void => {
    let before = `"${name}":[`;
    for (const batch of batches) {
      writeSync(descriptor, before + batch.map((one) => JSON.stringify(one)).join(',\n'));
      before = ',\n';
    }
    writeSync(descriptor, ']');
  };
  writeSync(descriptor, '{');
  writeList('events', generator.batches(500));
  writeSync(descriptor, ',');
  writeList('comments', inBatches(generator.comments(2 * size.markets)));
  writeSync(descriptor, '}');
  closeSync(descriptor);
}

function* inBatches<Value>(values: Iterable<Value>): Generator<Value[]> {
  let batch: Value[] = [];
  for (const value of values) {
    batch.push(value);
    if (batch.length < 1_000) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function importCatalog(dataDir: string, size: CatalogSize): Promise<CatalogImportOutput> {
  const file = join(dataDir, 'made-up.json');
  writeFile(file, size);
  const input = { dataDir, file };
  const output = await runChild<CatalogImportInput, CatalogImportOutput>(IMPORT, input);
  rmSync(file);
  if (output.refused > 0) throw new Error(`${output.refused} records were refused`);
  return output;
}

function dueEach(perSecond: number, seconds: number): Float64Array {
  return Float64Array.from({ length: perSecond * seconds }, (_, at) => (at * 1_000) / perSecond);
}

async function withinLimit<Value>(work: Promise<Value>): Promise<Value> {
  const limit = new AbortController();
  const late = setTimeout(ROUND_LIMIT_MS, undefined, { signal: limit.signal }).then(() => {
    throw new Error(`a round is not answered within ${ROUND_LIMIT_MS / 1_000} seconds`);
  });
  // Of a round that is answered the timer is taken back.
  late.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    limit.abort();
  }
}

/** Sends reads and orders together; every answer must be 200. */
async function runRound(
  server: ServerProcess,
  { reads, orders }: { readonly reads: readonly Request[]; readonly orders: readonly Request[] },
) {
  const send = (requests: readonly Request[], perSecond: number): Promise<OpenAnswers> => {
    const dueMs = dueEach(perSecond, requests.length / perSecond);
    return sendOpen({ url: server.url, connections: CONNECTIONS, requests, dueMs });
  };
  const before = server.processorSeconds();
  const sent = Promise.all([
    reads.length === 0 ? undefined : send(reads, READS_PER_SECOND),
    send(orders, ORDERS_PER_SECOND),
  ]);
  const [answered, placed] = await withinLimit(sent);
  for (const [requests, answers] of [
    [reads, answered],
    [orders, placed],
  ] as const) {
    const wrong = answers?.statuses.findIndex((status) => status !== 200) ?? -1;
    const what = requests[wrong];
    if (what !== undefined) {
      throw new Error(`${what.method} ${what.path} answers ${answers?.statuses[wrong]}`);
    }
  }
  const processorSeconds = server.processorSeconds() - before;
  return { reads: answered?.latenciesMs, orders: placed.latenciesMs, processorSeconds };
}

async function measureLoads(server: ServerProcess, size: CatalogSize, rounds: number) {
  const requests = new CatalogRequests(size, new CatalogGenerator(size));
  const orders = await OrderRequests.of(server);
  const latencies: Record<Load, Latencies> = {
    orders: { reads: [], orders: [], processorSeconds: 0 },
    lists: { reads: [], orders: [], processorSeconds: 0 },
    searches: { reads: [], orders: [], processorSeconds: 0 },
  };
  const readsOf: Record<Load, (count: number) => Request[]> = {
    orders: () => [],
    lists: (count) => requests.lists(count),
    searches: (count) => requests.searches(count),
  };
  // The first round is to warm up.
  for (let round = 0; round <= rounds; round += 1) {
    printProgress(`catalog: ${whole(size.markets)} markets: round ${round}`);
    for (const load of round % 2 === 0 ? LOADS : LOADS.toReversed()) {
      const done = await runRound(server, {
        reads: readsOf[load](READS_PER_SECOND * ROUND_SECONDS),
        orders: orders.make(ORDERS_PER_SECOND * ROUND_SECONDS),
      });
      if (round === 0) continue;
      const sums = latencies[load];
      if (done.reads !== undefined) sums.reads.push(done.reads);
      sums.orders.push(done.orders);
      sums.processorSeconds += done.processorSeconds;
    }
  }
  return latencies;
}

function figuresOf(latencies: Readonly<Record<Load, Latencies>>): Figures['loads'] {
  const alone = latencies.orders.processorSeconds;
  const figures = (load: Load): LoadFigures => {
    const { reads, orders, processorSeconds } = latencies[load];
    const answers = reads.length * ROUND_SECONDS * READS_PER_SECOND;
    return {
      reads: percentilesOf(reads),
      orders: percentilesOf(orders),
      processorMicros: ((processorSeconds - alone) * 1e6) / answers,
    };
  };
  return { orders: figures('orders'), lists: figures('lists'), searches: figures('searches') };
}

async function measure(markets: number, rounds: number): Promise<Figures> {
  const size = sizeOf(markets);
  const dataDir = makeDataDir();
  try {
    // A first start, so that the built-in markets are there to be traded.
    const first = await startServer(FLAGS, dataDir);
    await first.stop();
    printProgress(`catalog: ${whole(markets)} markets: import`);
    const imported = await importCatalog(dataDir, size);
    const server = await startServer(FLAGS, dataDir);
    const latencies = await measureLoads(server, size, rounds).finally(() => server.stop());
    const loads = figuresOf(latencies);
    const ratio = (load: Load): number => loads[load].orders.p99 / loads.orders.orders.p99;
    const matching = { lists: ratio('lists'), searches: ratio('searches') };
    return { markets, ...imported, loads, matching };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function ms(ns: number): string {
  return fixed(ns / 1e6, 1);
}

/** How much more the largest catalog takes than the smallest, for a record or an answer. */
function printGrowth(rows: readonly Figures[]): void {
  const [small, large] = [rows[0], rows.at(-1)];
  if (small === undefined || large === undefined || small === large) return;
  const times = (of: (figures: Figures) => number): string => fixed(of(large) / of(small), 2);
  const answer = (load: Load): string[] => [
    `an answer: ${load}`,
    times(({ loads }) => loads[load].processorMicros),
    times(({ loads }) => loads[load].reads.p99),
  ];
  printLine();
  printTable([
    [`${whole(large.markets)} of ${whole(small.markets)} markets`, 'processor', 'time (p99)'],
    [
      'a record: import',
      times(({ processorSeconds, records }) => processorSeconds / records),
      times(({ seconds, records }) => seconds / records),
    ],
    answer('lists'),
    answer('searches'),
  ]);
}

function print(rows: readonly Figures[]): void {
  printLine(`The catalog at the size of a venue (${machine()})`);
  printLine();
  printTable([
    ['import of', 'records', 'seconds', 'processor s', 'peak MB'],
    ...rows.map(({ markets, records, seconds, processorSeconds, peakMegabytes }) => [
      `${whole(markets)} markets`,
      whole(records),
      fixed(seconds, 1),
      fixed(processorSeconds, 1),
      whole(peakMegabytes),
    ]),
  ]);
  printLine();
  printTable([
    ['ms', 'p50', 'p99', 'p99.9', 'longest', 'processor us', 'orders p99', 'of alone'],
    ...rows.flatMap(({ markets, loads, matching }) =>
      (['lists', 'searches'] as const).map((load) => {
        const { reads, orders, processorMicros } = loads[load];
        return [
          `${load}, ${whole(markets)}`,
          ...[reads.p50, reads.p99, reads.p999, reads.longest].map(ms),
          whole(processorMicros),
          ms(orders.p99),
          fixed(matching[load], 2),
        ];
      }),
    ),
  ]);
  printGrowth(rows);
  printLine();
  const { importSeconds, listMs, searchMs, matching } = BUDGETS;
  printLine(
    `  budgets: import ${importSeconds} s, lists' p99 ${listMs} ms, ` +
      `searches' p99 ${searchMs} ms, orders' p99 ${matching} of alone`,
  );
  for (const line of CAVEATS) printLine(`  ${line}`);
}

/** Of the largest catalog. */
function summaryOf({ markets, seconds, loads, matching }: Figures): SummaryRow[] {
  const size = `catalog of ${whole(markets)} markets`;
  const p99 = (load: 'lists' | 'searches', budgetMs: number): SummaryRow => {
    const p99Ms = loads[load].reads.p99 / 1e6;
    return summaryRow({
      what: `${size}, ${load}, p99`,
      ours: `${fixed(p99Ms, 1)} ms`,
      budget: `under ${budgetMs} ms`,
      value: p99Ms,
    });
  };
  const beside = (load: 'lists' | 'searches'): SummaryRow =>
    summaryRow({
      what: `${size}, orders' p99 beside ${load}`,
      ours: `${ms(loads[load].orders.p99)} ms`,
      reference: `${ms(loads.orders.orders.p99)} ms alone`,
      ratio: fixed(matching[load], 2),
      budget: `under ${BUDGETS.matching}`,
      value: matching[load],
    });
  return [
    summaryRow({
      what: `${size}, import`,
      ours: `${fixed(seconds, 1)} s`,
      budget: `under ${BUDGETS.importSeconds} s`,
      value: seconds,
    }),
    p99('lists', BUDGETS.listMs),
    p99('searches', BUDGETS.searchMs),
    beside('lists'),
    beside('searches'),
  ];
}

export async function benchCatalog(options: readonly string[]): Promise<readonly SummaryRow[]> {
  const rows: Figures[] = [];
  const { markets: one, rounds = ROUNDS } = readOptions(options, CATALOG_OPTIONS);
  for (const markets of one === undefined ? SIZES : [one])
    rows.push(await measure(markets, rounds));
  print(rows);
  recordResult('catalog', { rows });
  return rows.slice(-1).flatMap(summaryOf);
}
