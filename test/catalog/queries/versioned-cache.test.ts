// The cache of the catalog's readers, and that no answer is out of date because of it.

import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import { openCatalog } from '../../../catalog/catalog.ts';
import { CatalogAnswers } from '../../../catalog/queries/answers.ts';
import { VersionedCache } from '../../../catalog/queries/versioned-cache.ts';
import { answerValue } from '../../persistence/answer-value.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { eventRecord, figuresOf, marketRecord } from '../fixture.ts';

function opened(t: Test) {
  const path = `${temporaryFolder(t)}/catalog.db`;
  const catalog = openCatalog(path);
  t.teardown(() => catalog.close());
  const database = new Database(path, { readonly: true });
  t.teardown(() => database.close());
  return { catalog, database };
}

t.test('a cached value is returned until its version changes', async (t) => {
  const cache = new VersionedCache<string, number>({ maxBytes: 100_000, bytesOf: () => 8 });
  let made = 0;
  const ask = (key: string, version: number): number =>
    cache.getOrMake(key, version, () => {
      made += 1;
      return made;
    });
  t.strictSame([ask('a', 1), ask('b', 1), ask('a', 1), ask('b', 1)], [1, 2, 1, 2]);
  t.strictSame([ask('a', 2), ask('a', 2), ask('b', 2)], [3, 3, 4]);
  t.equal(
    cache.get('b', (value) => value - 2),
    4,
    'the version may depend on the value',
  );
  t.equal(
    cache.get('b', () => undefined),
    undefined,
  );
});

t.test(
  'beyond the bound the least recently used value is evicted; large values are not cached',
  async (t) => {
    const cache = new VersionedCache<number, number>({
      maxBytes: 64_000,
      bytesOf: (bytes) => bytes,
    });
    const isKept = (key: number): boolean => cache.get(key, () => 1) !== undefined;
    for (let key = 0; key < 40; key += 1) {
      t.equal(cache.isAlmostFull, key > 16, `almost full before ${key}`);
      cache.set(key, 1, 3_000);
      isKept(0);
    }
    const kept = Array.from({ length: 40 }, (_, key) => key).filter(isKept);
    // Each entry takes some 3,300 bytes. The first one was read after each write.
    t.ok(kept.length >= 17 && kept.length <= 19, `${kept.length} are kept`);
    t.strictSame([kept[0], kept[1], kept.at(-1)], [0, 41 - kept.length, 39]);
    cache.set(99, 1, 4_001);
    t.notOk(isKept(99), 'a value above a sixteenth of the bound is not cached');
    cache.set(39, 2, 3_000);
    t.notOk(isKept(39), 'a newer version replaces an older one');
  },
);

t.test('every write shows in the next list and search', async (t) => {
  const { catalog, database } = opened(t);
  const answers = new CatalogAnswers(database);
  const ask = (kind: string, question: object) => {
    const answer = answers.answer(kind, question);
    return answer && answerValue(answer);
  };
  const LIST = { conditions: [], flags: {}, order: [], ascending: true, offset: 0, limit: 5 };
  const events = () => ask('events', LIST);
  const markets = () => ask('markets', LIST);
  const found = () => ask('search', { text: 'rain', limit: 5, page: 1, withTags: true }).events;
  const record = (changes: object) =>
    eventRecord(1, { title: 'Rain', tags: [{ id: '1', slug: 'wet', label: 'Wet' }], ...changes });
  catalog.importEvents([record({})]);
  const readAll = () => [events(), markets(), found()];
  t.match(readAll(), [[{ title: 'Rain' }], [{ events: [{ title: 'Rain' }] }], [{ id: '1' }]]);
  t.strictSame(readAll(), readAll(), 'the same from the cache');
  catalog.putFigures([figuresOf(1, { volume: 7, volume24hr: 5, liquidity: 3 })]);
  t.match(readAll(), [[{ volume: 7 }], [{ volume: '7' }], [{ volume: 7, volume24hr: 5 }]]);
  const comment = { id: '1', body: 'x', parentEntityType: 'Event', parentEntityID: 1 };
  catalog.putRecords({
    kind: 'comments',
    records: [{ ...comment, userAddress: `0x${'1'.repeat(40)}` }],
  });
  t.match(readAll(), [[{ commentCount: 1 }], [{}], [{ commentCount: 1 }]]);
  const onMarket = { ...comment, id: '2', parentEntityType: 'market' };
  catalog.putRecords({
    kind: 'comments',
    records: [{ ...onMarket, userAddress: `0x${'1'.repeat(40)}` }],
  });
  t.match(readAll(), [[{ commentCount: 2 }], [{}], [{ commentCount: 2 }]], 'on its event');
  catalog.importEvents([record({ tags: [{ id: '1', slug: 'wet', label: 'Wetter' }] })]);
  t.match(events(), [{ tags: [{ label: 'Wetter' }] }]);
  catalog.importEvents([
    record({ title: 'Rains', markets: [marketRecord(1, { question: 'Q2' })] }),
  ]);
  t.match(readAll(), [
    [{ title: 'Rains', markets: [{ question: 'Q2' }] }],
    [{ question: 'Q2', events: [{ title: 'Rains' }] }],
    [{ title: 'Rains' }],
  ]);
  catalog.importEvents([eventRecord(2, { title: 'More rain' })]);
  t.equal(events().length, 2);
  t.strictSame(
    found().map(({ id }: { id: string }) => id),
    ['1', '2'],
  );
});
