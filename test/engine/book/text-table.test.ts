/** Compares the table of addresses and token ids with a Map. Many of its texts collide. */
import fc from 'fast-check';
import t from 'tap';
import { NONE } from '../../../engine/book/level-index.ts';
import { TextTable } from '../../../engine/book/text-table.ts';

/** Texts that share most of their digits, and some that are short or have no digits. */
const similarText = fc.oneof(
  fc
    .tuple(fc.constantFrom(0, 5, 20, 36), fc.integer({ min: 0, max: 40 }))
    .map(([at, value]) => `0x${'0'.repeat(at)}${value}${'0'.repeat(40 - at)}`),
  fc.string({ maxLength: 3 }),
);

t.test('the table finds exactly what was added, with any seed', async () => {
  fc.assert(
    fc.property(fc.integer(), fc.array(similarText, { maxLength: 200 }), (seed, texts) => {
      const table = new TextTable(seed);
      const model = new Map<string, number>();
      for (const text of texts) {
        if (table.find(text) !== (model.get(text) ?? NONE)) return false;
        if (model.has(text)) continue;
        model.set(text, model.size);
        if (table.add(text) !== model.get(text)) return false;
      }
      return texts.every((text) => table.find(text) === model.get(text));
    }),
    { numRuns: 400 },
  );
});
