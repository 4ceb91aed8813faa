/** Describes the machine, and appends one line of JSON per run to bench/results.jsonl. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spreadOf } from './statistics.ts';
import type { SummaryRow } from './summary.ts';

const FILE = new URL('../results.jsonl', import.meta.url);
const SYNCS = 50;

export type Figures = Readonly<Record<string, unknown>>;

/** The result of a benchmark. */
export interface BenchResult {
  readonly figures: Figures;
  readonly rows: readonly SummaryRow[];
  /** Why the benchmark failed although it has figures; absent if it succeeded. */
  readonly failure?: string;
}

/** The facts that explain figures, read when a run begins. */
export function resultHead() {
  return {
    date: new Date().toISOString(),
    commit: commit(),
    node: process.version,
    cpus: cpus().length,
  };
}

export function appendResult(bench: string, figures: Figures, head = resultHead()): void {
  appendFileSync(FILE, `${JSON.stringify({ bench, ...head, ...figures })}\n`);
}

/** One line about the machine, for the head of a table. */
export function machine(): string {
  const list = cpus();
  return `node ${process.version}, ${list.length} x ${list[0]?.model.trim() ?? 'unknown'}`;
}

/** A machine of which at least this share is idle is quiet. */
const QUIET = 0.95;
const LOOK_MS = 2_000;

/** The share of the processors that nothing used within two seconds, and whether that is quiet. */
export async function idleness(): Promise<{ readonly share: number; readonly isQuiet: boolean }> {
  const before = processorTimes();
  await sleep(LOOK_MS);
  const after = processorTimes();
  const share = (after.idle - before.idle) / (after.all - before.all);
  return { share, isQuiet: share >= QUIET };
}

/** Milliseconds of all processors since the machine began. */
function processorTimes(): { readonly idle: number; readonly all: number } {
  const list = cpus().map(({ times }) => times);
  const all = list.flatMap((times) => Object.values(times)).reduce((sum, ms) => sum + ms, 0);
  return { idle: list.reduce((sum, { idle }) => sum + idle, 0), all };
}

/** The median time of one synced write of 4 KiB in a folder: no commit is durable sooner. */
export function syncMs(folder: string): number {
  const path = join(folder, `sync-probe-${process.pid}`);
  const file = openSync(path, 'w');
  const block = Buffer.alloc(4_096, 1);
  const taken = Array.from({ length: SYNCS }, () => {
    const start = performance.now();
    writeSync(file, block);
    fdatasyncSync(file);
    return performance.now() - start;
  });
  closeSync(file);
  rmSync(path);
  return spreadOf(taken).median;
}

/** How many sockets this process may open beside its other files. Infinity if there is no limit. */
export function socketLimit(): number {
  const otherFiles = 200;
  // Safe: on systems without limits the field is missing.
  const report = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: number | 'unlimited' } };
  };
  const limit = report.userLimits?.open_files?.soft;
  return typeof limit === 'number' ? limit - otherFiles : Number.POSITIVE_INFINITY;
}

/** The commit that is measured, with `+` if files differ from it; 'unknown' outside a clone. */
function commit(): string {
  const git = (...words: string[]): string =>
    execFileSync('git', words, {
      cwd: new URL('.', import.meta.url),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    const hash = git('rev-parse', '--short=12', 'HEAD');
    return git('status', '--porcelain', '--untracked-files=no') === '' ? hash : `${hash}+`;
  } catch {
    return 'unknown';
  }
}
