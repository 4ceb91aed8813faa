/**
 * A process of our own that answers one wish at a time. Each wish has a time limit: what stalls
 * ends with an error, and the process ends with this one.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** What such a process sends for each wish. */
interface Answer {
  readonly value?: unknown;
  readonly error?: string;
}

const LIMIT_MS = 45_000;

export class HelperProcess<Wish extends { readonly kind: string }> {
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #kill = (): boolean => this.#child.kill('SIGKILL');

  constructor(file: URL) {
    this.#name = file.pathname.split('/').at(-1) ?? '';
    this.#child = fork(file, [], { execArgv: ['--no-warnings'] });
    process.once('exit', this.#kill);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The answer to a wish; an error when it fails, when the process ends or the time is up. */
  async ask<Value>(wish: Wish): Promise<Value> {
    const done = new AbortController();
    const { signal } = done;
    const timer = setTimeout(() => done.abort(), LIMIT_MS);
    try {
      const answered = once(this.#child, 'message', { signal });
      const ended = once(this.#child, 'exit', { signal }).then(() => [{ error: 'it ended' }]);
      this.#child.send(wish);
      // The processes are our own files: they send this and the value that the wish asks for.
      const [{ value, error }] = (await Promise.race([answered, ended])) as [Answer];
      if (error !== undefined) throw new Error(error);
      return value as Value;
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'AbortError';
      const what = isLate ? `no answer within ${LIMIT_MS / 1_000} seconds` : String(error);
      throw new Error(`${this.#name}: ${wish.kind}: ${what}`, { cause: error });
    } finally {
      clearTimeout(timer);
      done.abort();
    }
  }

  async stop(): Promise<void> {
    process.off('exit', this.#kill);
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#kill();
    await ended;
  }
}
