/** Seeds that found something, with what it was: they are run by the tests permanently. */
export const KEPT_SEEDS: readonly { seed: number; commands: number; found: string }[] = [
  {
    seed: 103,
    commands: 3_000,
    found:
      'a new least size of orders is in no message but books: hashes of changes that came with ' +
      'it, and replays from before it, could not be followed',
  },
];
