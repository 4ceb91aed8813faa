/**
 * The real program for load tests: `main.ts serve --json` in its own process, on free ports
 * and a data folder in a temporary directory.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { bundle } from '../../.ci/bundle.mjs';
import { processorSeconds } from './processor-time.ts';

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
/** In the project, so that the bundle finds the packages. */
const BUNDLES = fileURLToPath(new URL('../../node_modules/.cache/bench-bundle', import.meta.url));
const LOOK_MS = 100;

export interface LoadAccount {
  readonly address: string;
  readonly privateKey: string;
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

export interface LoadMarket {
  /** YES and NO. */
  readonly tokenIds: readonly [string, string];
  readonly negRisk: boolean;
  /** The price step. */
  readonly stepTicks: number;
}

/** The part of the line that `--json` prints when the program takes requests. */
interface ReadyLine {
  readonly url: string;
  readonly adminPort: number;
  readonly pid: number;
  readonly devAccounts: readonly LoadAccount[];
}

/** Samples of GET /metrics by name and labels, without the prefix `outcome_exchange_`. */
export type Metrics = ReadonlyMap<string, number>;

async function readyLineOf({ stdout }: ChildProcess): Promise<ReadyLine> {
  if (stdout === null) throw new Error('standard output must be a pipe');
  for await (const line of createInterface(stdout)) {
    // The first line is the ready line; its form is part of the program's contract.
    return JSON.parse(line) as ReadyLine;
  }
  throw new Error('the exchange ended before it was ready');
}

export function makeDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'exchange-bench-'));
}

/** The program of the package and of servers, for `Exchange.start`: a bundle made now. */
export async function bundleProgram(): Promise<string> {
  rmSync(BUNDLES, { recursive: true, force: true });
  await bundle(BUNDLES);
  return join(BUNDLES, 'main.js');
}

/** What a start may change: the file of the program, and a module that its process runs first. */
interface ProgramStart {
  readonly program?: string | undefined;
  readonly preload?: URL;
}

export class Exchange {
  readonly url: string;
  readonly pid: number;
  readonly devAccounts: readonly LoadAccount[];
  readonly dataDir: string;
  readonly #adminUrl: string;
  readonly #adminToken: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;

  private constructor(child: ChildProcess, dataDir: string, ready: ReadyLine) {
    this.url = ready.url;
    this.pid = ready.pid;
    this.devAccounts = ready.devAccounts;
    this.dataDir = dataDir;
    this.#adminUrl = `http://127.0.0.1:${ready.adminPort}`;
    this.#adminToken = readFileSync(join(dataDir, 'admin.token'), 'utf8').trim();
    this.#child = child;
    this.#exited = child.exitCode === null ? once(child, 'exit') : Promise.resolve();
  }

  /**
   * Starts the program, by default its sources. The caller stops it and removes its folder. `ask`
   * sends messages to a preloaded module.
   */
  static async start(
    flags: readonly string[],
    dataDir = makeDataDir(),
    { program = MAIN, preload }: ProgramStart = {},
  ): Promise<Exchange> {
    // A crowd would share the processors with what is measured.
    const ports = ['--port', '0', '--admin-port', '0', '--crowd', 'off'];
    const serve = ['serve', '--json', '--data', dataDir, ...ports];
    const imports = preload === undefined ? [] : ['--import', preload.href];
    const child = spawn(process.execPath, [...imports, program, ...serve, ...flags], {
      stdio: ['ignore', 'pipe', 'inherit', ...(preload === undefined ? [] : (['ipc'] as const))],
    });
    const killAtExit = (): boolean => child.kill('SIGKILL');
    process.once('exit', killAtExit);
    child.once('exit', () => process.off('exit', killAtExit));
    try {
      return new Exchange(child, dataDir, await readyLineOf(child));
    } catch (error) {
      killAtExit();
      rmSync(dataDir, { recursive: true, force: true });
      throw error;
    }
  }

  /** Starts the program, works with it, stops it and removes its folder. */
  static async with<Done>(
    flags: readonly string[],
    work: (exchange: Exchange) => Promise<Done>,
  ): Promise<Done> {
    const exchange = await Exchange.start(flags);
    try {
      return await work(exchange);
    } finally {
      await exchange.stop();
      exchange.remove();
    }
  }

  processorSeconds(): number {
    return processorSeconds(this.pid);
  }

  /** Stops the program unless it has ended. Returns its exit code; null if a signal ended it. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    await this.#exited;
    return this.#child.exitCode;
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  remove(): void {
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** The JSON of a public route. */
  async get<Reply>(path: string): Promise<Reply> {
    return JSON.parse(await textOf(fetch(`${this.url}${path}`))) as Reply; // our own route
  }

  /** The text of an operator's route: POST with a body, otherwise GET. */
  async admin(path: string, body?: unknown): Promise<string> {
    const headers = {
      authorization: `Bearer ${this.#adminToken}`,
      'content-type': 'application/json',
    };
    const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return await textOf(fetch(`${this.#adminUrl}${path}`, { headers, ...post }));
  }

  /** Sends a message to the preloaded module, and returns its answer. */
  async ask<Answer>(message: string): Promise<Answer> {
    this.#child.send(message);
    const [answer] = await once(this.#child, 'message');
    return answer;
  }

  async metrics(): Promise<Metrics> {
    const text = await this.admin('/metrics');
    return new Map(
      text.split('\n').map((line) => {
        const end = line.lastIndexOf(' ');
        const name = line.slice(0, end).replace(/^outcome_exchange_/, '');
        return [name, Number(line.slice(end + 1))] as const;
      }),
    );
  }

  /** Waits until the projection and the audit have processed every command. */
  async caughtUp(): Promise<void> {
    for (;;) {
      const metrics = await this.metrics();
      const lags = ['projection_lag_commands', 'audit_lag_commands'];
      if (lags.every((name) => (metrics.get(name) ?? 0) === 0)) return;
      await sleep(LOOK_MS);
    }
  }

  /** Counts what the journal has. Call it after `stop`. */
  journaled() {
    const journal = new Database(join(this.dataDir, 'journal.db'), { readonly: true });
    const count = (sql: string): number => Number(journal.prepare(sql).pluck().get());
    const kind = (name: string): string => `SELECT count(*) FROM commands WHERE kind = '${name}'`;
    const counts = {
      orders: count(kind('place_order')),
      ids: count('SELECT count(*) FROM order_ids'),
      cancels: count(kind('cancel_orders')),
    };
    journal.close();
    return counts;
  }
}

async function textOf(answered: Promise<Response>): Promise<string> {
  const answer = await answered;
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url} answers ${answer.status}: ${text}`);
  return text;
}
