/**
 * All benchmarks in the order of the table, with the options of each, and the options of a whole
 * run: sizes with which all of them together take less than ten minutes on two processors.
 */
import { benchEngine } from './engine/engine.ts';
import { benchImage, IMAGE_OPTIONS } from './engine/image.ts';
import { benchLevels, LEVELS_OPTIONS } from './engine/levels.ts';
import { type Options, type OptionTable, readOptions } from './harness/arguments.ts';
import type { BenchResult } from './harness/results.ts';
import { benchOrders, ORDERS_OPTIONS } from './orders/orders.ts';
import { benchOverload } from './orders/overload.ts';
import { ANALYTICS_OPTIONS, benchAnalytics } from './reads/analytics.ts';
import { benchCatalog, CATALOG_OPTIONS } from './reads/catalog.ts';
import { benchReads, READS_OPTIONS } from './reads/reads.ts';
import { benchStreams, STREAMS_OPTIONS } from './reads/streams.ts';
import { benchRestart, RESTART_OPTIONS } from './restart/restart.ts';

export interface Bench {
  readonly options: OptionTable;
  /** What a whole run gives it. */
  readonly whole: readonly string[];
  readonly run: (words: readonly string[]) => Promise<BenchResult>;
}

function bench<Table extends OptionTable>(
  run: (options: Options<Table>) => Promise<BenchResult>,
  options: Table,
  whole = '',
): Bench {
  const words = whole === '' ? [] : whole.split(' ');
  return { options, whole: words, run: (given) => run(readOptions(given, options)) };
}

export const BENCHES: Readonly<Record<string, Bench>> = {
  engine: bench(benchEngine, {}),
  levels: bench(benchLevels, LEVELS_OPTIONS, '--rounds 3'),
  image: bench(benchImage, IMAGE_OPTIONS, '--orders 100000'),
  orders: bench(benchOrders, ORDERS_OPTIONS),
  reads: bench(benchReads, READS_OPTIONS, '--rounds 4 --seconds 1'),
  streams: bench(benchStreams, STREAMS_OPTIONS, '--rounds 3'),
  overload: bench(benchOverload, {}),
  restart: bench(benchRestart, RESTART_OPTIONS, '--starts 1'),
  catalog: bench(benchCatalog, CATALOG_OPTIONS, '--markets 100000 --rounds 2'),
  analytics: bench(benchAnalytics, ANALYTICS_OPTIONS, '--fills 100000 --seconds 2'),
};

/** Runs one benchmark in this process; run-bench.ts calls it in its own process. */
export async function runNamed(name: string, words: readonly string[]): Promise<BenchResult> {
  const found = BENCHES[name];
  if (found === undefined) throw new Error(`there is no benchmark ${name}`);
  return await found.run(words);
}
