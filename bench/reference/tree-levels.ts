/**
 * The ordered index of non-empty levels as design 4 first had it: `functional-red-black-tree` with
 * the best level cached, for a side whose best level is the highest.
 */
import createTree, { type Tree } from 'functional-red-black-tree';
import { NONE } from '../../engine/book/level-index.ts';

export class TreeLevels {
  #tree: Tree<number, number> = createTree((a, b) => a - b);
  best: number = NONE;

  add(level: number): void {
    this.#tree = this.#tree.insert(level, level);
    if (level > this.best) this.best = level;
  }

  delete(level: number): void {
    this.#tree = this.#tree.remove(level);
    if (level === this.best) this.best = this.#tree.end.key ?? NONE;
  }

  worse(level: number): number {
    return this.#tree.lt(level).key ?? NONE;
  }
}
