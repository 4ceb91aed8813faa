/** One line of JSON a run in bench/results.jsonl, so that figures can be compared over time. */
import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { cpus } from 'node:os';

const FILE = new URL('../results.jsonl', import.meta.url);

/** What is needed to judge figures; taken when a run begins. */
export interface ResultHead {
  readonly date: string;
  readonly commit: string;
  readonly node: string;
  readonly cpus: number;
}

/** What a bench sends to the process that runs it. */
export interface FiguresMessage {
  readonly kind: 'figures';
  readonly bench: string;
  readonly figures: Readonly<Record<string, unknown>>;
}

/**
 * Hands over the figures of one benchmark: to the run that it is a part of (bench-process.ts), or
 * to the file when it is a program by itself.
 */
export function recordResult(bench: string, figures: FiguresMessage['figures']): void {
  const message: FiguresMessage = { kind: 'figures', bench, figures };
  if (process.send === undefined) appendResult(bench, figures);
  else process.send(message);
}

/** Appends figures with what is needed to judge them. */
export function appendResult(
  bench: string,
  figures: FiguresMessage['figures'],
  head: ResultHead = resultHead(),
): void {
  appendFileSync(FILE, `${JSON.stringify({ bench, ...head, ...figures })}\n`);
}

export function resultHead(): ResultHead {
  return {
    date: new Date().toISOString(),
    commit: commit(),
    node: process.version,
    cpus: cpus().length,
  };
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

function git(...words: string[]): string {
  return execFileSync('git', words, {
    cwd: new URL('.', import.meta.url),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
