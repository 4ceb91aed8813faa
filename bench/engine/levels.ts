/**
 * `npm run bench -- levels`: the figures behind decisions 0005 and 0006. The ordered index of price
 * levels is a bitmap instead of `functional-red-black-tree`, and order ids are found in a table of
 * our own instead of a Map. The two sides of a comparison run the same steps in turn and must give
 * the same answers. `--rounds N` sets the number of rounds.
 */
import createTree, { type Tree } from 'functional-red-black-tree';
import { LevelIndex, NONE } from '../../engine/book/level-index.ts';
import { ID_WORDS, isSameId, readOrderId } from '../../engine/book/order-id.ts';
import { OrderTable } from '../../engine/book/order-table.ts';
import { Random } from '../../http/codec/random.ts';
import { copyText } from '../harness/commands.ts';
import { fixed, printProgress, spreadText, whole } from '../harness/print.ts';
import { callInProcess } from '../harness/process.ts';
import { collectGarbage } from '../harness/processor-time.ts';
import type { BenchResult } from '../harness/results.ts';
import { spreadOf } from '../harness/statistics.ts';
import { summaryRow } from '../harness/summary.ts';

/** Price levels of markets with a tick of 100, 10 and 1. */
const LEVELS = [101, 1_001, 10_001];
const ENTRIES = [10_000, 100_000, 1_000_000];
const WARM_UP_ROUNDS = 2;
const LEVEL_STEPS = 200_000;
/** Levels read from the best one on, as a taker or a depth view does. */
const WALK = 3;
/** Steps of a batch: few, so that their texts stay in the processor's cache, as after parsing. */
const ID_STEPS = 512;
const ID_BATCHES = 100;
/** Operations of a round: a step deletes an id, adds one, finds one and misses one. */
const ID_OPERATIONS = ID_BATCHES * ID_STEPS * 4;

/** The levels of a book's side that have orders. */
type Index = Pick<LevelIndex, 'add' | 'delete' | 'below'>;

class TreeIndex implements Index {
  #tree: Tree<number, number> = createTree((a, b) => a - b);

  add(level: number): void {
    this.#tree = this.#tree.insert(level, level);
  }

  delete(level: number): void {
    this.#tree = this.#tree.remove(level);
  }

  below(level: number): number {
    return this.#tree.lt(level).key ?? NONE;
  }
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

/** Runs one side of a batch. Returns a checksum, which must be the same for both sides. */
type Work = () => number;

/** Milliseconds of each side by round. `prepare` makes a batch for both sides and is not timed. */
function timePairs(rounds: number, batches: number, prepare: () => readonly [Work, Work]) {
  const takenMs: [number[], number[]] = [[], []];
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    const roundMs = [0, 0];
    collectGarbage();
    for (let batch = 0; batch < batches; batch += 1) {
      const sums = prepare().map((work, side) => {
        const start = performance.now();
        const sum = work();
        roundMs[side]! += performance.now() - start;
        return sum;
      });
      if (sums[0] !== sums[1]) throw new Error('the two implementations give different sums');
    }
    if (round >= 0) for (const [side, ms] of roundMs.entries()) takenMs[side]!.push(ms);
  }
  return takenMs;
}

/** Levels to flip: more of them near the best, where trading is. */
function flips(random: Random, levels: number): Int32Array {
  return Int32Array.from({ length: LEVEL_STEPS }, () => {
    const chance = (random.below(1e6) + 1) / 1e6;
    const away = Math.floor(-Math.log(chance) * levels * 0.2) % levels;
    return levels - 1 - away;
  });
}

/** A side of a book whose best level is the highest. The best level is cached. */
class Side {
  readonly #index: Index;
  readonly #present: Uint8Array;
  #best: number = NONE;

  constructor(index: Index, levels: number) {
    this.#index = index;
    this.#present = new Uint8Array(levels);
  }

