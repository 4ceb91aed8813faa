/** Compares the table of order ids with a Map, for ids made to collide and any hash seed. */
import fc from 'fast-check';
import t from 'tap';
import { NONE } from '../../../engine/book/level-index.ts';
import { ID_WORDS, isSameId, readOrderId } from '../../../engine/book/order-id.ts';
import { OrderTable } from '../../../engine/book/order-table.ts';

/** Ids that share most of their digits: only a few in the middle or at an end differ. */
const similarId = fc
  .tuple(fc.constantFrom(0, 5, 30, 57, 61), fc.integer({ min: 0, max: 8 }))
  .map(([at, value]) => {
    const digits = value.toString(16).padStart(3, '0');
    return wordsOf(`0x${'0'.repeat(at)}${digits}${'0'.repeat(61 - at)}`);
  });

const step = fc.record({ id: similarId, isAdd: fc.boolean() });

function wordsOf(text: string): Int32Array {
  const words = new Int32Array(ID_WORDS);
  if (!readOrderId(text, words)) throw new Error(`${text} is no order id`);
  return words;
}

t.test('the table finds exactly what was added and not deleted, with any seed', async () => {
  fc.assert(
    fc.property(fc.integer(), fc.array(step, { minLength: 100, maxLength: 300 }), (seed, steps) => {
      const ids: Int32Array[] = [];
      const table = new OrderTable((entry, id) => isSameId(ids[entry]!, 0, id, 0), { seed });
      const model = new Map<string, number>();
      for (const { id, isAdd } of steps) {
        const known = model.get(String(id));
        if (isAdd && known === undefined) {
          model.set(String(id), ids.push(id) - 1);
          table.add(table.hash(id, 0), ids.length - 1);
        } else if (!isAdd && known !== undefined) {
          table.delete(table.hash(id, 0), known);
          model.delete(String(id));
        }
        if (table.find(id) !== (model.get(String(id)) ?? NONE)) return false;
      }
      return ids.every((id) => table.find(id) === (model.get(String(id)) ?? NONE));
    }),
    { numRuns: 400 },
  );
});

t.test('many ids are added as one by one, up to the first that is repeated', async () => {
  const ids = fc.array(similarId, { minLength: 1, maxLength: 400 });
  fc.assert(
    fc.property(fc.integer(), ids, (seed, list) => {
      const words = new Int32Array(list.length * ID_WORDS);
      for (const [place, id] of list.entries()) words.set(id, place * ID_WORDS);
      const hasId = (entry: number, id: Int32Array) =>
        isSameId(words, (entry - 7) * ID_WORDS, id, 0);
      const table = new OrderTable(hasId, { seed });
      const texts = list.map(String);
      const repeated = texts.findIndex((text, place) => texts.indexOf(text) < place);
      if (table.addAll(words, list.length, 7) !== repeated) return false;
      const added = repeated === -1 ? list : list.slice(0, repeated);
      return added.every((id, place) => table.find(id) === place + 7);
    }),
    { numRuns: 400 },
  );
});

t.test('after a replacement, the table finds the new entry of an id', async (t) => {
  const id = wordsOf(`0x${'7'.repeat(64)}`);
  const table = new OrderTable(() => true);
  table.add(table.hash(id, 0), 5);
  table.replace(table.hash(id, 0), 5, -9);
  t.equal(table.find(id), -9);
});

t.test('ids that count up or share their first digits are spread over the slots', async (t) => {
  const hex = (index: number, width: number): string => index.toString(16).padStart(width, '0');
  const forms = [
    (index: number) => `0x${hex(index, 64)}`,
    (index: number) => `0xabcdef0${hex(index, 57)}`,
    (index: number) => `0x${hex(index, 7)}${'0'.repeat(57)}`,
  ];
  for (const idOf of forms) {
    const homes = new Map<number, number>();
    const ids = Array.from({ length: 20_000 }, (_, index) => wordsOf(idOf(index)));
    const table = new OrderTable(() => false, { seed: 99 });
    for (const id of ids) {
      const home = table.hash(id, 0) & 0x7fff;
      homes.set(home, (homes.get(home) ?? 0) + 1);
    }
    // At random, 20,000 entries hit 15,000 of 32,768 slots, none more than ten times.
    t.ok(homes.size > 14_000, idOf(1));
    t.ok(Math.max(...homes.values()) < 12, idOf(1));
  }
});
