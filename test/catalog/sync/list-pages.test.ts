/** Reading a list of a source: all of it once, then its changes, and never without end. */
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import {
  FRESH_CURSOR,
  type ListCursor,
  type ListOptions,
  type ListPage,
  pagesOf,
  parseCursor,
} from '../../../catalog/sync/list-pages.ts';
import {
  answer,
  type Behaviour,
  type HostileServer,
  queryOf,
  sourceOf,
  startHostileServer,
} from './hostile-server.ts';

interface Item {
  readonly id: string;
  readonly updatedAt: string;
}

const NOW_MS = Date.parse('2027-01-02T00:00:00Z');
function at(seconds: number): string {
  return new Date(Date.parse('2027-01-01T00:00:00Z') + seconds * 1_000).toISOString();
}
function item(id: number, seconds = id): Item {
  return { id: `${id}`, updatedAt: at(seconds) };
}
function items(count: number): Item[] {
  return Array.from({ length: count }, (_, n) => item(n + 1));
}

const BOUNDS = { pageRecords: 10, recordsAList: 1_000, pagesAList: 100 };

/** A well-behaved list of what `stock` holds at each request. */
function catalogOf(stock: readonly Item[], most = 100): Behaviour {
  return (request, response) => {
    const { limit, offset, order, ascending } = queryOf(request);
    const byTime = order === 'updatedAt';
    const keyOf = ({ id, updatedAt }: Item) => (byTime ? Date.parse(updatedAt) : Number(id));
    const sorted = stock.toSorted((a, b) => (ascending ? 1 : -1) * (keyOf(a) - keyOf(b)));
    answer(response, sorted.slice(offset, offset + Math.min(limit, most)));
  };
}

interface Reading {
  readonly ids: string[];
  readonly pages: ListPage[];
  readonly notes: string[];
  readonly cursor: ListCursor;
}

/** Reads a list to the end of a run, or stops after some pages, as a run that is killed would. */
async function read(
  t: Test,
  server: HostileServer,
  {
    stopAfter = Number.POSITIVE_INFINITY,
    ...options
  }: Partial<ListOptions> & { stopAfter?: number } = {},
): Promise<Reading> {
  const notes: string[] = [];
  const pages: ListPage[] = [];
  const source = sourceOf(t, server, { bodyBytes: 5_000 });
  const walk = pagesOf(source, {
    path: '/events',
    isSorted: true,
    cursor: FRESH_CURSOR,
    nowMs: NOW_MS,
    bounds: BOUNDS,
    onNote: (sentence) => notes.push(sentence),
    ...options,
  });
  for await (const page of walk) {
    pages.push(page);
    if (pages.length >= stopAfter) break;
  }
  const ids = pages.flatMap(({ records }) => records.map((record) => (record as Item).id));
  const cursor = pages.at(-1)?.cursor ?? options.cursor ?? FRESH_CURSOR;
  // The cursor is stored and parsed, as between runs.
  return { ids, pages, notes, cursor: parseCursor(JSON.stringify(cursor)) };
}

function idsOf(list: readonly Item[]): string[] {
  return list.map(({ id }) => id);
}

t.test(
  'the first run reads everything by id and stores the time of the newest change',
  async (t) => {
    const stock = items(25);
    const server = await startHostileServer(t, catalogOf(stock));
    const { ids, cursor, notes } = await read(t, server);
    t.strictSame(ids, idsOf(stock));
    t.strictSame(cursor, { readUntilMs: Date.parse(at(25)) });
    t.strictSame(notes, []);
    t.strictSame(server.asked, [
      '/events?limit=1&offset=0&order=updatedAt&ascending=false',
      '/events?limit=10&offset=0&order=id&ascending=true',
      '/events?limit=10&offset=10&order=id&ascending=true',
      '/events?limit=10&offset=20&order=id&ascending=true',
    ]);
  },
);

t.test('the next run reads only changes', async (t) => {
  const stock = items(95);
  const server = await startHostileServer(t, catalogOf(stock));
  const first = await read(t, server);
  server.asked.length = 0;
  stock[3] = item(4, 200);
  stock.push(item(96, 201));
  const second = await read(t, server, { cursor: first.cursor });
  t.strictSame(second.ids.slice(0, 3), ['96', '4', '95'], 'from the newest back');
  t.strictSame(server.asked, ['/events?limit=10&offset=0&order=updatedAt&ascending=false']);
  t.strictSame(second.cursor, { readUntilMs: Date.parse(at(201)) });
});

