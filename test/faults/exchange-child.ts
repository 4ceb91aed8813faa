/**
 * An exchange as its own process that may be ended at any moment, also before it is ready:
 * `main.ts serve --json`, with anything in front of it that injects faults.
 *
 * Invariant: none outlives this process. Bound: the last characters of its log.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
const KEPT_LOG_CHARACTERS = 50_000;

export interface Ending {
  /** null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What it printed when it was ready, as far as it is used here. */
export interface ReadyLine {
  readonly url: string;
  readonly adminPort: number;
  /** Milliseconds from its start. */
  readonly ms: number;
}

export interface ChildOptions {
  readonly dataDir: string;
  readonly flags?: readonly string[];
  /** A command and its words in front of the program. */
  readonly wrapper?: readonly string[];
  /** Another program that does the same, and its words. */
  readonly program?: readonly string[];
}

export class ExchangeChild {
  readonly dataDir: string;
  /** Rejects when it ends before. */
  readonly ready: Promise<ReadyLine>;
  readonly ended: Promise<Ending>;
  readonly #child: ChildProcess;
  #log = '';

  constructor({ dataDir, flags = [], wrapper = [], program }: ChildOptions) {
    this.dataDir = dataDir;
    const serve = ['serve', '--json', '--data', dataDir, '--port', '0', '--admin-port', '0'];
    const words = [...wrapper, process.execPath, ...(program ?? [MAIN, ...serve, ...flags])];
    const child = spawn(words[0] ?? '', words.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    const killAtExit = (): boolean => child.kill('SIGKILL');
    process.once('exit', killAtExit);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#log = (this.#log + text).slice(-KEPT_LOG_CHARACTERS);
    });
    this.ended = once(child, 'close').then(([code, signal]) => {
      process.off('exit', killAtExit);
      return { code, signal };
    });
    this.ready = new Promise((resolve, reject) => {
      createInterface(child.stdout).on('line', (line) => {
        if (line.includes('"ready":true')) resolve(JSON.parse(line));
      });
      this.ended.then(({ code, signal }) =>
        reject(new Error(`it ended with ${signal ?? code} before it was ready:\n${this.#log}`)),
      );
    });
    // Who kills it before that does not wait for it.
    this.ready.catch(() => {});
  }

  /** What it wrote to standard error. */
  get log(): string {
    return this.#log;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The token that the operator's requests carry; there once it is ready. */
  get adminToken(): string {
    return readFileSync(join(this.dataDir, 'admin.token'), 'utf8').trim();
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends it without any warning. */
  async kill(): Promise<Ending> {
    this.#child.kill('SIGKILL');
    return await this.ended;
  }

  /** Asks it to finish. */
  async stop(): Promise<Ending> {
    this.#child.kill('SIGTERM');
    return await this.ended;
  }
}

/** Starts one and waits until it takes requests; says why if it does not come up. */
export async function startChild(
  options: ChildOptions,
): Promise<{ readonly child: ExchangeChild; readonly line: ReadyLine }> {
  const child = new ExchangeChild(options);
  return { child, line: await child.ready };
}
