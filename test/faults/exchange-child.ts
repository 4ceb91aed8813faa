/**
 * An exchange as its own process that may be ended at any moment, also before it is ready:
 * `main.ts serve --json`, with anything in front of it that injects faults.
 *
 * Invariant: no child outlives this process. Bound: the last KEPT_LOG_CHARACTERS of its log.
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

/** The line that it prints when it is ready, as far as tests use it. */
export interface ReadyLine {
  readonly url: string;
  readonly adminPort: number;
  /** Milliseconds from its start. */
  readonly ms: number;
}

export interface ChildOptions {
  readonly dataDir: string;
  readonly flags?: readonly string[];
  /** A command and its arguments in front of the program, such as strace. */
  readonly wrapper?: readonly string[];
  /** Another program that does the same, and its arguments. */
  readonly program?: readonly string[];
}

export class ExchangeChild {
  readonly dataDir: string;
  /** Rejects if the process ends before it is ready. */
  readonly ready: Promise<ReadyLine>;
  readonly ended: Promise<Ending>;
  readonly #child: ChildProcess;
  #log = '';

  constructor({ dataDir, flags = [], wrapper = [], program }: ChildOptions) {
    this.dataDir = dataDir;
    const ports = ['--port', '0', '--admin-port', '0'];
    const serve = ['serve', '--json', '--data', dataDir, ...ports, '--crowd', 'off'];
    const argv = [...wrapper, process.execPath, ...(program ?? [MAIN, ...serve, ...flags])];
    const child = spawn(argv[0] ?? '', argv.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
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
    // A test that kills it earlier does not wait for `ready`.
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

  /** Kills it by SIGKILL. */
  async kill(): Promise<Ending> {
    this.#child.kill('SIGKILL');
    return await this.ended;
  }

  /** Stops it by SIGTERM. */
  async stop(): Promise<Ending> {
    this.#child.kill('SIGTERM');
    return await this.ended;
  }
}

/** Starts an exchange and waits until it is ready; rejects with its log if it ends before. */
export async function startChild(
  options: ChildOptions,
): Promise<{ readonly child: ExchangeChild; readonly line: ReadyLine }> {
  const child = new ExchangeChild(options);
  return { child, line: await child.ready };
}
