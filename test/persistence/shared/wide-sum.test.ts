import fc from 'fast-check';
import t from 'tap';
import { addWide, wideSum, wideText } from '../../../persistence/shared/index.ts';

/** Sums around the edges of numbers, of SQLite's integers, and of two places for a count. */
const EDGES = [
  ...[0n, 9n, 10n, 10n ** 15n, 2n ** 53n, 2n ** 63n, 2n ** 64n, 10n ** 40n],
  ...[10n ** 89n, 10n ** 90n],
].flatMap((edge) => [-2n, -1n, 0n, 1n].flatMap((more) => [edge + more, -edge - more]));

function narrow(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

t.test('a text gives its sum back, a number exactly if it is safe', async (t) => {
  for (const edge of EDGES) t.strictSame(wideSum(wideText(edge)), narrow(edge), `${edge}`);
  t.equal(wideText(1_500), '041500');
  t.equal(wideText(-1_500), '-958499');
  t.equal(wideText(-0), '010');
  t.throws(() => wideText(10n ** 99n), /at most 99 digits/);
});

t.test('texts sort as their sums do', async (t) => {
  const inOrder = [...new Set(EDGES)].sort((a, b) => (a < b ? -1 : 1));
  // By code units, as SQLite compares them by bytes.
  const texts = inOrder.map((edge) => wideText(edge));
  t.strictSame([...texts].sort(), texts);
});

t.test('sums are exact at any size', async () => {
  const edges = fc.constantFrom(...EDGES);
  const isExact = fc.property(edges, edges, (a, b) => {
    const [left, right] = [narrow(a), narrow(b)];
    return (
      addWide(left, right) === narrow(a + b) && wideText(addWide(left, right)) === wideText(a + b)
    );
  });
  fc.assert(isExact, { numRuns: 500 });
});
