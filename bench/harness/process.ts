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
  readonly id: number;
  readonly name: string;
  readonly inputs: readonly unknown[];
}

/** The value of a call or its error; an error without an id ends every open call. */
export interface Answer {
  readonly id?: number;
  readonly value?: unknown;
  readonly error?: Error;
}

type Function_ = (...inputs: never[]) => unknown;
type Inputs<F> = F extends (...inputs: infer I) => unknown ? I : never;
type Output<F> = F extends Function_ ? Awaited<ReturnType<F>> : never;

interface Open {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

const CHILD = new URL('./process-child.ts', import.meta.url);
/** Longer than the longest part of any benchmark. */
const LIMIT_MS = 3 * 3_600_000;
const KILL_AFTER_MS = 10_000;

/** A process that runs a file's functions. `Module` is the `typeof` of the file's namespace. */
export class Process<Module> {
  readonly #child: ChildProcess;
  readonly #limitMs: number;
  readonly #open = new Map<number, Open>();
  readonly #exited: Promise<unknown>;
  readonly #killAtExit = (): boolean => this.#child.kill('SIGKILL');
  #calls = 0;

  constructor(file: URL, limitMs = LIMIT_MS) {
    this.#limitMs = limitMs;
    this.#child = fork(CHILD, [file.href], {
      execArgv: ['--expose-gc', '--no-warnings'],
      serialization: 'advanced',
    });
    process.once('exit', this.#killAtExit);
    this.#exited = once(this.#child, 'exit').then(([code, signal]) => {
      process.off('exit', this.#killAtExit);
      this.#fail(new Error(`${file.pathname.split('/').at(-1)} ended with ${code ?? signal}`));
    });
    // Safe: process-child.ts sends only answers.
    this.#child.on('message', (answer) => this.#answered(answer as Answer));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  processorSeconds(): number {
    return processorSeconds(this.pid);
  }

  /**
   * Calls an exported function. Rejects with its error, or when the process ends or is too slow.
   */
  async call<Name extends keyof Module & string>(
    name: Name,
    ...inputs: Inputs<Module[Name]>
  ): Promise<Output<Module[Name]>> {
    this.#calls += 1;
    const id = this.#calls;
    const value = new Promise<unknown>((resolve, reject) =>
      this.#open.set(id, { resolve, reject }),
    );
    const timer = setTimeout(() => {
      this.#answered({
        id,
        error: new Error(`the process did not answer within ${this.#limitMs / 1_000} seconds`),
      });
    }, this.#limitMs);
    const call: Call = { id, name, inputs };
    this.#child.send(call);
    // Safe: the answer is the result of the function of this name.
    return (await value.finally(() => clearTimeout(timer))) as Output<Module[Name]>;
  }

  /** Stops the process so that it can stop the processes it started, and waits for its end. */
  async stop(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    const timer = setTimeout(this.#killAtExit, KILL_AFTER_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  /** Ends the process at once, as a crash would. */
  async kill(): Promise<void> {
    this.#killAtExit();
    await this.#exited;
  }

  #answered({ id, value, error }: Answer): void {
    if (id === undefined) {
      this.#fail(error ?? new Error('an answer came that no call waits for'));
      return;
    }
    const open = this.#open.get(id);
    this.#open.delete(id);
    if (error === undefined) open?.resolve(value);
    else open?.reject(error);
  }

  #fail(error: Error): void {
    for (const { reject } of this.#open.values()) reject(error);
    this.#open.clear();
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
