/**
 * `npm run bench`: every benchmark in sizes that together take less than ten minutes, or those that
 * are named, as large as they can be: `npm run bench -- engine levels`. What begins with `--` and
 * follows is for one that takes options: `npm run bench -- analytics --full`. One after the other,
 * and at the end one table of all.
 *
 * A whole run is one line of results.jsonl, a bench by its name is another. The exit code is 1 when
 * a bench has failed, 2 for words that are not understood.
 */
import { loadavg, tmpdir } from 'node:os';
import { runBench } from './harness/bench-process.ts';
import { syncMs } from './harness/disk.ts';
import { BENCHES } from './harness/list.ts';
import { type BenchWords, readBenchWords } from './harness/options.ts';
import { beganMs, fixed, printError, printLine, printProgress, whole } from './harness/print.ts';
import { appendResult, machine, resultHead } from './harness/results.ts';
import {
  CLAIMED_NOTES,
  CLAIMED_ROWS,
  failedRow,
  printSummary,
  type SummaryRow,
} from './harness/summary.ts';

/** Of one bench in a whole run: several times what it takes, for machines that do more besides. */
const WHOLE_LIMIT_MS = 600_000;

function wordsOrExit(): BenchWords {
  const known = Object.entries(BENCHES).map(([name, bench]) => [name, bench.known] as const);
  try {
    return readBenchWords(process.argv.slice(2), Object.fromEntries(known));
  } catch (error) {
    printError(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}

const { names, options } = wordsOrExit();
const isWhole = names.length === 0;
const head = resultHead();
const diskMs = syncMs(tmpdir());
const [loadBefore = 0] = loadavg();
const machineText = `${machine()}; a synced write of 4 KiB takes ${fixed(diskMs, 2)} ms`;
printLine(`${machineText}; load before ${fixed(loadBefore, 1)}`);

const rows: SummaryRow[] = [];
const results: Record<string, unknown> = {};
const failures: string[] = [];
const seconds: Record<string, number> = {};
for (const name of isWhole ? Object.keys(BENCHES) : names) {
  printProgress(`${name} begins`);
  const startMs = performance.now();
  const outcome = isWhole
    ? await runBench(name, BENCHES[name]?.whole ?? [], WHOLE_LIMIT_MS)
    : await runBench(name, options);
  seconds[name] = Math.round((performance.now() - startMs) / 1_000);
  rows.push(...outcome.rows);
  results[name] = outcome.figures;
  if (outcome.failure !== undefined) {
    rows.push(failedRow(name));
    failures.push(`${name} has failed: ${outcome.failure}`);
  } else if (!isWhole) {
    appendResult(name, outcome.figures, head);
  }
  printLine();
}
const took = Math.round((Date.now() - beganMs) / 1_000);
if (isWhole)
  appendResult('all', { took, seconds, diskMs, loadBefore, failures, rows, results }, head);
printLine(`${machineText}; commit ${head.commit}`);
printSummary(isWhole ? [...rows, ...CLAIMED_ROWS] : rows);
if (isWhole) for (const note of CLAIMED_NOTES) printLine(`  ${note}`);
for (const failure of failures) printLine(`  ${failure}`);
const each = Object.entries(seconds).map(([name, taken]) => `${name} ${taken}`);
printLine(`  ${whole(took)} seconds: ${each.join(', ')}`);
if (failures.length > 0) process.exitCode = 1;
