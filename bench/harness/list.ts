/**
 * All benches in the order of the table, with the options that each knows, and with those of a
 * whole run: sizes that let all of them be done in ten minutes on two processors.
 */

import { benchEngine } from '../engine/engine.ts';
import { benchLevels, LEVELS_OPTIONS } from '../engine/levels.ts';
import { benchImage, IMAGE_OPTIONS } from '../engine/snapshot.ts';
import { benchOrders, ORDERS_OPTIONS } from '../orders/orders.ts';
import { benchOverload } from '../orders/overload.ts';
import { ANALYTICS_OPTIONS, benchAnalytics } from '../reads/analytics.ts';
import { benchCatalog, CATALOG_OPTIONS } from '../reads/catalog.ts';
import { benchReads, READS_OPTIONS } from '../reads/reads.ts';
import { benchStreams, STREAMS_OPTIONS } from '../reads/streams.ts';
import { benchRestart, RESTART_OPTIONS } from '../restart/restart.ts';
import type { KnownOptions } from './options.ts';
import type { Bench } from './summary.ts';

interface BenchEntry {
  readonly run: Bench;
  readonly known: KnownOptions;
  /** What a whole run gives to it. */
  readonly whole: readonly string[];
}

export const BENCHES: Readonly<Record<string, BenchEntry>> = {
  engine: { run: benchEngine, known: {}, whole: [] },
  levels: { run: benchLevels, known: LEVELS_OPTIONS, whole: ['--rounds', '3'] },
  image: { run: benchImage, known: IMAGE_OPTIONS, whole: ['--orders', '100000'] },
  orders: { run: benchOrders, known: ORDERS_OPTIONS, whole: [] },
  reads: { run: benchReads, known: READS_OPTIONS, whole: ['--rounds', '4', '--seconds', '1'] },
  streams: { run: benchStreams, known: STREAMS_OPTIONS, whole: ['--rounds', '3', '--short'] },
  overload: { run: benchOverload, known: {}, whole: [] },
  restart: { run: benchRestart, known: RESTART_OPTIONS, whole: ['--short'] },
  catalog: {
    run: benchCatalog,
    known: CATALOG_OPTIONS,
    whole: ['--markets', '100000', '--rounds', '2'],
  },
  analytics: {
    run: benchAnalytics,
    known: ANALYTICS_OPTIONS,
    whole: ['--fills', '100000', '--accounts', '10000', '--markets', '1000', '--seconds', '2'],
  },
};
