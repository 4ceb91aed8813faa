import t from 'tap';
import { firstDifference } from '../../../../http/admin/shared/action-route.ts';

t.test(
  'the first difference has its path; lists of different lengths differ as a whole',
  async (t) => {
    const rows: [asked: unknown, stored: unknown, path: string | undefined][] = [
      [1, 1, undefined],
      [1, '1', ''],
      [null, {}, ''],
      [{}, {}, undefined],
      [{ a: 1, b: 2 }, { b: 2, a: 1 }, undefined],
      [{ a: 1, b: 2 }, { a: 2, b: 1 }, 'a'],
      [{ a: 1 }, { a: 1, b: 2 }, 'b'],
      [{ a: 1, b: 2 }, { a: 1 }, 'b'],
      [{ a: [1, 2] }, { a: [1] }, 'a'],
      [{ a: [1, { b: 'x' }] }, { a: [1, { b: 'y' }] }, 'a.1.b'],
      [{ a: [] }, { a: 'x' }, 'a'],
    ];
    for (const [asked, stored, path] of rows) {
      t.equal(firstDifference(asked, stored), path, JSON.stringify([asked, stored]));
    }
  },
);
