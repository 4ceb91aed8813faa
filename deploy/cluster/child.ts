/**
 * A process of the cluster that can be paused, killed and started again. Its output goes to a file,
 * which all its starts share.
 *
 * Invariant: no child outlives this process, unless this process is killed by SIGKILL.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** How much of the output a message of a failure shows. */
const SHOWN_CHARACTERS = 6_000;

export interface ChildCommand {
  readonly name: string;
  /** The program and its arguments. */
  readonly words: readonly string[];
  readonly logFile: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Exit {
  /** null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class ClusterChild {
  readonly name: string;
  readonly logFile: string;
  #command: ChildCommand;
  #child: ChildProcess | undefined;
  #exit: Promise<Exit> = Promise.resolve({ code: null, signal: null });

  constructor(command: ChildCommand) {
    this.#command = command;
    this.name = command.name;
    this.logFile = command.logFile;
  }

  /** 0 before its first start. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get isRunning(): boolean {
    const child = this.#child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  /** Resolves when the process of the last start has ended. */
  get ended(): Promise<Exit> {
    return this.#exit;
  }

  /** The whole output of all starts. */
  get output(): string {
    return readFileSync(this.logFile, 'utf8');
  }

  get lastOutput(): string {
    return this.output.slice(-SHOWN_CHARACTERS);
  }

  /** The next start has this. */
  change(command: Partial<Pick<ChildCommand, 'words' | 'environment'>>): void {
    this.#command = { ...this.#command, ...command };
  }

  start(): void {
    if (this.isRunning) throw new Error(`${this.name} is running`);
    const { words, environment } = this.#command;
    const [program = '', ...rest] = words;
    const log = openSync(this.logFile, 'a', 0o600);
    const child = spawn(program, rest, {
      // A group of its own: Ctrl-C in a terminal goes to this process alone, which stops the rest
      // in order.
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, ...environment },
    });
    closeSync(log);
    const killAtExit = (): boolean => child.kill('SIGKILL');
    process.once('exit', killAtExit);
    this.#child = child;
    this.#exit = once(child, 'exit').then(
      ([code, signal]) => {
        process.off('exit', killAtExit);
        return { code, signal };
      },
      (error) => {
        process.off('exit', killAtExit);
        throw new Error(`${this.name} cannot be started: ${error.message}`, { cause: error });
      },
    );
    // The caller that waits for it sees the rejection.
    this.#exit.catch(() => undefined);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  pause(): void {
    this.signal('SIGSTOP');
  }

  resume(): void {
    this.signal('SIGCONT');
  }

  async kill(): Promise<Exit> {
    this.signal('SIGKILL');
    return await this.#exit;
  }

  /** Asks it to stop; kills it if it has not ended after `patienceMs`. */
  async stop(patienceMs = 20_000): Promise<Exit> {
    this.signal('SIGTERM');
    // A paused process handles no other signal.
    this.signal('SIGCONT');
    const timer = setTimeout(() => this.signal('SIGKILL'), patienceMs);
    try {
      return await this.#exit;
    } finally {
      clearTimeout(timer);
    }
  }
}
