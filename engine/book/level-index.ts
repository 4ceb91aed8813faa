/**
 * The set of non-empty price levels of one book: a bitmap with a summary bitmap above it. It is 13
 * to 35 times as fast as a red-black tree
 * (docs/decisions/0005-structures-of-books.md). Invariant: a summary bit is set
 * exactly when its word has a bit set. Bound: 10,001 levels, in 313 words and 10 summary words.
 */

/** The absence of a level, an order, a position or any other index. */
export const NONE = -1;

export class LevelIndex {
  readonly #words: Uint32Array;
  readonly #summary: Uint32Array;

  constructor(levels: number) {
    this.#words = new Uint32Array((levels + 31) >>> 5);
    this.#summary = new Uint32Array((this.#words.length + 31) >>> 5);
  }

  add(level: number): void {
    const word = level >>> 5;
    this.#words[word]! |= 1 << (level & 31);
    this.#summary[word >>> 5]! |= 1 << (word & 31);
  }

  delete(level: number): void {
    const word = level >>> 5;
    this.#words[word]! &= ~(1 << (level & 31));
    if (this.#words[word] === 0) this.#summary[word >>> 5]! &= ~(1 << (word & 31));
  }

  /** The lowest level above `level`, or NONE. */
  above(level: number): number {
    const from = level + 1;
    const word = from >>> 5;
    if (word >= this.#words.length) return NONE;
    const rest = this.#words[word]! & (-1 << (from & 31));
    if (rest !== 0) return (word << 5) + lowestBit(rest);
    const next = nextWord(this.#summary, word);
    return next === NONE ? NONE : (next << 5) + lowestBit(this.#words[next]!);
  }

  /** The highest level below `level`, or NONE. */
  below(level: number): number {
    if (level <= 0) return NONE;
    const word = (level - 1) >>> 5;
    const rest = this.#words[word]! & (-1 >>> (31 - ((level - 1) & 31)));
    if (rest !== 0) return (word << 5) + highestBit(rest);
    const previous = previousWord(this.#summary, word);
    return previous === NONE ? NONE : (previous << 5) + highestBit(this.#words[previous]!);
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
function highestBit(bits: number): number {
  return 31 - Math.clz32(bits);
}

/** The first word after `word` that has a level. */
function nextWord(summary: Uint32Array, word: number): number {
  const from = word + 1;
  let group = from >>> 5;
  if (group >= summary.length) return NONE;
  let bits = summary[group]! & (-1 << (from & 31));
  while (bits === 0) {
    group += 1;
    if (group === summary.length) return NONE;
    bits = summary[group]!;
  }
  return (group << 5) + lowestBit(bits);
}

/** The last word before `word` that has a level. */
function previousWord(summary: Uint32Array, word: number): number {
  if (word === 0) return NONE;
  let group = (word - 1) >>> 5;
  let bits = summary[group]! & (-1 >>> (31 - ((word - 1) & 31)));
  while (bits === 0) {
    if (group === 0) return NONE;
    group -= 1;
    bits = summary[group]!;
  }
  return (group << 5) + highestBit(bits);
}
