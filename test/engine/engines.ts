/** The two engines that the same tests run on: the naive twin and the real one. */
import type { Bounds, Command, EngineEvent, StateView, Totals } from '../../engine/index.ts';
import { Engine, SnapshotLoader } from '../../engine/index.ts';
import { NaiveEngine } from './naive/engine.ts';

/** The public surface that both share. */
export interface EngineFace {
  apply(seq: number, timeMs: number, command: Command): EngineEvent[];
  nextDueMs(): number;
  totals(): Totals;
  state(): StateView;
  validate(): void;
}

export type MakeEngine = (bounds?: Partial<Bounds>) => EngineFace;

export const makeNaive: MakeEngine = (bounds) => new NaiveEngine(bounds);
/** It starts with room for one order, so that everything that grows has to grow in the tests. */
export const makeReal: MakeEngine = (bounds) => new Engine(bounds, { reserveOrders: 1 });

export const ENGINES: readonly (readonly [string, MakeEngine])[] = [
  ['naive', makeNaive],
  ['real', makeReal],
];

/** The engine that comes back from an image of this one. */
export function reload(engine: Engine, bounds?: Partial<Bounds>): Engine {
  const loader = new SnapshotLoader(bounds, { hashSeed: 7 });
  for (const part of engine.snapshot()) loader.take(part);
  return loader.finish();
}

/** The real one, which leaves as an image and comes back each time so many commands have passed. */
export function makeReloaded(every: number): MakeEngine {
  return (bounds) => {
    let engine = new Engine(bounds, { reserveOrders: 1 });
    let count = 0;
    return {
      apply: (seq, timeMs, command) => {
        count += 1;
        if (count % every === 0) engine = reload(engine, bounds);
        return engine.apply(seq, timeMs, command);
      },
      nextDueMs: () => engine.nextDueMs(),
      totals: () => engine.totals(),
      state: () => engine.state(),
      validate: () => engine.validate(),
    };
  };
}
