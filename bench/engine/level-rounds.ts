/**
 * The same sequence of levels that appear and vanish on the bitmap and on the red-black tree, and
 * the same adds, finds and deletes on our table of order ids and on a Map. Both sides of a pair
 * must give the same answers.
 */
import createTree, { type Tree } from 'functional-red-black-tree';
import { LevelIndex, NONE } from '../../engine/book/level-index.ts';
import { ID_WORDS, isSameId, readOrderId } from '../../engine/book/order-id.ts';
import { OrderTable } from '../../engine/book/order-table.ts';
import { Random } from '../../test/engine/random/random.ts';
import { copyText } from '../harness/commands.ts';
import { collectGarbage } from '../harness/processor-time.ts';

/** Nanoseconds an operation of each round; the longest pauses are ours and theirs. */
export interface PairFigures {
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
  readonly pausesMs: readonly number[];
}

/** A side of a book whose best level is the highest. The best level is cached. */
interface Levels {
  readonly best: number;
  add(level: number): void;
  delete(level: number): void;
  worse(level: number): number;
}

class BitmapLevels implements Levels {
  readonly #index: LevelIndex;
  best: number = NONE;

  constructor(levels: number) {
    this.#index = new LevelIndex(levels);
  }

  add(level: number): void {
    this.#index.add(level);
    if (level > this.best) this.best = level;
  }

  delete(level: number): void {
    this.#index.delete(level);
    if (level === this.best) this.best = this.#index.below(level);
  }

  worse(level: number): number {
    return this.#index.below(level);
  }
}

class TreeLevels implements Levels {
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

const LEVEL_STEPS = 200_000;
/** Levels read from the best one on, as a taker or a depth view does. */
const WALK = 3;

/** Levels to flip: more of them near the best, where trading is. */
function flips(random: Random, levels: number): Int32Array {
  return Int32Array.from({ length: LEVEL_STEPS }, () => {
    const chance = (random.below(1e6) + 1) / 1e6;
    const away = Math.floor(-Math.log(chance) * levels * 0.2) % levels;
    return levels - 1 - away;
  });
}

/** Each step: a level appears or vanishes, then the best is read and a short walk from it. */
function runLevels(index: Levels, present: Uint8Array, steps: Int32Array): number {
  let sum = 0;
  for (const level of steps) {
    if (present[level] === 0) index.add(level);
    else index.delete(level);
    present[level]! ^= 1;
    let at = index.best;
    for (let walked = 0; at !== NONE && walked < WALK; walked += 1) {
      sum += at;
      at = index.worse(at);
    }
  }
  return sum;
}

export function measureLevels(levels: number, rounds: number): PairFigures {
  const random = new Random(levels);
  const pair = [new BitmapLevels(levels), new TreeLevels()] as const;
  const present = pair.map(() => new Uint8Array(levels));
  const taken: [number[], number[]] = [[], []];
  for (let round = -2; round < rounds; round += 1) {
    const steps = flips(random, levels);
    const sums = pair.map((index, at) => {
      collectGarbage();
      const start = performance.now();
      const sum = runLevels(index, present[at]!, steps);
      const nanoseconds = ((performance.now() - start) * 1e6) / LEVEL_STEPS;
      if (round >= 0) taken[at]!.push(nanoseconds);
      return sum;
    });
    if (sums[0] !== sums[1]) throw new Error('the bitmap and the tree disagree');
  }
  return { ours: taken[0], theirs: taken[1], pausesMs: [0, 0] };
}

interface Ids {
  find(id: string): number;
  add(id: string, handle: number): void;
  delete(id: string, handle: number): void;
}

class TableIds implements Ids {
  readonly #ids: Int32Array;
  readonly #words = new Int32Array(ID_WORDS);
  readonly #table: OrderTable;

  constructor(entries: number) {
    const ids = new Int32Array(entries * ID_WORDS);
    this.#ids = ids;
    const hasId = (entry: number, id: Int32Array): boolean =>
      isSameId(ids, entry * ID_WORDS, id, 0);
    this.#table = new OrderTable(hasId, { seed: 12_345 });
  }

