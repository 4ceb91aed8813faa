/** One line of JSON a run in bench/results.jsonl, so that figures can be compared over time. */
import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { cpus } from 'node:os';

const FILE = new URL('./results.jsonl', import.meta.url);

/** Appends the figures of one benchmark with what is needed to judge them. */
export function recordResult(bench: string, figures: Readonly<Record<string, unknown>>): void {
  const line = {
    bench,
    date: new Date().toISOString(),
    commit: commit(),
    node: process.version,
    cpus: cpus().length,
    ...figures,
  };
  appendFileSync(FILE, `${JSON.stringify(line)}\n`);
}

/** One line about the machine, for the head of a table. */
export function machine(): string {
  const list = cpus();
  return `node ${process.version}, ${list.length} x ${list[0]?.model.trim() ?? 'unknown'}`;
}

/** The commit that was measured, with `+` if files differ from it; 'unknown' outside a clone. */
function commit(): string {
  try {
    const hash = git('rev-parse', '--short=12', 'HEAD');
    return git('status', '--porcelain', '--untracked-files=no') === '' ? hash : `${hash}+`;
  } catch {
    return 'unknown';
  }
}

const git = (...words: string[]): string =>
  execFileSync('git', words, {
    cwd: new URL('.', import.meta.url),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