t.test('a list that is empty, or as long as a page, ends', async (t) => {
  for (const count of [0, 1, 9, 10, 11, 20]) {
    const server = await startHostileServer(t, catalogOf(items(count)));
    t.equal((await read(t, server)).ids.length, count);
  }
});

t.test('a source with shorter pages is read to its end', async (t) => {
  const stock = items(35);
  const server = await startHostileServer(t, catalogOf(stock, 4));
  t.strictSame((await read(t, server)).ids, idsOf(stock));
});

t.test('an interrupted run continues one page before its place', async (t) => {
  const stock = items(55);
  const server = await startHostileServer(t, catalogOf(stock));
  const first = await read(t, server, { stopAfter: 3 });
  t.strictSame(first.ids, idsOf(stock.slice(0, 30)));
  const second = await read(t, server, { cursor: first.cursor });
  t.strictSame(second.ids, idsOf(stock.slice(20)));
  t.strictSame(second.cursor, { readUntilMs: Date.parse(at(55)) });
});

t.test('interrupted changes are read to their end before newer ones', async (t) => {
  const stock = items(50);
  const server = await startHostileServer(t, catalogOf(stock));
  const { cursor: start } = await read(t, server);
  for (let id = 1; id <= 35; id += 1) stock[id - 1] = item(id, 100 + id);
  const first = await read(t, server, { cursor: start, stopAfter: 2 });
  t.equal(first.cursor.readUntilMs, start.readUntilMs, 'nothing is left out');
  stock[49] = item(50, 300);
  const second = await read(t, server, { cursor: first.cursor });
  const seen = new Set([...first.ids, ...second.ids]);
  for (const id of [...idsOf(stock.slice(0, 35)), '50']) t.ok(seen.has(id), id);
  t.strictSame(second.cursor, { readUntilMs: Date.parse(at(300)) });
});

t.test('whatever changes between and during runs, no change is missed', async (t) => {
  const change = fc.record({
    id: fc.integer({ min: 1, max: 40 }),
    cut: fc.integer({ min: 1, max: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 40 }), async (changes) => {
      const stock = items(30);
      const copy = new Map<string, string>();
      let seconds = 1_000;
      let left = [...changes];
      const behave = catalogOf(stock);
      const server = await startHostileServer(t, (request, response) => {
        behave(request, response);
        // Something changes after each answer.
        const [next, ...others] = left;
        left = others;
        if (next === undefined) return;
        seconds += 1;
        const index = stock.findIndex(({ id }) => id === `${next.id}`);
        if (index < 0) stock.push(item(next.id, seconds));
        else stock[index] = item(next.id, seconds);
      });
      let cursor: ListCursor = FRESH_CURSOR;
      for (let run = 0, quiet = 0; quiet < 2; run += 1) {
        const stopAfter = changes[run % changes.length]?.cut ?? 1;
        const isCut = left.length > 0;
        if (!isCut) quiet += 1;
        const bounds = { ...BOUNDS, pageRecords: 5 };
        const reading = await read(t, server, { cursor, bounds, ...(isCut && { stopAfter }) });
        for (const { records } of reading.pages) {
          for (const record of records as Item[]) copy.set(record.id, record.updatedAt);
        }
        cursor = reading.cursor;
      }
      const missed = stock.filter(({ id, updatedAt }) => copy.get(id) !== updatedAt);
      assert.deepEqual(missed, []);
    }),
    { numRuns: 30 },
  );
});

t.test('a source that does not sort is read whole each time', async (t) => {
  const stock = items(25);
  const honest = catalogOf(stock);
  const refusing = await startHostileServer(t, (request, response) => {
    if (queryOf(request).order === '') honest(request, response);
    else response.writeHead(422).end();
  });
  const first = await read(t, refusing);
  t.strictSame([first.ids.length, first.cursor], [25, { readUntilMs: 0 }]);
  const again = await read(t, refusing, { cursor: first.cursor });
  t.equal(again.ids.length, 25);

  const ignoring = await startHostileServer(t, (request, response) => {
    const { limit, offset } = queryOf(request);
    answer(response, stock.slice(offset, offset + limit));
  });
  const { cursor } = await read(t, ignoring);
  stock[20] = item(21, 400);
  const { ids, notes } = await read(t, ignoring, { cursor });
  t.ok(ids.includes('21'), 'found although the source does not sort');
  t.match(notes, [/not sorted by last change/]);
});

