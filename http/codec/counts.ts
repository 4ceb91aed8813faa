/**
 * Counts by one or two names, such as the kind of a command and its outcome.
 *
 * Bound: callers use a fixed set of names (kinds, codes, rows), never a client's text.
 */
export class Counts {
  readonly #byFirst = new Map<string, Map<string, number>>();

  add(first: string, second = ''): void {
    let bySecond = this.#byFirst.get(first);
    if (bySecond === undefined) {
      bySecond = new Map();
      this.#byFirst.set(first, bySecond);
    }
    bySecond.set(second, (bySecond.get(second) ?? 0) + 1);
  }

  *all(): Iterable<readonly [first: string, second: string, count: number]> {
    for (const [first, bySecond] of this.#byFirst) {
      for (const [second, count] of bySecond) yield [first, second, count];
    }
  }
}
