/**
 * What has to be closed, in the reverse of the order in which it was opened. Invariant: each is
 * closed once, after all that were opened later, also where one of those failed to; whoever closes
 * hears of every failure.
 */
type Close = () => void | Promise<void>;

/** Calls each in turn, whatever fails, and then throws what failed: one error for all of it. */
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

export class DisposableStack {
  readonly #closers: Close[] = [];
  #closing: Promise<void> | undefined;

  defer(close: Close): void {
    this.#closers.push(close);
  }

  /** May be called again: it then waits for the same end. Throws as `closeEach`. */
  dispose(): Promise<void> {
    this.#closing ??= closeEach(this.#lastFirst());
    return this.#closing;
  }

  /** After a start that failed: closes what was opened, and throws that, with what else failed. */
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
  if (failures.length > 1) throw new AggregateError(failures, failures.map(textOf).join('; '));
  if (failures.length === 1) throw failures[0];
}

function textOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