  find(id: string): number {
    readOrderId(id, this.#words);
    return this.#table.find(this.#words);
  }

  add(id: string, handle: number): void {
    readOrderId(id, this.#words);
    this.#ids.set(this.#words, handle * ID_WORDS);
    this.#table.add(this.#table.hash(this.#words, 0), handle);
  }

  delete(id: string, handle: number): void {
    readOrderId(id, this.#words);
    this.#table.delete(this.#table.hash(this.#words, 0), handle);
  }
}

class MapIds implements Ids {
  readonly #map = new Map<string, number>();

  find(id: string): number {
    return this.#map.get(id) ?? NONE;
  }

  add(id: string, handle: number): void {
    this.#map.set(id, handle);
  }

  delete(id: string): void {
    this.#map.delete(id);
  }
}

const ID_BATCH = 512;
const ID_BATCHES = 100;
const FILLS = 3;

/** One step: an id is deleted, another added, one found, one not found. */
type IdStep = Readonly<Record<'deleted' | 'added' | 'present' | 'absent', string>> & {
  readonly handle: number;
};

function runIds(ids: Ids, steps: readonly IdStep[]): number {
  let sum = 0;
  for (const { handle, deleted, added, present, absent } of steps) {
    ids.delete(deleted, handle);
    sum += ids.find(absent);
    ids.add(added, handle);
    sum += ids.find(present);
  }
  return sum;
}

/** Makes steps for the ids that are in the tables now. */
function makeSteps(random: Random, live: string[]): IdStep[] {
  return Array.from({ length: ID_BATCH }, () => {
    const handle = random.below(live.length);
    const deleted = live[handle]!;
    const added = `0x${random.hex(64)}`;
    live[handle] = added;
    const present = live[random.below(live.length)]!;
    return { handle, deleted, added, present, absent: `0x${random.hex(64)}` };
  });
}

/** The same steps with new strings. */
function copySteps(steps: readonly IdStep[]): IdStep[] {
  return steps.map(({ handle, deleted, added, present, absent }) => ({
    handle,
    deleted: copyText(deleted),
    added: copyText(added),
    present: copyText(present),
    absent: copyText(absent),
  }));
}

/** The longest single add while a table fills from nothing, in milliseconds. */
function longestAdd(ids: Ids, live: readonly string[]): number {
  let longest = 0;
  for (let handle = 0; handle < live.length; handle += 1) {
    const id = live[handle]!;
    const start = performance.now();
    ids.add(id, handle);
    longest = Math.max(longest, performance.now() - start);
  }
  return longest;
}

/** Nanoseconds an operation of both, batch by batch in turn. */
function idRound(pair: readonly Ids[], random: Random, live: string[]): number[] {
  const milliseconds = pair.map(() => 0);
  for (let batch = 0; batch < ID_BATCHES; batch += 1) {
    const steps = makeSteps(random, live);
    const sums = pair.map((ids, at) => {
      const own = copySteps(steps);
      const start = performance.now();
      const sum = runIds(ids, own);
      milliseconds[at]! += performance.now() - start;
      return sum;
    });
    if (sums[0] !== sums[1]) throw new Error('the table and the Map disagree');
  }
  return milliseconds.map((ms) => (ms * 1e6) / (ID_BATCH * ID_BATCHES * 4));
}

export function measureIds(entries: number, rounds: number): PairFigures {
  const random = new Random(entries);
  const live = Array.from({ length: entries }, () => copyText(`0x${random.hex(64)}`));
  let pair: readonly Ids[] = [];
  const pauses: [number[], number[]] = [[], []];
  for (let fill = 0; fill < FILLS; fill += 1) {
    pair = [new TableIds(entries), new MapIds()];
    for (const [at, ids] of pair.entries()) {
      const own = live.map(copyText);
      collectGarbage();
      pauses[at]!.push(longestAdd(ids, own));
    }
  }
  idRound(pair, random, live);
  const taken = Array.from({ length: rounds }, () => idRound(pair, random, live));
  return {
    ours: taken.map(([our]) => our!),
    theirs: taken.map(([, their]) => their!),
    // The least disturbed one of several fills.
    pausesMs: pauses.map((longest) => Math.min(...longest)),
  };
}