t.test('pages that repeat or form a cycle end the list', async (t) => {
  const table: readonly (readonly [string, number, Behaviour])[] = [
    ['the same page for ever', 10, (_request, response) => answer(response, items(10))],
    [
      'a circle of three pages',
      30,
      (request, response) => {
        const start = (queryOf(request).offset / 10) % 3;
        answer(response, items(30).slice(start * 10, start * 10 + 10));
      },
    ],
    [
      'more than asked for, whatever is asked',
      40,
      (_request, response) => answer(response, items(40)),
    ],
    ['records without ids', 10, (_request, response) => answer(response, new Array(10).fill({}))],
    ['no records', 10, (_request, response) => answer(response, new Array(10).fill([[]]))],
  ];
  for (const [what, count, behave] of table) {
    const server = await startHostileServer(t, behave);
    const { pages, notes, cursor } = await read(t, server, { isSorted: false });
    t.equal(pages.flatMap(({ records }) => records).length, count, what);
    t.match(notes, [/repeats its pages/], what);
    t.equal(cursor.walk, undefined, what);
  }
});

t.test('overlapping pages are read, with repeated records', async (t) => {
  const stock = items(40);
  const server = await startHostileServer(t, (request, response) => {
    const { offset, limit } = queryOf(request);
    answer(response, stock.slice(Math.max(0, offset - 3), Math.max(0, offset - 3) + limit));
  });
  const { ids } = await read(t, server, { isSorted: false });
  t.strictSame(new Set(ids), new Set(idsOf(stock)));
});

t.test('an endless list ends a run at its bound, and the next run continues', async (t) => {
  const server = await startHostileServer(t, (request, response) => {
    const { offset, limit } = queryOf(request);
    answer(
      response,
      Array.from({ length: limit }, (_, n) => item(offset + n + 1)),
    );
  });
  const bounds = { ...BOUNDS, recordsAList: 50 };
  const first = await read(t, server, { bounds });
  t.equal(first.ids.length, 50);
  t.match(first.notes, [/very long: the next run continues at 50/]);
  const second = await read(t, server, { bounds, cursor: first.cursor });
  t.equal(second.ids[0], '41');
  t.equal((await read(t, server, { bounds: { ...BOUNDS, pagesAList: 3 } })).ids.length, 30);
});

t.test(
  'a page that is too large is read in parts, and a record that is too large is left out',
  async (t) => {
    const stock = items(30);
    const sizes = (id: string): string => (id === '17' ? 'x'.repeat(6_000) : 'x'.repeat(700));
    const server = await startHostileServer(t, (request, response) => {
      const { limit, offset } = queryOf(request);
      const page = stock.slice(offset, offset + limit);
      answer(
        response,
        page.map((one) => ({ ...one, words: sizes(one.id) })),
      );
    });
    const { ids, notes, cursor } = await read(t, server, { isSorted: false });
    t.strictSame(ids, idsOf(stock.filter(({ id }) => id !== '17')));
    t.match(notes, [/the record at 16 is left out: too large/]);
    t.strictSame(cursor, { readUntilMs: 0 });
  },
);

t.test('a change with a future time hides no later change', async (t) => {
  const stock = [...items(5), { id: '6', updatedAt: '9999-01-01T00:00:00Z' }];
  const server = await startHostileServer(t, catalogOf(stock));
  const { cursor } = await read(t, server);
  t.strictSame(cursor, { readUntilMs: NOW_MS });
});

t.test('a failure leaves the cursor of the page before', async (t) => {
  const honest = catalogOf(items(35));
  let isBroken = true;
  const server = await startHostileServer(t, (request, response) => {
    if (isBroken && queryOf(request).offset === 20) response.writeHead(403).end();
    else honest(request, response);
  });
  const pages: ListPage[] = [];
  const walk = pagesOf(sourceOf(t, server), {
    path: '/events',
    isSorted: true,
    cursor: FRESH_CURSOR,
    nowMs: NOW_MS,
    bounds: BOUNDS,
    onNote: () => undefined,
  });
  await t.rejects(async () => {
    for await (const page of walk) pages.push(page);
  });
  isBroken = false;
  const { ids } = await read(t, server, { cursor: pages.at(-1)?.cursor ?? FRESH_CURSOR });
  t.strictSame(ids, idsOf(items(35).slice(10)));
});

t.test('an unreadable cursor starts from the beginning', async (t) => {
  for (const text of [
    undefined,
    'null',
    '7',
    '[]',
    '{}',
    '{"readUntilMs":-1}',
    '"x"',
    '',
    '{"re',
  ]) {
    t.strictSame(parseCursor(text), FRESH_CURSOR);
  }
  t.strictSame(parseCursor('{"readUntilMs":5,"walk":{"over":"all"}}'), { readUntilMs: 5 });
});
