/**
 * One size of the engine benchmark, in a process of its own: builds the same book in our engine and
 * in the reference, then lets them do the same operations in turn, a round of one and then the same
 * round of the other: batch by batch each would find its memory driven out of the processor's cache
 * by the other. Throughput rounds have no timer inside a batch; latency rounds have one for each
 * operation. At the end both books must hold the same levels.
 */
import { type Command, Engine } from '../../engine/index.ts';
import { answerParent, childInput, collectAndSweep } from '../harness/measurement.ts';
import { type Percentiles, percentilesOf, spreadOf, timerCostNs } from '../harness/statistics.ts';
import {
  type BookCall,
  callBook,
  depthOf,
  OrderBook,
  toBookCall,
} from '../reference/node-order-book.ts';
import type { Contender } from './contender.ts';
import { Floor } from './floor.ts';
import { fresh, type Operation, timeOf, Workload, type WorkloadTerms } from './workload.ts';

export interface EngineRoundsInput extends WorkloadTerms {
  readonly rounds: number;
  readonly latencyRounds: number;
  /** Operations of a round. */
  readonly operations: number;
  /** Whether the reference and the bound run too. */
  readonly beside: boolean;
}

export interface EngineRoundsOutput {
  /** Operations a second of each throughput round; empty for what did not run. */
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
  /** Of what no engine can leave out; see engine-floor.ts. */
  readonly floor: readonly number[];
  readonly ourLatency: Percentiles;
  readonly theirLatency: Percentiles;
  readonly timerNs: number;
  readonly resting: number;
  readonly levels: number;
  /** Events that our engine returned for an operation, on average. */
  readonly eventsEach: number;
  /** Bytes of heap that our engine took for an operation, its events among them. */
  readonly allocatedBytes: number;
}

/** Operations made ready and then done in one go, as the sequencer does with what has arrived. */
const BATCH = 512;

class Ours implements Contender<Command> {
  readonly #engine: Engine;
  #seq = 0;
  events = 0;

  constructor(workload: Workload, resting: number) {
    this.#engine = new Engine({}, { reserveOrders: resting });
    this.run([...workload.setup()]);
  }

  prepare(batch: readonly Operation[]): readonly Command[] {
    return batch.map(({ command }) => fresh(command));
  }

  run(calls: readonly Command[]): void {
    let seq = this.#seq;
    let events = 0;
    for (const command of calls) {
      seq += 1;
      events += this.#engine.apply(seq, timeOf(seq), command).length;
    }
    this.#seq = seq;
    this.events += events;
  }

  time(calls: readonly Command[], into: Float64Array): void {
    let seq = this.#seq;
    for (let at = 0; at < calls.length; at += 1) {
      seq += 1;
      const before = performance.now();
      this.#engine.apply(seq, timeOf(seq), calls[at]!);
      into[at] = performance.now() - before;
    }
    this.#seq = seq;
  }

  /** The levels, in the words of `depthOf`, and how many orders rest in them. */
  depth(): { text: string; resting: number; levels: number } {
    const [market] = this.#engine.state().markets;
    const sides = [market!.bids, market!.asks].map((orders) => {
      const levels = new Map<number, number>();
      for (const { outcome, priceTicks, remainingLots } of orders) {
        const price = outcome === 0 ? priceTicks : 10_000 - priceTicks;
        levels.set(price, (levels.get(price) ?? 0) + remainingLots);
      }
      return levels;
    });
    const text = sides.map((levels) => [...levels].map(([p, l]) => `${p}:${l}`).join(' '));
    const resting = market!.bids.length + market!.asks.length;
    return { text: text.join(' | '), resting, levels: sides[0]!.size + sides[1]!.size };
  }
}

class Theirs implements Contender<BookCall> {
  readonly book = new OrderBook();

  prepare(batch: readonly Operation[]): readonly BookCall[] {
    return batch.map(toBookCall);
  }

  run(calls: readonly BookCall[]): void {
    for (const call of calls) callBook(this.book, call);
  }

  time(calls: readonly BookCall[], into: Float64Array): void {
    for (let at = 0; at < calls.length; at += 1) {
      const before = performance.now();
      callBook(this.book, calls[at]!);
      into[at] = performance.now() - before;
    }
  }
}

