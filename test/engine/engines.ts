/** The two engines that the same tests run on: the naive one and the real one. */
import type { Bounds, Command, EngineEvent, Input, StateView, Totals } from '../../engine/index.ts';
import { Engine, SnapshotLoader } from '../../engine/index.ts';
import { NaiveEngine } from './naive/engine.ts';

/** The methods that both have. */
export interface EngineFace {
  apply(seq: number, timeMs: number, input: Input): EngineEvent[];
  inputOf(command: Command): Input;
  nextDueMs(): number;
  isBehind(timeMs: number): boolean;
  totals(): Totals;
  state(): StateView;
  validate(): void;
}

export type MakeEngine = (bounds?: Partial<Bounds>) => EngineFace;

export const makeNaive: MakeEngine = (bounds) => new NaiveEngine(bounds);
/** It starts with room for one order, so that the tests make everything grow. */
export const makeReal: MakeEngine = (bounds) => new Engine(bounds, { reserveOrders: 1 });

export const ENGINES: readonly (readonly [string, MakeEngine])[] = [
  ['naive', makeNaive],
  ['real', makeReal],
];

/** A copy of an engine, loaded from its snapshot. */
export function reload(engine: Engine, bounds?: Partial<Bounds>): Engine {
  const loader = new SnapshotLoader(bounds, { hashSeed: 7 });
  for (const part of engine.snapshot()) loader.take(part);
  return loader.finish();
}

/** The real engine, reloaded from its snapshot once per `every` commands. */
export function makeReloaded(every: number): MakeEngine {
  return (bounds) => {
    let engine = new Engine(bounds, { reserveOrders: 1 });
    let count = 0;
    return {
      apply: (seq, timeMs, input) => {
        count += 1;
        if (count >= every && !engine.isUnfinished) {
          engine = reload(engine, bounds);
          count = 0;
        }
        return engine.apply(seq, timeMs, input);
      },
      inputOf: (command) => engine.inputOf(command),
      nextDueMs: () => engine.nextDueMs(),
      isBehind: (timeMs) => engine.isBehind(timeMs),
      totals: () => engine.totals(),
      state: () => engine.state(),
      validate: () => engine.validate(),
    };
  };
}
