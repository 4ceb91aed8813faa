/**
 * Runs one benchmark in its own process: one that throws, crashes or takes too long has
 * failed, and the run goes on.
 */
import type * as Benches from './benches.ts';
import { Process } from './harness/process.ts';
import type { BenchResult } from './harness/results.ts';

export async function runBench(
  name: string,
  options: Benches.BenchOptions,
  limitMs?: number,
): Promise<BenchResult> {
  const file = new URL('./benches.ts', import.meta.url);
  const process = new Process<typeof Benches>(file, limitMs);
  try {
    return await process.call('runNamed', name, options);
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { figures: {}, rows: [], failure };
  } finally {
    await process.stop();
  }
}
