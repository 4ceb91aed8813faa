/**
 * Closes resources in the reverse of the order in which they were opened (as the
 * AsyncDisposableStack of newer runtimes does). Invariant: each is closed once, after all that were
 * opened later, even if one of those fails to close; the caller gets every failure.
 */
import { messageOf } from './store-error.ts';

type Close = () => void | Promise<void>;

/** Calls each in turn, even after a failure, and then throws all failures as one error. */
export async function closeEach(closers: Iterable<Close>): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers) {
    try {
      await close();
    } catch (failure) {
      failures.push(failure);
    }
  }
  throwAll(failures);
}

/**
 * Waits for all, even after a failure, so that everything that was opened can be closed. Then
 * throws the error of the first in the list that failed.
 */
export async function allDone<const Values extends readonly unknown[]>(
  values: Values,
): Promise<{ -readonly [Place in keyof Values]: Awaited<Values[Place]> }> {
  for (const result of await Promise.allSettled(values)) {
    if (result.status === 'rejected') throw result.reason;
  }
  return await Promise.all(values);
}

export class DisposableStack {
  readonly #closers: Close[] = [];
  #closing: Promise<void> | undefined;

  defer(close: Close): void {
    this.#closers.push(close);
  }

  /** A second call waits for the first one. Throws as `closeEach`. */
  dispose(): Promise<void> {
    this.#closing ??= closeEach(this.#lastFirst());
    return this.#closing;
  }

  /** Ends a start that failed: closes everything and throws `error` with any other failures. */
  async disposeAfter(error: unknown): Promise<never> {
    const failures = [error];
    await this.dispose().catch((failure: unknown) => failures.push(failure));
    throwAll(failures);
    throw error;
  }

  *#lastFirst(): Generator<Close> {
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      yield close;
    }
  }
}

function throwAll(failures: readonly unknown[]): void {
  if (failures.length > 1) throw new AggregateError(failures, failures.map(messageOf).join('; '));
  if (failures.length === 1) throw failures[0];
}
