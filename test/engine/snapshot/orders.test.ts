import fc from 'fast-check';
import t from 'tap';
import { byAcceptance } from '../../../engine/snapshot/orders.ts';

/** Above 1,000, a seq and its place may not fit into one exact number. */
const MAXIMUMS = [1_000, 2 ** 40, Number.MAX_SAFE_INTEGER];

t.test('places are sorted by their seqs, however large', async (t) => {
  for (const most of MAXIMUMS) {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: most }), { maxLength: 200 }), (seqs) => {
        const places = [...byAcceptance(Float64Array.from(seqs), most)];
        t.strictSame(
          places.map((place) => seqs[place]),
          seqs.toSorted((a, b) => a - b),
        );
      }),
    );
  }
});
