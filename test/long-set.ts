/**
 * Test sets in two lengths. `npm test` runs the short ones, which draw fewer random cases;
 * `npm run test:long` sets TEST_LONG=1 and runs the same tests with many more.
 */
export const isLong = process.env.TEST_LONG === '1';

/** How often a random test draws: `short` in every run, `long` in `npm run test:long`. */
export function times(short: number, long: number): number {
  return isLong ? long : short;
}
