/**
 * What has to be closed, in the reverse of the order in which it was opened. Invariant: each is
 * closed once, after all that were opened later.
 */
export class Closers {
  readonly #closers: (() => void | Promise<void>)[] = [];
  #closing: Promise<void> | undefined;

  add(close: () => void | Promise<void>): void {
    this.#closers.push(close);
  }

  /** May be called again: it then waits for the same end. */
  closeAll(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      await close();
    }
  }
}
