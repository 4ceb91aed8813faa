// Runs a program of the documents as a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';

const LINE_WITHIN_MS = 60_000;

/** A program of the documents and what it prints. */
export class Example {
  readonly child: ChildProcess;
  readonly #lines: string[] = [];
  readonly #arrival = new EventTarget();

  constructor(t: Test, file: string, environment: Record<string, string> = {}) {
    this.child = spawn(process.execPath, [file], { env: { ...process.env, ...environment } });
    t.teardown(() => this.child.kill('SIGKILL'));
    for (const input of [this.child.stdout, this.child.stderr]) {
      if (input === null) throw new Error('the output is a pipe');
      createInterface({ input }).on('line', (line) => {
        this.#lines.push(line);
        this.#arrival.dispatchEvent(new Event('line'));
      });
    }
  }

  get output(): string {
    return this.#lines.join('\n');
  }

  /** Waits until it has printed a line since the last call. */
  async prints(line: string | RegExp): Promise<void> {
    const signal = AbortSignal.timeout(LINE_WITHIN_MS);
    const isMeant = (one: string): boolean =>
      typeof line === 'string' ? one === line : line.test(one);
    while (!this.#lines.some(isMeant)) {
      await once(this.#arrival, 'line', { signal }).catch((cause) => {
        throw new Error(`it never printed "${line}":\n${this.output}`, { cause });
      });
    }
    this.#lines.splice(0, this.#lines.findIndex(isMeant) + 1);
  }

  async end(): Promise<number | null> {
    await once(this.child, 'close');
    return this.child.exitCode;
  }
}
