/**
 * Waits for moments at which an exchange is to be killed: while a snapshot is being written, and at
 * each step of a compaction beside it, which may be killed too.
 *
 * Bound: a wait ends with its timeout, or with the compaction.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { CompactionStep } from '../../persistence/tools/compaction.ts';

const COMPACTION = fileURLToPath(
  new URL('../persistence/tools/compaction-child.ts', import.meta.url),
);
const HALF_WRITTEN = /\.new$/;
const WRITTEN = /\.snapshot$/;
const LOOK_MS = 20;

function snapshotsIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => WRITTEN.test(name)) : [];
}

/** Waits until as many snapshots exist as a compaction needs, or until a timeout. */
export async function snapshotsThere(
  dataDir: string,
  count: number,
  mostMs: number,
): Promise<void> {
  const lastMs = performance.now() + mostMs;
  while (snapshotsIn(join(dataDir, 'snapshots')).length < count) {
    if (performance.now() > lastMs) return;
    await sleep(LOOK_MS);
  }
}

/** Resolves with true when a snapshot is begun, or with false after `mostMs`. */
export async function snapshotBegun(dataDir: string, mostMs: number): Promise<boolean> {
  const folder = join(dataDir, 'snapshots');
  // The folder must exist to be watched, or the first snapshot would be missed.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const watcher = watch(folder);
  try {
    return await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), mostMs);
      watcher.on('change', (_kind, name) => {
        if (!HALF_WRITTEN.test(String(name))) return;
        clearTimeout(timer);
        resolve(true);
      });
    });
  } finally {
    watcher.close();
  }
}

export const COMPACTION_STEPS: readonly CompactionStep[] = [
  'written',
  'compared',
  'renamed',
  'noted',
  'fills_deleted',
];

/** A compaction in a separate process. */
export class CompactionBeside {
  readonly #child: ChildProcess;
  readonly #said = new Set<string>();
  readonly #ended: Promise<number | null>;
  #log = '';

  constructor(dataDir: string) {
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const child = spawn(process.execPath, [COMPACTION, dataDir], { stdio });
    this.#child = child;
    createInterface(child.stdout).on('line', (line) => this.#said.add(line));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#log += text;
    });
    this.#ended = once(child, 'close').then(([code]) => code);
  }

  /** Waits for a step. Returns false if the compaction ends first: it had nothing to move. */
  async reached(step: CompactionStep): Promise<boolean> {
    let isOver = false;
    this.#ended.then(() => {
      isOver = true;
    });
    while (!this.#said.has(step) && !isOver) await sleep(1);
    return this.#said.has(step);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Waits for its end and throws if it failed. */
  async finish(): Promise<void> {
    const code = await this.#ended;
    if (code !== 0) throw new Error(`the compaction ends with ${code}:\n${this.#log}`);
  }
}
