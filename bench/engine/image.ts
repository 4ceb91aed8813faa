/**
 * `npm run bench -- image`: how long the engine takes to write its whole state as a snapshot and to
 * load it, by the number of resting orders. `--orders N` measures one size alone.
 */
import { Engine, SnapshotLoader, type SnapshotPart } from '../../engine/index.ts';
import { fixed, printProgress, whole } from '../harness/print.ts';
import type { BenchResult } from '../harness/results.ts';
import { sumOf } from '../harness/statistics.ts';
import { summaryRow } from '../harness/summary.ts';
import { fillEngine } from './workload.ts';

const ORDERS = [10_000, 100_000, 1_000_000];

function measure(orders: number) {
  printProgress(`image: ${whole(orders)} orders`);
  const engine = new Engine({}, { reserveOrders: orders });
  fillEngine(engine, orders);
  const beganMs = performance.now();
  const parts: SnapshotPart[] = [...engine.snapshot()];
  const writtenMs = performance.now();
  const loader = new SnapshotLoader({}, { hashSeed: 12_345 });
  let longestTakeMs = 0;
  for (const part of parts) {
    const fromMs = performance.now();
    loader.take(part);
    longestTakeMs = Math.max(longestTakeMs, performance.now() - fromMs);
  }
  const loaded = loader.finish();
  const loadedMs = performance.now();
  loaded.validate();
  return {
    resting: loaded.totals().liveOrders,
    bytes: sumOf(parts, ({ bytes }) => bytes.length),
    parts: parts.length,
    writeMs: writtenMs - beganMs,
    loadMs: loadedMs - writtenMs,
    longestTakeMs,
  };
}

export async function benchImage({ orders }: { orders?: number }): Promise<BenchResult> {
  const rows = (orders === undefined ? ORDERS : [orders]).map(measure);
  const seconds = (ms: number): string => fixed(ms / 1_000, 2);
  const summary = rows.map(({ resting, bytes, writeMs, loadMs, longestTakeMs }) =>
    summaryRow({
      what: `image of ${whole(resting)} resting, ${whole(bytes / 1e6)} MB: written; loaded; a part`,
      ours: `${seconds(writeMs)} s; ${seconds(loadMs)} s; ${fixed(longestTakeMs, 0)} ms`,
    }),
  );
  return { figures: { rows }, rows: summary };
}
