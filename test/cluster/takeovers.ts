/** Takeovers in a loop under load, and how long clients wait for each. */

import { SOME, takeover } from './fault.ts';
import { ClusterWorld, type Verdict } from './world.ts';

export interface TakeoverFigures extends Verdict {
  /** Milliseconds from the kill to the first acknowledgement of the new core, sorted. */
  readonly waitsMs: readonly number[];
}

export interface TakeoverOptions {
  readonly folder: string;
  readonly rounds: number;
  readonly seed: number;
  /** Called after each takeover. */
  readonly onRound: (round: number, acknowledgedMs: number) => void;
}

export async function runTakeovers(options: TakeoverOptions): Promise<TakeoverFigures> {
  const { folder, rounds, seed, onRound } = options;
  const world = await ClusterWorld.start({ folder });
  try {
    world.load(seed);
    const waitsMs: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      await world.acknowledge(SOME);
      const { old, acknowledgedMs } = await takeover(world, async () => {
        await (await world.cluster.leader()).child.kill();
      });
      waitsMs.push(acknowledgedMs);
      onRound(round, acknowledgedMs);
      await world.revive(old);
    }
    const verdict = await world.conclude();
    return { ...verdict, waitsMs: waitsMs.toSorted((one, other) => one - other) };
  } catch (error) {
    await world.stop();
    throw error;
  }
}

/** The value that a part of the sorted values do not exceed. */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0;
}
