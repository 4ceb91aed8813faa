/**
 * The rows of balances that were written since the last `clear`, each with the amounts that it had
 * before. Invariant: a row is listed once, with its amounts at the last `clear`. Bound: the rows
 * that one batch of commands writes.
 */
export class TouchedRows {
  /** In the order of their first change. */
  readonly rows: number[] = [];
  /** What each row had available and held; NaN for a row that is new. */
  readonly available: number[] = [];
  readonly held: number[] = [];
  #isListed = new Uint8Array(64);

  /** To be called before a row changes. */
  note(row: number, available: number, held: number): void {
    if (this.#isListed[row] === 1) return;
    if (row >= this.#isListed.length) this.#grow(row);
    this.#isListed[row] = 1;
    this.rows.push(row);
    this.available.push(available);
    this.held.push(held);
  }

  clear(): void {
    for (const row of this.rows) this.#isListed[row] = 0;
    this.rows.length = 0;
    this.available.length = 0;
    this.held.length = 0;
  }

  #grow(row: number): void {
    const isListed = new Uint8Array(Math.max(row + 1, this.#isListed.length * 2));
    isListed.set(this.#isListed);
    this.#isListed = isListed;
  }
}
