// Seeded random numbers, for tests with random steps.

/** Whole numbers from 0 to below `below`, the same for the same seed. */
export function randomBy(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export type Random = ReturnType<typeof randomBy>;
