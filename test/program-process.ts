/**
 * The program as its own process, with its arguments, exit code and output.
 *
 * Invariant: of the tests' environment it sees only PATH and Node's variables for faster loading,
 * and it ends with its test.
 * Bound: it must print its first line within FIRST_LINE_MS.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';

export const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const FIRST_LINE_MS = 60_000;
const SEEN = ['PATH', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE', 'TEST_BUNDLE', 'OPTIMIZES'];

export function seenVariables(): Record<string, string> {
  return Object.fromEntries(SEEN.map((name) => [name, process.env[name] ?? '']));
}

export interface Finished {
  /** null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class ProgramProcess {
  readonly #child: ChildProcess;
  readonly #finished: Promise<Finished>;
  readonly #firstOutput = Promise.withResolvers<string>();
  #stdout = '';
  #stderr = '';

  /** `main` is another copy of the program. */
  constructor(
    t: Test,
    words: readonly string[],
    environment: Record<string, string> = {},
    main = MAIN,
  ) {
    const env = { ...seenVariables(), ...environment };
    const child = spawn(process.execPath, [main, ...words], { env, stdio: 'pipe' });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
      if (this.#stdout.endsWith('\n')) this.#firstOutput.resolve(this.#stdout);
    });
    this.#finished = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        resolve({ code, stdout: this.#stdout, stderr: this.#stderr });
        this.#firstOutput.reject(new Error(`it ended with ${code}: ${this.#stderr}`));
      });
    });
    // A test may wait for the end alone and ignore the first output.
    this.#firstOutput.promise.catch(() => {});
    t.teardown(() => this.kill());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** All that it has printed when a first line is complete; rejects if it ends without one. */
  async firstOutput(): Promise<string> {
    const timer = setTimeout(() => {
      this.#firstOutput.reject(new Error(`it says nothing: ${this.#stderr}`));
    }, FIRST_LINE_MS);
    try {
      return await this.#firstOutput.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  finished(): Promise<Finished> {
    return this.#finished;
  }

  /** Asks it to stop, and waits for its end. */
  stop(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<Finished> {
    this.#child.kill(signal);
    return this.#finished;
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL');
    }
    await this.#finished;
  }
}

/** Runs the program to its end. */
export function runProgram(
  t: Test,
  words: readonly string[],
  environment?: Record<string, string>,
): Promise<Finished> {
  return new ProgramProcess(t, words, environment).finished();
}
