/**
 * One size of the engine benchmark: our engine and the reference get the same book and then the
 * same operations. They take turns by rounds, not by batches, because each turn
 * drives the memory of the other out of the processor's cache. Throughput rounds have no timer
 * inside a batch; latency rounds have one around each operation. liquibook, if it is there, does
 * each round in its own process just before. At the end all books must have the same levels.
 */
import { Engine, type EngineEvent, type Input } from '../../engine/index.ts';
import { collectAndSweep, collectGarbage } from '../harness/processor-time.ts';
import { percentilesOf, spreadOf } from '../harness/statistics.ts';
import {
  type BookCall,
  callBook,
  depthOf,
  OrderBook,
  toBookCall,
} from '../reference/node-order-book.ts';
import { Liquibook } from './liquibook/liquibook.ts';
import {
  type Contender,
  fillEngine,
  type Operation,
  timeOf,
  Workload,
  type WorkloadTerms,
} from './workload.ts';

export interface RoundsInput extends WorkloadTerms {
  /** Rounds of throughput that count. */
  readonly rounds: number;
  /** Operations of a round. */
  readonly operations: number;
  /** Whether the reference runs too. */
  readonly beside: boolean;
  /** The program of liquibook, if it runs too. */
  readonly liquibookProgram?: string | undefined;
}

/** Operations of one batch, like the commands that the sequencer applies together. */
const BATCH = 512;
/** Rounds in which the runtime compiles the code; they do not count. */
const WARM_UP_ROUNDS = 2;
const LATENCY_ROUNDS = 2;

class Ours implements Contender<Input> {
  readonly #engine: Engine;
  #events: EngineEvent[][] = [];
  #seq = 0;

  constructor(workload: Workload, resting: number) {
    this.#engine = new Engine({}, { reserveOrders: resting });
    this.#engine.countSteps();
    for (const command of workload.setup()) {
      this.#seq += 1;
      this.#engine.apply(this.#seq, timeOf(this.#seq), this.#engine.inputOf(command));
    }
  }

  prepare(batch: readonly Operation[]): readonly Input[] {
    return batch.map(({ command }) => this.#engine.inputOf(command));
  }

  call(input: Input): void {
    this.run([input]);
  }

  /** As the sequencer does: the events of a batch are kept until it is durable. */
  run(calls: readonly Input[]): void {
    this.#events = [];
    let seq = this.#seq;
    // Without an iterator, whose results would be most of the garbage.
    for (let at = 0; at < calls.length; at += 1) {
      seq += 1;
      this.#events.push(this.#engine.apply(seq, timeOf(seq), calls[at]!));
    }
    this.#engine.endBatch();
    this.#seq = seq;
  }

  /** The levels in the form of `depthOf`. */
  depth(): string {
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
    return text.join(' | ');
  }
}

class Reference implements Contender<BookCall> {
  readonly book = new OrderBook();

  prepare(batch: readonly Operation[]): readonly BookCall[] {
    return batch.map(toBookCall);
  }

  call(call: BookCall): void {
    callBook(this.book, call);
  }

