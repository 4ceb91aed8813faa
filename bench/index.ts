/**
 * `npm run bench`: every benchmark, in sizes that together take less than ten minutes, and at the
 * end one table of all. `npm run bench -- engine reads` runs the named ones in full size; options
 * of one benchmark follow its name: `npm run bench -- long --percent 10`.
 *
 * A whole run appends one line to results.jsonl, and so does each named benchmark that succeeds.
 * The exit code is 1 if a benchmark fails, and 2 if the arguments are invalid. A whole run skips a
 * benchmark for which the machine lacks something, and says so; a named one fails then.
 */
import { tmpdir } from 'node:os';
import { readProgramOptions } from '../cli/parser/program-options.ts';
import { BENCHES, type BenchOptions } from './benches.ts';
import {
  fixed,
  printError,
  printLine,
  printProgress,
  secondsSoFar,
  whole,
} from './harness/print.ts';
import { appendResult, idleness, machine, resultHead, syncMs } from './harness/results.ts';
import { failedRow, type SummaryRow, skippedRow, summaryLines } from './harness/summary.ts';
import { runBench } from './run-bench.ts';

/** Time limit of one benchmark in a whole run: several times what it needs on an idle machine. */
const WHOLE_LIMIT_MS = 600_000;

/** Reads the arguments: names of benchmarks (none means all), and options if there is one name. */
function readWords(): { readonly names: readonly string[]; readonly options: BenchOptions } {
  const [first = ''] = process.argv.slice(2);
  const { values, operands } = readProgramOptions({
    name: 'bench',
    program: 'npm run bench --',
    summary: `Measure the exchange; benchmarks are ${Object.keys(BENCHES).join(', ')}`,
    options: BENCHES[first]?.options ?? {},
    operands: { usage: '[NAME...]', least: 0, most: Number.POSITIVE_INFINITY },
  });
  const unknown = operands.find((name) => !Object.hasOwn(BENCHES, name));
  const hasOptions = Object.values(values).some((value) => value !== undefined);
  if (unknown !== undefined) printError(`bench: there is no benchmark ${unknown}; try --help`);
  else if (hasOptions && operands.length > 1) printError('bench: options need a single benchmark');
  else return { names: operands, options: values as BenchOptions };
  process.exit(2);
}

// As ./outcome-exchange starts the program.
process.env.GLIBC_TUNABLES ??= 'glibc.malloc.hugetlb=1';
const { names, options } = readWords();
const isWhole = names.length === 0;
const head = resultHead();
const diskMs = syncMs(tmpdir());
const { share: idleBefore, isQuiet } = await idleness();
const machineText = `${machine()}; a synced write of 4 KiB takes ${fixed(diskMs, 2)} ms`;
const idleText =
  `${whole(idleBefore * 100)}% of it was idle before` +
  (isQuiet ? '' : ': NOT QUIET, so budgets without a reference are not judged');
printLine(`${machineText}; ${idleText}`);

const rows: SummaryRow[] = [];
const results: Record<string, unknown> = {};
const failures: string[] = [];
const skipped: string[] = [];
const seconds: Record<string, number> = {};
for (const name of isWhole ? Object.keys(BENCHES) : names) {
  const missing = BENCHES[name]?.missing();
  if (missing !== undefined) {
    rows.push(isWhole ? skippedRow(name) : failedRow(name));
    (isWhole ? skipped : failures).push(`${name} has not run: ${missing}`);
    continue;
  }
  printProgress(`${name} begins`);
  const startMs = performance.now();
  const result = isWhole
    ? await runBench(name, BENCHES[name]?.whole ?? {}, WHOLE_LIMIT_MS)
    : await runBench(name, options);
  seconds[name] = Math.round((performance.now() - startMs) / 1_000);
  rows.push(...result.rows);
  results[name] = result.figures;
  if (result.failure !== undefined) {
    rows.push(failedRow(name));
    failures.push(`${name} has failed: ${result.failure}`);
  } else if (!isWhole) appendResult(name, result.figures, head);
  printLine();
}
const took = secondsSoFar();
if (isWhole) {
  appendResult('all', { took, seconds, diskMs, idleBefore, failures, rows, results }, head);
}
printLine(`${machineText}; commit ${head.commit}; ${idleText}`);
for (const line of summaryLines(rows, isQuiet)) printLine(line);
for (const line of [...skipped, ...failures]) printLine(`  ${line}`);
const each = Object.entries(seconds).map(([name, taken]) => `${name} ${taken}`);
printLine(`  ${whole(took)} seconds: ${each.join(', ')}`);
if (failures.length > 0) process.exitCode = 1;
