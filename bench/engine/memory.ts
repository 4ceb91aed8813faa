/**
 * Bytes of one resting order in the engine, in a process of its own: the growth of heap and array
 * buffers from an engine with its market and accounts to the same engine with all orders resting.
 */
import { Engine } from '../../engine/index.ts';
import { answerParent, childInput, collectGarbage } from '../harness/measurement.ts';
import { timeOf, Workload } from './workload.ts';

export interface EngineMemoryInput {
  readonly resting: number;
  /** Whether the engine is told beforehand how many orders will come. */
  readonly reserved: boolean;
}

export interface EngineMemoryOutput {
  readonly heapBytes: number;
  readonly bufferBytes: number;
}

function usage(): EngineMemoryOutput {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heapBytes: heapUsed, bufferBytes: arrayBuffers };
}

function measure({ resting, reserved }: EngineMemoryInput): EngineMemoryOutput {
  const workload = new Workload({ seed: 1, resting, tickTicks: 1 });
  const before = usage();
  const engine = new Engine({}, reserved ? { reserveOrders: resting } : {});
  let seq = 0;
  for (const command of workload.setup()) {
    seq += 1;
    engine.apply(seq, timeOf(seq), command);
  }
  for (const command of workload.restingOrders(resting)) {
    seq += 1;
    engine.apply(seq, timeOf(seq), command);
  }
  const after = usage();
  // The generator is part of both measurements: it must not be collected between them.
  if (workload.liveOrders !== 0) throw new Error('the generator remembers orders');
  const [market] = engine.state().markets;
  const count = market!.bids.length + market!.asks.length;
  if (count !== resting) throw new Error(`${count} orders rest, not ${resting}`);
  return {
    heapBytes: after.heapBytes - before.heapBytes,
    bufferBytes: after.bufferBytes - before.bufferBytes,
  };
}

answerParent(measure(childInput<EngineMemoryInput>()));
