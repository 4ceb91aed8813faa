import t from 'tap';
import { parseRateLimits } from '../../../http/admission/limit-file.ts';
import { LIMIT_TABLE } from '../../../http/admission/limit-table.ts';

function rowOf(json: unknown, name: string) {
  return parseRateLimits(json).rows.find((row) => row.name === name);
}

t.test('a file changes only the rows that it names', async (t) => {
  t.strictSame(parseRateLimits({}), { rows: LIMIT_TABLE, countsLoopback: undefined });
  t.strictSame(parseRateLimits({ limits: {} }).rows, LIMIT_TABLE);
  const file = {
    loopback: false,
    limits: { book: { capacity: 7 }, root: { windowSeconds: 60 }, price: {} },
  };
  t.equal(parseRateLimits(file).countsLoopback, false);
  t.equal(parseRateLimits({ loopback: true }).countsLoopback, true);
  t.match(rowOf(file, 'book'), { capacity: 7, windowMs: 10_000, routes: ['GET /book'] });
  t.match(rowOf(file, 'root'), { capacity: 50, windowMs: 60_000 });
  const others = (row: { name: string }) => !['book', 'root'].includes(row.name);
  t.strictSame(parseRateLimits(file).rows.filter(others), LIMIT_TABLE.filter(others));
  const all = { capacity: 1_000_000_000, windowSeconds: 86_400 };
  t.match(rowOf({ limits: { 'order-sustained': all } }, 'order-sustained'), {
    capacity: 1_000_000_000,
    windowMs: 86_400_000,
    countsItems: true,
  });
});

const WHOLE = 'it must be a whole number from 1 to';

/** Each row repairs the fault of the row above. */
const WRONG: readonly (readonly [json: unknown, message: string])[] = [
  [null, 'the file is null; it must be an object'],
  [[], 'the file is "a list of 0"; it must be an object'],
  [{ limit: {} }, 'the file has an unknown key "limit"; the nearest is "limits"'],
  [{ limits: [], loopback: 1 }, 'loopback is 1; it must be true or false'],
  [{ limits: [] }, 'limits is "a list of 0"; it must be an object'],
  [{ limits: { bok: 5 } }, 'limits has an unknown key "bok"; the nearest is "book"'],
  [{ limits: { book: 5 } }, 'limits.book is 5; it must be an object'],
  [
    { limits: { book: { window: 5 } } },
    'limits.book has an unknown key "window"; the nearest is "windowSeconds"',
  ],
  [
    { limits: { book: { windowSeconds: 86_401, capacity: 0 } } },
    `limits.book.capacity is 0; ${WHOLE} 1000000000`,
  ],
  [
    { limits: { book: { windowSeconds: 86_401, capacity: 1 } } },
    `limits.book.windowSeconds is 86401; ${WHOLE} 86400`,
  ],
];

t.test('a fault in a file is reported with its place', async (t) => {
  for (const [json, message] of WRONG) t.throws(() => parseRateLimits(json), { message }, message);
  for (const capacity of [-1, 1.5, '5', null, 1e9 + 1, Number.NaN]) {
    const json = { limits: { 'order-burst': { capacity } } };
    t.throws(() => parseRateLimits(json), /^limits\.order-burst\.capacity is /);
  }
});
