/**
 * `npm run bench -- catalog`: imports a made-up catalog into the real program's folder, then reads
 * lists and searches at 200 a second while signed orders flow. The same orders without reads are
 * measured for comparison. Sizes are 1,000, 10,000 and 100,000 markets; `--markets N` measures one
 * size alone, `--rounds N` sets the number of rounds.
 */
import { rmSync } from 'node:fs';
import { Exchange, makeDataDir } from '../harness/exchange.ts';
import { fixed, inMs, percentilesText, printProgress, whole } from '../harness/print.ts';
import { callInProcess } from '../harness/process.ts';
import type { BenchResult } from '../harness/results.ts';
import { percentilesOf, sumOf } from '../harness/statistics.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import { BesideOrders } from './beside-orders.ts';
import type { CatalogSize } from './catalog-generator.ts';
import type * as Import from './catalog-import.ts';
import { CatalogRequests } from './catalog-requests.ts';

const IMPORT = new URL('./catalog-import.ts', import.meta.url);
const FLAGS = ['--paper-amount', '1000000', '--dev-accounts', '10', '--log-level', 'error'];
const SIZES = [1_000, 10_000, 100_000];
const ROUND_SECONDS = 4;
const READS_A_ROUND = 200 * ROUND_SECONDS;
const READS = ['lists', 'searches'] as const;
const LOADS = ['orders', ...READS] as const;
type Load = (typeof LOADS)[number];
type Round = Awaited<ReturnType<BesideOrders['run']>>;

/** What the rounds of one kind of load measured. */
function figuresOf(rounds: readonly Round[]) {
  return {
    reads: percentilesOf(rounds.map(({ readsMs }) => readsMs)),
    orders: percentilesOf(rounds.map(({ ordersMs }) => ordersMs)),
    processorSeconds: sumOf(rounds, ({ processorSeconds }) => processorSeconds),
  };
}

async function runRounds(exchange: Exchange, size: CatalogSize, rounds: number) {
  const requests = new CatalogRequests(size);
  const bench = await BesideOrders.of(exchange, ROUND_SECONDS);
  const measured: Record<Load, Round[]> = { orders: [], lists: [], searches: [] };
  // The first round is to warm up.
  for (let round = 0; round <= rounds; round += 1) {
    printProgress(`catalog: ${whole(size.markets)} markets: round ${round}`);
    for (const load of round % 2 === 0 ? LOADS : LOADS.toReversed()) {
      const done = await bench.run(load === 'orders' ? [] : requests[load](READS_A_ROUND));
      if (round > 0) measured[load].push(done);
    }
  }
  const alone = figuresOf(measured.orders);
  const beside = (load: Load) => {
    const { reads, orders, processorSeconds } = figuresOf(measured[load]);
    const forReads = processorSeconds - alone.processorSeconds;
    return {
      reads,
      orders,
      /** Processor time of one answer. */
      processorMicros: (forReads * 1e6) / (rounds * READS_A_ROUND),
      /** The p99 of orders beside these reads, over that of orders alone. */
      ofAlone: orders.p99 / alone.orders.p99,
    };
  };
  return { orders: alone.orders, lists: beside('lists'), searches: beside('searches') };
}

async function measure(markets: number, rounds: number) {
  const events = Math.ceil(markets * 0.3);
  const size: CatalogSize = { seed: 1, markets, events, tags: 500, series: 200 };
  const dataDir = makeDataDir();
  try {
    // The first start creates the built-in markets, which the orders trade.
    await (await Exchange.start(FLAGS, dataDir)).stop();
    printProgress(`catalog: ${whole(markets)} markets: import`);
    const imported = await callInProcess<typeof Import, 'importCatalog'>(
      IMPORT,
      'importCatalog',
      dataDir,
      size,
    );
    const exchange = await Exchange.start(FLAGS, dataDir);
    const loads = await runRounds(exchange, size, rounds).finally(() => exchange.stop());
    return { markets, ...imported, ...loads };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Figures = Awaited<ReturnType<typeof measure>>;

function summaryOf({
  markets,
  records,
  seconds,
  peakMegabytes,
  orders,
  ...loads
}: Figures): SummaryRow[] {
  const size = `catalog of ${whole(markets)} markets`;
  const budgets = { lists: 5, searches: 20 };
  return [
    summaryRow({
      what: `${size}, import of ${whole(records)} records`,
      ours: `${fixed(seconds, 1)} s; ${whole(peakMegabytes)} MB`,
      budget: 'under 60 s',
      value: seconds,
    }),
    ...READS.map((load) =>
      summaryRow({
        what: `${size}, ${load}, p50 / p99 / p99.9`,
        ours: `${percentilesText(loads[load].reads)} ms`,
        budget: `under ${budgets[load]} ms`,
        value: loads[load].reads.p99 / 1e6,
      }),
    ),
    ...READS.map((load) =>
      summaryRow({
        what: `${size}, orders' p99 beside ${load}`,
        ours: `${inMs(loads[load].orders.p99)} ms`,
        reference: `${inMs(orders.p99)} ms alone`,
        ratio: fixed(loads[load].ofAlone, 2),
        budget: 'under 1.5',
        value: loads[load].ofAlone,
      }),
    ),
    ...READS.map((load) =>
      summaryRow({
        what: `${size}, ${load}, processor time of an answer`,
        ours: `${whole(loads[load].processorMicros)} us`,
      }),
    ),
  ];
}

export async function benchCatalog({
  markets,
  rounds = 3,
}: {
  markets?: number;
  rounds?: number;
}): Promise<BenchResult> {
  const rows: Figures[] = [];
  for (const size of markets === undefined ? SIZES : [markets]) {
    rows.push(await measure(size, rounds));
  }
  return { figures: { rows }, rows: rows.flatMap(summaryOf) };
}
