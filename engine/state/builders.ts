/**
 * The builders whose codes have terms, numbered in order of the first setting. Invariant: a code
 * keeps its number. Bound: `builders`.
 */
import { NONE } from '../book/index.ts';
import type { Builder } from '../fees/schedules.ts';

export class Builders {
  readonly #indexes = new Map<string, number>();
  readonly #all: Builder[] = [];

  get size(): number {
    return this.#all.length;
  }

  /** The number of a code; NONE for one without terms. */
  indexOf(code: string): number {
    return this.#indexes.get(code) ?? NONE;
  }

  /** The terms in force; undefined for NONE. */
  at(index: number): Builder | undefined {
    // V8 is slow to find out that an array has no element -1.
    return index === NONE ? undefined : this.#all[index];
  }

  get(code: string): Builder | undefined {
    return this.#all[this.indexOf(code)];
  }

  set(builder: Builder): void {
    const known = this.#indexes.get(builder.builder);
    if (known !== undefined) this.#all[known] = builder;
    else this.#indexes.set(builder.builder, this.#all.push(builder) - 1);
  }

  values(): Iterable<Builder> {
    return this.#all;
  }
}
