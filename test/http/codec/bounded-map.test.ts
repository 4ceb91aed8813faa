import t from 'tap';
import { remember } from '../../../http/codec/maps.ts';

t.test('a map holds its entries up to its limit', async (t) => {
  const map = new Map<string, number>();
  for (let index = 0; index < 1_000; index++) {
    remember(map, String(index), index, 10);
    t.equal(map.get(String(index)), index);
    if (map.size > 10) t.fail(`${map.size} entries`);
  }
});

t.test('a full map keeps its entries when a known key is set again', async (t) => {
  const map = new Map([
    ['a', 1],
    ['b', 2],
  ]);
  remember(map, 'a', 3, 2);
  t.same(
    [...map],
    [
      ['a', 3],
      ['b', 2],
    ],
  );
});
