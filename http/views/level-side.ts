/**
 * The price levels of one side of a market's book, in YES ticks.
 *
 * Levels are a persistent sorted map (docs/decisions/0005-structures-of-books.md): a
 * change makes a new version that shares all but one path with the old one, so a reader keeps an
 * old version without a copy. JSON is made when a reader asks for it; a level keeps its own JSON
 * until its size changes.
 * Bound: 9,999 levels, with two texts of some 40 characters for each level that is read.
 */
import createTree, { type Tree } from 'functional-red-black-tree';
import {
  complement,
  type LevelChanged,
  type Lots,
  ONE_TICKS,
  type Outcome,
  type Ticks,
  ticks,
} from '../../engine/model/index.ts';
import { lotsText, ticksText } from '../codec/index.ts';
import { levelText } from './book-text.ts';

interface Level {
  readonly lots: Lots;
  /** The level's JSON as each token shows it, made when first read. */
  yesText: string | undefined;
  noText: string | undefined;
}

/** One version of a side's levels, worst first. */
export type Levels = Tree<Ticks, Readonly<Level>>;

function ascending(a: number, b: number): number {
  return a - b;
}
function descending(a: number, b: number): number {
  return b - a;
}

export class LevelSide {
  readonly #side: LevelChanged['side'];
  #levels: Tree<Ticks, Level>;
  /** What `bestTicks` is when the side is empty: 0 for bids, 10,000 for asks (wire 1.5). */
  readonly #emptyTicks: Ticks;
  /** The JSON of all levels as each token shows them; undefined after a change. */
  #texts: [yes: string | undefined, no: string | undefined] = [undefined, undefined];

  constructor(side: LevelChanged['side']) {
    this.#side = side;
    const isBid = side === 'bid';
    this.#levels = createTree<Ticks, Level>(isBid ? ascending : descending);
    this.#emptyTicks = isBid ? ticks(0) : ONE_TICKS;
  }

  /** The levels as they are now. Later changes leave this version as it is. */
  get levels(): Levels {
    return this.#levels;
  }

  /** A side with the same levels, which later changes of this one leave as they are. */
  copy(): LevelSide {
    const copy = new LevelSide(this.#side);
    copy.#levels = this.#levels;
    return copy;
  }

  /** 0 for bids and 10,000 for asks when the side is empty. */
  get bestTicks(): Ticks {
    let node = this.#levels.root;
    if (node === null) return this.#emptyTicks;
    while (node.right !== null) node = node.right;
    return node.key;
  }

  /** Sets the size of a level; a size of 0 removes the level. */
  set(price: Ticks, lots: Lots): void {
    this.#texts = [undefined, undefined];
    const found = this.#levels.find(price);
    if (lots === 0) {
      this.#levels = found.remove();
      return;
    }
    const level: Level = { lots, yesText: undefined, noText: undefined };
    this.#levels = found.valid ? found.update(level) : this.#levels.insert(price, level);
  }

  /**
   * The JSON of the levels as a token shows them, worst first, without the brackets. YES bids
   * ascend and YES asks descend; read at the complement, those asks are NO bids that ascend. So one
   * order fits both tokens.
   */
  textFor(outcome: Outcome): string {
    this.#texts[outcome] ??= this.#joined(outcome);
    return this.#texts[outcome];
  }

  #joined(outcome: Outcome): string {
    const texts: string[] = [];
    this.#levels.forEach((price, level) => {
      texts.push(outcome === 0 ? yesTextOf(price, level) : noTextOf(price, level));
    });
    // `join` gives a flat string, which is hashed and copied without another walk.
    return texts.join(',');
  }
}

function yesTextOf(price: Ticks, level: Level): string {
  level.yesText ??= levelText(ticksText(price), lotsText(level.lots));
  return level.yesText;
}

function noTextOf(price: Ticks, level: Level): string {
  level.noText ??= levelText(ticksText(complement(price)), lotsText(level.lots));
  return level.noText;
}
