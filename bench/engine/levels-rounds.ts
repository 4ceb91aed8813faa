/**
 * The decision of design 4, in a process of its own: the same sequence of levels that appear and
 * vanish on the bitmap and on the tree, and the same adds, finds and deletes on our table of order
 * ids and on a Map. Both sides of each pair must give the same answers.
 */
import { LevelIndex, NONE } from '../../engine/book/level-index.ts';
import { ID_WORDS, isSameId, readOrderId } from '../../engine/book/order-id.ts';
import { OrderTable } from '../../engine/book/order-table.ts';
import { Random } from '../../test/engine/random/random.ts';
import { answerParent, childInput, collectGarbage } from '../harness/measurement.ts';
import { TreeLevels } from '../reference/tree-levels.ts';

export type LevelsInput =
  | { readonly kind: 'levels'; readonly levels: number; readonly rounds: number }
  | { readonly kind: 'ids'; readonly entries: number; readonly rounds: number };

/** Nanoseconds an operation of each round, and the longest pauses in milliseconds. */
export interface LevelsOutput {
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
  readonly ourPauseMs: number;
  readonly theirPauseMs: number;
}

interface Levels {
  readonly best: number;
  add(level: number): void;
  delete(level: number): void;
  worse(level: number): number;
}

/** The bitmap with the best level cached, as the book uses it. */
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

const LEVEL_STEPS = 200_000;
/** Levels looked at from the best one on, as a taker or a depth view does. */
const WALK = 3;

/** Levels to flip: more of them near the best, where trading is. */
function flips(random: Random, levels: number): Int32Array {
  return Int32Array.from({ length: LEVEL_STEPS }, () => {
    const chance = (random.below(1e6) + 1) / 1e6;
    const away = Math.floor(-Math.log(chance) * levels * 0.2) % levels;
    return levels - 1 - away;
  });
}

/** Each step: a level appears or vanishes, the best is read, and a short walk from it. */
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

function measureLevels(levels: number, rounds: number): LevelsOutput {
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
  return { ours: taken[0], theirs: taken[1], ourPauseMs: 0, theirPauseMs: 0 };
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

  delete(id: string, _handle: number): void {
    this.#map.delete(id);
  }
}

const ID_BATCH = 512;
const ID_BATCHES = 100;
const FILLS = 3;

/** A text as it comes from the wire: of its own, never hashed. */
function copy(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/** What happens to the table of ids at one step: an id goes, one comes, one is found, one not. */
interface IdStep {
  readonly handle: number;
  readonly goes: string;
  readonly comes: string;
  readonly there: string;
  readonly absent: string;
}

function runIds(ids: Ids, steps: readonly IdStep[]): number {
  let sum = 0;
  for (const { handle, goes, comes, there, absent } of steps) {
    ids.delete(goes, handle);
    sum += ids.find(absent);
    ids.add(comes, handle);
    sum += ids.find(there);
  }
  return sum;
}

/** Makes the next steps in terms of what is in the tables now. */
function makeSteps(random: Random, live: string[]): IdStep[] {
  return Array.from({ length: ID_BATCH }, () => {
    const handle = random.below(live.length);
    const goes = copy(live[handle]!);
    const comes = copy(`0x${random.hex(64)}`);
    live[handle] = comes;
    const there = copy(live[random.below(live.length)]!);
    return { handle, goes, comes, there, absent: copy(`0x${random.hex(64)}`) };
  });
}

/** The longest single call while a table fills from nothing, in milliseconds. */
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

/** The same step with texts of its own. */
function ownTexts({ handle, goes, comes, there, absent }: IdStep): IdStep {
  return {
    handle,
    goes: copy(goes),
    comes: copy(comes),
    there: copy(there),
    absent: copy(absent),
  };
}

/** Nanoseconds an operation of both, batch by batch in turn. */
function idRound(pair: readonly Ids[], random: Random, live: string[]): number[] {
  const milliseconds = pair.map(() => 0);
  for (let batch = 0; batch < ID_BATCHES; batch += 1) {
    const steps = makeSteps(random, live);
    const sums = pair.map((ids, at) => {
      const own = steps.map(ownTexts);
      const start = performance.now();
      const sum = runIds(ids, own);
      milliseconds[at]! += performance.now() - start;
      return sum;
    });
    if (sums[0] !== sums[1]) throw new Error('the table and the Map disagree');
  }
  return milliseconds.map((ms) => (ms * 1e6) / (ID_BATCH * ID_BATCHES * 4));
}

function measureIds(entries: number, rounds: number): LevelsOutput {
  const random = new Random(entries);
  const live = Array.from({ length: entries }, () => copy(`0x${random.hex(64)}`));
  let pair: readonly Ids[] = [];
  const pauses: [number[], number[]] = [[], []];
  for (let fill = 0; fill < FILLS; fill += 1) {
    pair = [new TableIds(entries), new MapIds()];
    for (const [at, ids] of pair.entries()) {
      const own = live.map(copy);
      collectGarbage();
      pauses[at]!.push(longestAdd(ids, own));
    }
  }
  idRound(pair, random, live);
  const taken = Array.from({ length: rounds }, () => idRound(pair, random, live));
  return {
    ours: taken.map(([our]) => our!),
    theirs: taken.map(([, their]) => their!),
    // Of several fills the least disturbed by what else the machine does.
    ourPauseMs: Math.min(...pauses[0]),
    theirPauseMs: Math.min(...pauses[1]),
  };
}

const input = childInput<LevelsInput>();
answerParent(
  input.kind === 'levels'
    ? measureLevels(input.levels, input.rounds)
    : measureIds(input.entries, input.rounds),
);
