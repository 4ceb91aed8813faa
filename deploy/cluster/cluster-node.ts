/**
 * One node of the exchange: a process of `main.ts serve` with a role, a data folder and addresses
 * that stay the same over all its starts.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ClusterChild } from './child.ts';

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
const READY_MS = 60_000;
const LOOK_MS = 20;

export type NodeRole = 'core' | 'standby' | 'gateway';

export interface NodePlan {
  readonly name: string;
  readonly role: NodeRole;
  readonly host: string;
  /** Of the public API, the operator's API and the feed. */
  readonly ports: readonly [number, number, number];
  /** The folder for its data folder and its log. */
  readonly folder: string;
  /** Flags that all nodes share. */
  readonly flags: readonly string[];
  /** Words in front of the program. */
  readonly wrapper: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** What is different at one start. */
export interface StartChanges {
  /** Flags after those of the plan. */
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export class ClusterNode {
  readonly name: string;
  readonly dataDir: string;
  /** The address of the public API; '' if the node has none. */
  readonly url: string;
  readonly adminUrl: string;
  readonly feedAddress: string;
  readonly child: ClusterChild;
  readonly #plan: NodePlan;
  /** The role of the last start. A standby that took over the core's role is still one here. */
  role: NodeRole;
  #logStart = 0;

  constructor(plan: NodePlan) {
    const { name, role, host, ports, folder } = plan;
    const [port, adminPort, feedPort] = ports;
    this.#plan = plan;
    this.name = name;
    this.role = role;
    this.dataDir = join(folder, name);
    this.url = role === 'gateway' ? `http://${host}:${port}` : '';
    this.adminUrl = `http://${host}:${adminPort}`;
    this.feedAddress = `${host}:${feedPort}`;
    const logFile = join(folder, `${name}.log`);
    this.child = new ClusterChild({ name, words: [], logFile });
  }

  /** Starts the process, by default with the role of its plan. */
  start(
    role: NodeRole = this.#plan.role,
    { flags: more = [], environment }: StartChanges = {},
  ): void {
    const { wrapper, host, ports, flags, name } = this.#plan;
    const [port, adminPort, feedPort] = ports;
    this.role = role;
    const { logFile } = this.child;
    this.#logStart = existsSync(logFile) ? statSync(logFile).size : 0;
    const publicApi = role === 'gateway' ? ['--host', host, '--port', `${port}`] : [];
    const feed = role === 'gateway' ? [] : ['--feed-host', host, '--feed-port', `${feedPort}`];
    const admin = ['--admin-host', host, '--admin-port', `${adminPort}`];
    const own = ['--role', role, '--node', name, '--data', this.dataDir];
    const words = [...wrapper, process.execPath, MAIN, 'serve', '--json', ...own, ...publicApi];
    this.child.change({
      words: [...words, ...feed, ...admin, ...flags, ...more],
      environment: { ...this.#plan.environment, ...environment },
    });
    this.child.start();
  }

  /** What the process wrote since its last start. */
  get log(): string {
    return readFileSync(this.child.logFile).subarray(this.#logStart).toString();
  }

  /** Waits for the line that says that it is ready; rejects if it ends before. */
  async waitUntilReady(): Promise<void> {
    const lastMs = performance.now() + READY_MS;
    while (!this.log.includes('"ready":true')) {
      if (!this.child.isRunning) throw new Error(`${this.name} ended at its start:\n${this.log}`);
      if (performance.now() > lastMs) throw new Error(`${this.name} is not ready:\n${this.log}`);
      await sleep(LOOK_MS);
    }
  }
}
