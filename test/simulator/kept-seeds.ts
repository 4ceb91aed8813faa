/** Seeds that once found a fault, with its description. `npm run test:long` runs them. */
export const KEPT_SEEDS: readonly { seed: number; commands: number; found: string }[] = [
  {
    seed: 103,
    commands: 3_000,
    found:
      'a new minimum size is in no message but books, so clients could not verify the hashes of ' +
      'changes that came with it, nor of replays from before it',
  },
];
