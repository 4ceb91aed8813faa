/**
 * What the engine benchmark compares: something that does the operations of a workload. Its own
 * form of a batch is made before the clock starts.
 */
import type { Operation } from './workload.ts';

export interface Contender<Call> {
  prepare(batch: readonly Operation[]): readonly Call[];
  /** Does all calls. */
  run(calls: readonly Call[]): void;
  /** Does all calls and notes the milliseconds of each. */
  time(calls: readonly Call[], into: Float64Array): void;
}