/** Seconds that one batch takes, its preparation not counted. */
function runBatch<Call>(contender: Contender<Call>, batch: readonly Operation[]): number {
  const calls = contender.prepare(batch);
  const start = performance.now();
  contender.run(calls);
  return (performance.now() - start) / 1e3;
}

function* batchesOf(operations: readonly Operation[]): Generator<readonly Operation[]> {
  for (let at = 0; at < operations.length; at += BATCH) yield operations.slice(at, at + BATCH);
}

/** Operations a second of each contender, one after the other on the same round. */
function throughput(
  contenders: readonly Contender<unknown>[],
  operations: readonly Operation[],
): number[] {
  return contenders.map((contender) => {
    collectAndSweep();
    let seconds = 0;
    for (const batch of batchesOf(operations)) seconds += runBatch(contender, batch);
    return operations.length / seconds;
  });
}

/** Milliseconds of each operation of each contender, one after the other on the same round. */
function latencies(
  contenders: readonly Contender<unknown>[],
  operations: readonly Operation[],
): Float64Array[] {
  return contenders.map((contender) => {
    const taken = new Float64Array(operations.length);
    collectAndSweep();
    let from = 0;
    for (const batch of batchesOf(operations)) {
      contender.time(contender.prepare(batch), taken.subarray(from));
      from += batch.length;
    }
    return taken;
  });
}

/**
 * Bytes of heap that our engine takes for an operation: the growth within a batch, in the middle of
 * all batches of a round, for garbage is collected in few of them. The reference does the same.
 */
function allocation(
  ours: Ours,
  others: readonly Contender<unknown>[],
  operations: readonly Operation[],
): number {
  collectAndSweep();
  const grown: number[] = [];
  for (const batch of batchesOf(operations)) {
    const calls = ours.prepare(batch);
    const before = process.memoryUsage().heapUsed;
    ours.run(calls);
    grown.push((process.memoryUsage().heapUsed - before) / batch.length);
    for (const other of others) runBatch(other, batch);
  }
  return spreadOf(grown).median;
}

function measure(input: EngineRoundsInput): EngineRoundsOutput {
  const workload = new Workload(input);
  const ours = new Ours(workload, input.resting);
  const theirs = new Theirs();
  const floor = new Floor(workload, input.resting);
  // Each takes only what its own `prepare` made.
  const contenders = (input.beside ? [ours, theirs, floor] : [ours]) as Contender<unknown>[];
  const filling = [...workload.fillBook()];
  for (const batch of batchesOf(filling)) for (const each of contenders) runBatch(each, batch);
  // Two rounds for the compiler, which do not count.
  for (let round = 0; round < 2; round += 1) throughput(contenders, workload.mix(input.operations));
  const before = ours.events;
  const speeds = Array.from({ length: input.rounds }, () =>
    throughput(contenders, workload.mix(input.operations)),
  );
  const eventsEach = (ours.events - before) / (input.rounds * input.operations);
  const others = contenders.slice(1);
  const allocatedBytes = allocation(ours, others, workload.mix(input.operations));
  const taken = Array.from({ length: input.latencyRounds }, () =>
    latencies(contenders, workload.mix(input.operations)),
  );
  const { text, resting, levels } = ours.depth();
  if (input.beside && text !== depthOf(theirs.book)) {
    throw new Error('the two books differ: the reference did not do the same operations');
  }
  if (input.beside && floor.resting !== resting) {
    throw new Error(`the bound has ${floor.resting} live orders, not ${resting}`);
  }
  const speedsOf = (contender: number): number[] => speeds.map((speed) => speed[contender]!);
  return {
    ours: speedsOf(0),
    theirs: input.beside ? speedsOf(1) : [],
    floor: input.beside ? speedsOf(2) : [],
    ourLatency: percentilesOf(taken.map(([our]) => our!)),
    theirLatency: percentilesOf(input.beside ? taken.map(([, their]) => their!) : []),
    timerNs: timerCostNs(),
    resting,
    levels,
    eventsEach,
    allocatedBytes,
  };
}

answerParent(measure(childInput<EngineRoundsInput>()));
