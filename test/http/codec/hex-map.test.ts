// A map by hex texts does what a Map does, in parts of about the same size.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { HexMap } from '../../../http/codec/maps.ts';

const KEYS = Array.from({ length: 40 }, (_, index) =>
  createHash('sha256').update(String(index)).digest('hex'),
);
const key = fc.constantFrom(...KEYS, 'F', '', 'no hex text \u{1f600}');

t.test('it does what a Map does', async () => {
  const step = fc.tuple(key, fc.constantFrom('set', 'delete'), fc.nat(9));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const [map, model] = [new HexMap<number>(), new Map<string, number>()];
      for (const [name, what, value] of steps) {
        if (what === 'set') {
          map.set(name, value);
          model.set(name, value);
        } else if (map.delete(name) !== model.delete(name)) return false;
      }
      const isSame = (name: string): boolean =>
        map.get(name) === model.get(name) && map.has(name) === model.has(name);
      return map.size === model.size && KEYS.every(isSame);
    }),
  );
});
