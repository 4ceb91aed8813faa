/** The id table against a Map, with ids made to collide, and with any seed. */
import fc from 'fast-check';
import t from 'tap';
import { IdTable } from '../../engine/id-table.ts';
import { NONE } from '../../engine/level-index.ts';

/** Ids that share most of their digits: only a few in the middle or at an end differ. */
const alikeId = fc
  .tuple(fc.constantFrom(0, 5, 30, 57, 61), fc.integer({ min: 0, max: 40 }))
  .map(([at, value]) => {
    const digits = value.toString(16).padStart(3, '0');
    return `0x${'0'.repeat(at)}${digits}${'0'.repeat(61 - at)}`;
  });

const step = fc.record({ id: alikeId, isAdd: fc.boolean() });

t.test('finds exactly what was added and not deleted, in any order, with any seed', async () => {
  fc.assert(
    fc.property(fc.integer(), fc.array(step, { maxLength: 300 }), (seed, steps) => {
      const ids: string[] = [];
      const table = new IdTable((entry) => ids[entry], { seed });
      const model = new Map<string, number>();
      for (const { id, isAdd } of steps) {
        const known = model.get(id);
        if (isAdd && known === undefined) {
          model.set(id, ids.push(id) - 1);
          table.add(table.hash(id), ids.length - 1);
        } else if (!isAdd && known !== undefined) {
          table.delete(table.hash(id), known);
          model.delete(id);
        }
        if (table.find(id) !== (model.get(id) ?? NONE)) return false;
      }
      return ids.every((id) => table.find(id) === (model.get(id) ?? NONE));
    }),
    { numRuns: 400 },
  );
});

t.test('ids that count up, or share their first digits, do not pile up in one place', async (t) => {
  const spread = (idOf: (index: number) => string): number => {
    const ids = Array.from({ length: 20_000 }, (_, index) => idOf(index));
    let reads = 0;
    const textOf = (entry: number): string | undefined => {
      reads += 1;
      return ids[entry];
    };
    const table = new IdTable(textOf, { seed: 99 });
    for (const [entry, id] of ids.entries()) table.add(table.hash(id), entry);
    reads = 0;
    for (const id of ids) table.find(id);
    return reads / ids.length;
  };
  const hex = (index: number, width: number): string => index.toString(16).padStart(width, '0');
  // Each find reads the one text that it compares; others only if all of their bits agree.
  t.ok(spread((index) => `0x${hex(index, 64)}`) < 1.1);
  t.ok(spread((index) => `0xabcdef0${hex(index, 57)}`) < 1.1);
  t.ok(spread((index) => `0x${hex(index, 7)}${'0'.repeat(57)}`) < 1.1);
});
