// A small catalog by the generator of the benchmarks: all of it can be stored, listed and found.

import Database from 'better-sqlite3';
import t from 'tap';
import { CatalogGenerator, IDS_FROM, rareWord } from '../../bench/reads/catalog-generator.ts';
import { openCatalog } from '../../catalog/catalog.ts';
import { CatalogAnswers } from '../../catalog/queries/answers.ts';
import { answerValue } from '../persistence/answer-value.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const SIZE = { seed: 3, events: 90, markets: 300, tags: 20, series: 5 };
const COMMENTS = 400;

t.test('all records of a generated catalog are stored, listed and found', async (t) => {
  const path = `${temporaryFolder(t)}/catalog.db`;
  const catalog = openCatalog(path);
  const generator = new CatalogGenerator(SIZE);
  for (const batch of generator.batches(40)) catalog.importEvents(batch);
  catalog.putRecords({ kind: 'comments', records: [...generator.comments(COMMENTS)] });
  t.equal(catalog.lookup.marketCount(), SIZE.markets);
  catalog.close();
  const database = new Database(path, { readonly: true });
  t.teardown(() => database.close());
  t.strictSame(database.pragma('foreign_key_check'), []);
  const answers = new CatalogAnswers(database);
  const ask = (kind: string, question: unknown) => {
    const text = answers.answer(kind, question);
    return text && answerValue(text);
  };
  const all = { conditions: [], flags: {}, order: [], ascending: true, offset: 0, limit: 500 };
  const events: {
    id: string;
    markets: object[];
    tags: { slug: string }[];
    commentCount: number;
  }[] = ask('events', all);
  t.equal(events.length, SIZE.events);
  t.equal(events.flatMap(({ markets }) => markets).length, SIZE.markets);
  t.equal(ask('markets', all).length, SIZE.markets);
  t.equal(
    events.reduce((sum, { commentCount }) => sum + commentCount, 0),
    COMMENTS,
  );
  for (const { id } of events.slice(0, 20)) {
    const text = rareWord(Number(id) - IDS_FROM);
    const found = ask('search', { text, limit: 90, page: 1, withTags: false });
    t.ok(
      found.events.some((event: { id: string }) => event.id === id),
      `event ${id} by ${text}`,
    );
  }
  const uses = new Map<string, number>();
  for (const { slug } of events.flatMap(({ tags }) => tags)) {
    uses.set(slug, (uses.get(slug) ?? 0) + 1);
  }
  const counted = database.prepare('SELECT slug, event_count FROM tags ORDER BY slug').raw().all();
  t.strictSame(
    counted,
    [...uses].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
});

t.test('the same seed makes the same catalog', async (t) => {
  const made = () => [...new CatalogGenerator(SIZE).batches(90)];
  t.strictSame(made(), made());
});
