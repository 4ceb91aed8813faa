/**
 * Runs the exported functions of a file in a separate process, so that one measurement cannot
 * affect another by its heap, its compiled code or a crash. Calls and results are messages.
 *
 * Invariant: every call ends, after `limitMs` with an error. The process ends when its parent ends,
 * and ends every process that it started itself.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { processorSeconds } from './processor-time.ts';

export interface Call {
  readonly name: string;
  readonly inputs: readonly unknown[];
}

/** The value of a call, or its error. */
export interface Answer {
  readonly value?: unknown;
  readonly error?: Error;
}

type Inputs<F> = F extends (...inputs: infer I) => unknown ? I : never;
type Output<F> = F extends (...inputs: never[]) => infer O ? Awaited<O> : never;

const CHILD = new URL('./process-child.ts', import.meta.url);
/** Longer than the longest part of any benchmark. */
const LIMIT_MS = 3 * 3_600_000;
const KILL_AFTER_MS = 10_000;

/** A process that runs a file's functions. `Module` is the `typeof` of the file's namespace. */
export class Process<Module> {
  readonly #child: ChildProcess;
  readonly #limitMs: number;
  /** Resolves with how the process ended. */
  readonly #ended: Promise<string>;
  readonly #killAtExit = (): boolean => this.#child.kill('SIGKILL');

  constructor(file: URL, limitMs = LIMIT_MS) {
    this.#limitMs = limitMs;
    this.#child = fork(CHILD, [file.href], {
      execArgv: ['--expose-gc', '--no-warnings'],
      serialization: 'advanced',
    });
    process.once('exit', this.#killAtExit);
    this.#ended = once(this.#child, 'exit').then(([code, signal]) => {
      process.off('exit', this.#killAtExit);
      return `${file.pathname.split('/').at(-1)} ended with ${code ?? signal}`;
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  processorSeconds(): number {
    return processorSeconds(this.pid);
  }

  /**
   * Calls an exported function; the next call must wait for its end. Rejects with its error, or
   * when the process ends or is too slow.
   */
  async call<Name extends keyof Module & string>(
    name: Name,
    ...inputs: Inputs<Module[Name]>
  ): Promise<Output<Module[Name]>> {
    const call: Call = { name, inputs };
    this.#child.send(call);
    const { value, error } = await Promise.race([this.#nextAnswer(), this.#failAtEnd()]);
    if (error !== undefined) throw error;
    // Safe: the answer is the result of the function of this name.
    return value as Output<Module[Name]>;
  }

  /** Stops the process so that it can stop the processes it started, and waits for its end. */
  async stop(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    const timer = setTimeout(this.#killAtExit, KILL_AFTER_MS);
    await this.#ended;
    clearTimeout(timer);
  }

  /** Ends the process at once, as a crash would. */
  async kill(): Promise<void> {
    this.#killAtExit();
    await this.#ended;
  }

  async #nextAnswer(): Promise<Answer> {
    const signal = AbortSignal.timeout(this.#limitMs);
    try {
      const [answer] = await once(this.#child, 'message', { signal });
      return answer;
    } catch (cause) {
      if (!signal.aborted) throw cause;
      const seconds = this.#limitMs / 1_000;
      throw new Error(`the process did not answer within ${seconds} seconds`, { cause });
    }
  }

  async #failAtEnd(): Promise<never> {
    throw new Error(await this.#ended);
  }
}

/** Makes one call in a new process. */
export async function callInProcess<Module, Name extends keyof Module & string>(
  file: URL,
  name: Name,
  ...inputs: Inputs<Module[Name]>
): Promise<Output<Module[Name]>> {
  const process = new Process<Module>(file);
  try {
    return await process.call(name, ...inputs);
  } finally {
    await process.stop();
  }
}