  run(calls: readonly BookCall[]): void {
    for (let at = 0; at < calls.length; at += 1) this.call(calls[at]!);
  }
}

/** Seconds that one batch takes without its preparation. */
function runBatch<Call>(contender: Contender<Call>, batch: readonly Operation[]): number {
  const calls = contender.prepare(batch);
  const start = performance.now();
  contender.run(calls);
  return (performance.now() - start) / 1e3;
}

function* batchesOf(operations: readonly Operation[]): Generator<readonly Operation[]> {
  for (let at = 0; at < operations.length; at += BATCH) yield operations.slice(at, at + BATCH);
}

/** Operations a second in one round. */
function throughput(contender: Contender<unknown>, operations: readonly Operation[]): number {
  collectAndSweep();
  let seconds = 0;
  for (const batch of batchesOf(operations)) seconds += runBatch(contender, batch);
  return operations.length / seconds;
}

/** Milliseconds of each operation of one round. */
function latencies(contender: Contender<unknown>, operations: readonly Operation[]): Float64Array {
  const taken = new Float64Array(operations.length);
  collectAndSweep();
  let next = 0;
  for (const batch of batchesOf(operations)) {
    for (const call of contender.prepare(batch)) {
      const before = performance.now();
      contender.call(call);
      taken[next] = performance.now() - before;
      next += 1;
    }
  }
  return taken;
}

/**
 * Bytes of heap that our engine allocates for an operation, from the growth of the heap in a batch.
 * It is the median of all batches, which leaves out the few in which garbage is collected.
 */
function allocation(ours: Ours, operations: readonly Operation[]): number {
  collectAndSweep();
  const grown: number[] = [];
  for (const batch of batchesOf(operations)) {
    const calls = ours.prepare(batch);
    const before = process.memoryUsage().heapUsed;
    ours.run(calls);
    grown.push((process.memoryUsage().heapUsed - before) / batch.length);
  }
  return spreadOf(grown).median;
}

/** Measures all contenders. Operations a second are by round, empty if a contender did not run. */
export async function measureRounds(input: RoundsInput) {
  const { liquibookProgram } = input;
  if (liquibookProgram === undefined) return await measureWith(input, undefined);
  const liquibook = new Liquibook(liquibookProgram);
  try {
    return await measureWith(input, liquibook);
  } finally {
    await liquibook.stop();
  }
}

async function measureWith(input: RoundsInput, liquibook: Liquibook | undefined) {
  const workload = new Workload(input);
  const ours = new Ours(workload, input.resting);
  const reference = new Reference();
  // Safe: each contender gets only the calls that its own `prepare` made.
  const contenders = (input.beside ? [ours, reference] : [ours]) as Contender<unknown>[];
  const filling = [...workload.fillBook()];
  for (const batch of batchesOf(filling)) for (const each of contenders) runBatch(each, batch);
  await liquibook?.run(filling);
  const liquibookSpeeds: number[] = [];
  const nextMix = async (): Promise<Operation[]> => {
    const mix = workload.mix(input.operations);
    if (liquibook !== undefined) liquibookSpeeds.push(await liquibook.run(mix));
    return mix;
  };
  const round = async <Figure>(
    measure: (one: Contender<unknown>, mix: readonly Operation[]) => Figure,
  ): Promise<Figure[]> => {
    const mix = await nextMix();
    return contenders.map((one) => measure(one, mix));
  };
  for (let warmUp = 0; warmUp < WARM_UP_ROUNDS; warmUp += 1) await round(throughput);
  const speeds: number[][] = [];
  for (let at = 0; at < input.rounds; at += 1) speeds.push(await round(throughput));
  const mix = await nextMix();
  const allocatedBytes = allocation(ours, mix);
  for (const batch of batchesOf(mix)) for (const one of contenders.slice(1)) runBatch(one, batch);
  const taken: Float64Array[][] = [];
  for (let at = 0; at < LATENCY_ROUNDS; at += 1) taken.push(await round(latencies));
  const depth = ours.depth();
  if (input.beside && depth !== depthOf(reference.book)) throw differs('the reference');
  if (liquibook !== undefined && depth !== (await liquibook.depth())) throw differs('liquibook');
  const speedsOf = (place: number): number[] => speeds.flatMap((round) => round[place] ?? []);
  const latencyOf = (place: number) => percentilesOf(taken.map((round) => round[place] ?? []));
  return {
    ours: speedsOf(0),
    theirs: speedsOf(1),
    liquibook: liquibookSpeeds.slice(WARM_UP_ROUNDS, WARM_UP_ROUNDS + input.rounds),
    ourLatency: latencyOf(0),
    theirLatency: latencyOf(1),
    allocatedBytes,
  };
}

function differs(name: string): Error {
  return new Error(`the books differ: ${name} did not do the same operations`);
}

function usedBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Bytes of one resting order: by how much an engine grows when all orders are placed. */
export function measureMemory(resting: number): number {
  const before = usedBytes();
  const engine = new Engine();
  fillEngine(engine, resting);
  const bytes = (usedBytes() - before) / resting;
  // Used after the measurement, so that it is not collected before.
  engine.validate();
  return bytes;
}
