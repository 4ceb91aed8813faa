/**
 * All benchmarks in the order of the table, with the options of each, and the options of a whole
 * run: sizes with which all of them together take less than ten minutes on two processors.
 */

import { textKind, wholeKind } from '../cli/parser/kinds.ts';
import { flagTable, type OptionTable, optional } from '../cli/parser/option-table.ts';
import { ETCD_MISSING, etcdVersion } from '../deploy/cluster/etcd-nodes.ts';
import { benchCluster } from './cluster/cluster.ts';
import { benchCrowd } from './crowd/crowd.ts';
import { benchEngine } from './engine/engine.ts';
import type { BenchResult } from './harness/results.ts';
import { benchLong } from './long/long.ts';
import { benchFlood } from './orders/flood.ts';
import { benchOrders } from './orders/orders.ts';
import { benchOverload } from './orders/overload.ts';
import { benchAnalytics } from './reads/analytics.ts';
import { benchCatalog } from './reads/catalog.ts';
import { benchReads } from './reads/reads.ts';
import { benchStreams } from './reads/streams.ts';
import { benchRestart } from './restart/restart.ts';

/** Options by name; the benchmark has a default for each one that is left out. */
export type BenchOptions = Readonly<Record<string, number | string | undefined>>;

export interface Bench {
  readonly options: OptionTable;
  /** The options in a run of all benchmarks. */
  readonly whole: BenchOptions;
  /** What this machine lacks for it; undefined if nothing. */
  missing(): string | undefined;
  run(options: BenchOptions): Promise<BenchResult>;
}

const COUNT = wholeKind(1, 1e9);
const LIQUIBOOK = optional(textKind('FOLDER'), 'A checkout of liquibook, to measure beside ours');

function bench<Options extends BenchOptions>(
  run: (options: Options) => Promise<BenchResult>,
  meanings: { readonly [Name in keyof Required<Options>]: string | typeof LIQUIBOOK },
  whole: NoInfer<Options>,
  missing: Bench['missing'] = () => undefined,
): Bench {
  const rows = Object.entries<string | typeof LIQUIBOOK>(meanings).map(([name, meaning]) => {
    return [name, typeof meaning === 'string' ? optional(COUNT, meaning) : meaning] as const;
  });
  const options = flagTable(Object.fromEntries(rows));
  // Safe: `options` has the names of `Options`.
  return { options, whole, missing, run: run as Bench['run'] };
}

const ROUNDS = 'Rounds of each comparison';

export const BENCHES: Readonly<Record<string, Bench>> = {
  engine: bench(benchEngine, { rounds: ROUNDS, liquibook: LIQUIBOOK }, { rounds: 2 }),
  orders: bench(benchOrders, { verifiers: 'Verifier threads of the program' }, {}),
  reads: bench(
    benchReads,
    { rounds: ROUNDS, seconds: 'Seconds of a round' },
    { rounds: 4, seconds: 1 },
  ),
  streams: bench(benchStreams, { rounds: ROUNDS }, { rounds: 3 }),
  overload: bench(benchOverload, {}, {}),
  flood: bench(benchFlood, { orders: 'Orders of the quiet owner' }, { orders: 20 }),
  cluster: bench(
    benchCluster,
    {
      rounds: ROUNDS,
      seconds: 'Seconds of a round',
      orders: 'Resting orders beside which a new replica starts',
      takeovers: 'How often the core is killed',
    },
    { rounds: 2, seconds: 1, orders: 20_000, takeovers: 1 },
    () => (etcdVersion() === undefined ? ETCD_MISSING : undefined),
  ),
  crowd: bench(benchCrowd, {}, {}),
  long: bench(benchLong, { percent: 'Percent of the full sizes' }, { percent: 10 }),
  restart: bench(
    benchRestart,
    { starts: 'Starts of each kind', orders: 'Resting orders' },
    { starts: 1, orders: 100_000 },
  ),
  catalog: bench(
    benchCatalog,
    { markets: 'Markets of the catalog', rounds: 'Rounds of each load' },
    { markets: 10_000, rounds: 1 },
  ),
  analytics: bench(
    benchAnalytics,
    { fills: 'Fills of the journal', seconds: 'Seconds of each read' },
    { fills: 10_000, seconds: 1 },
  ),
};

/** Runs one benchmark in this process; run-bench.ts calls it in its own process. */
export async function runNamed(name: string, options: BenchOptions): Promise<BenchResult> {
  const found = BENCHES[name];
  if (found === undefined) throw new Error(`there is no benchmark ${name}`);
  return await found.run(options);
}
