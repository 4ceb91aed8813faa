/** The two engines that the same tests run on: the naive twin and the real one. */
import type { Bounds, Command, EngineEvent, StateView, Totals } from '../../engine/index.ts';
import { Engine } from '../../engine/index.ts';
import { NaiveEngine } from './naive-engine.ts';

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