  /** In each step a level appears or vanishes, then the WALK best levels are read. */
  run(steps: Int32Array): number {
    let sum = 0;
    for (const level of steps) {
      if (this.#present[level] === 0) {
        this.#index.add(level);
        if (level > this.#best) this.#best = level;
      } else {
        this.#index.delete(level);
        if (level === this.#best) this.#best = this.#index.below(level);
      }
      this.#present[level]! ^= 1;
      let at = this.#best;
      for (let walked = 0; at !== NONE && walked < WALK; walked += 1) {
        sum += at;
        at = this.#index.below(at);
      }
    }
    return sum;
  }
}

export function measureLevels(levels: number, rounds: number) {
  const random = new Random(levels);
  const ours = new Side(new LevelIndex(levels), levels);
  const theirs = new Side(new TreeIndex(), levels);
  return timePairs(rounds, 1, () => {
    const steps = flips(random, levels);
    return [() => ours.run(steps), () => theirs.run(steps)];
  });
}

type IdStep = Readonly<Record<'deleted' | 'added' | 'present' | 'absent', string>> & {
  readonly handle: number;
};

/** Makes steps for the ids that are in the tables now. */
function makeIdSteps(random: Random, live: string[]): IdStep[] {
  return Array.from({ length: ID_STEPS }, () => {
    const handle = random.below(live.length);
    const deleted = live[handle]!;
    const added = `0x${random.hex(64)}`;
    live[handle] = added;
    const present = live[random.below(live.length)]!;
    return { handle, deleted, added, present, absent: `0x${random.hex(64)}` };
  });
}

/** The same steps with new strings, as a request's parser gives them: not yet hashed. */
function copySteps(steps: readonly IdStep[]): IdStep[] {
  return steps.map(({ handle, deleted, added, present, absent }) => ({
    handle,
    deleted: copyText(deleted),
    added: copyText(added),
    present: copyText(present),
    absent: copyText(absent),
  }));
}

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

export function measureIds(entries: number, rounds: number) {
  const random = new Random(entries);
  const live = Array.from({ length: entries }, () => copyText(`0x${random.hex(64)}`));
  const [ours, theirs] = [new TableIds(entries), new MapIds()];
  for (const [handle, id] of live.entries()) for (const ids of [ours, theirs]) ids.add(id, handle);
  return timePairs(rounds, ID_BATCHES, () => {
    const steps = makeIdSteps(random, live);
    const [ourSteps, theirSteps] = [copySteps(steps), copySteps(steps)];
    return [() => runIds(ours, ourSteps), () => runIds(theirs, theirSteps)];
  });
}

type Measurement = 'measureLevels' | 'measureIds';

async function measure(name: Measurement, what: string, size: number, rounds: number) {
  printProgress(`levels: ${what}`);
  const file = new URL(import.meta.url);
  const [ours, theirs] = await callInProcess<typeof import('./levels.ts'), Measurement>(
    file,
    name,
    size,
    rounds,
  );
  const operations = name === 'measureLevels' ? LEVEL_STEPS : ID_OPERATIONS;
  const nanoseconds = (takenMs: readonly number[]) =>
    spreadOf(takenMs.map((ms) => (ms * 1e6) / operations));
  const ratio = spreadOf(theirs.map((taken, round) => taken / ours[round]!));
  return { what, ours: nanoseconds(ours), theirs: nanoseconds(theirs), ratio };
}

export async function benchLevels({ rounds = 7 }): Promise<BenchResult> {
  const rows: Awaited<ReturnType<typeof measure>>[] = [];
  for (const count of LEVELS) {
    const what = `${whole(count)} price levels beside a red-black tree`;
    rows.push(await measure('measureLevels', what, count, rounds));
  }
  for (const count of ENTRIES) {
    const what = `${whole(count)} order ids beside a Map`;
    rows.push(await measure('measureIds', what, count, rounds));
  }
  const summary = rows.map(({ what, ours, theirs, ratio }) =>
    summaryRow({
      what,
      ours: `${spreadText(ours, (ns) => fixed(ns, 1))} ns`,
      reference: `${fixed(theirs.median, 1)} ns`,
      ratio,
    }),
  );
  return { figures: { unit: 'ns an operation', rounds, rows }, rows: summary };
}
