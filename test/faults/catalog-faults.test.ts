// Faults of the catalog: its writer thread dies, its disk is full, or its file is damaged. Answered
// writes are stored once, others completely or not at all, and matching goes on.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import t, { type Test } from 'tap';
import { Catalog } from '../../catalog/catalog.ts';
import { migrateCatalog } from '../../catalog/schema/index.ts';
import type { ExchangeCatalog } from '../../persistence/index.ts';
import { Findings } from '../../persistence/tools/findings.ts';
import { checkCatalogTables } from '../../persistence/tools/verify-catalog-tables.ts';
import { eventRecord } from '../catalog/fixture.ts';
import { startTestExchange, type Trader } from '../http/exchange-fixture.ts';
import { scrape, total } from '../http/metrics/scrape.ts';
import { isLong } from '../long-set.ts';
import { until } from '../persistence/store-fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const EVENT = { type: 'Event', id: 11 } as const;
const ADA = `0x${'ad'.repeat(20)}`;
const NOW = { nowIso: '2027-01-01T00:00:00Z', sinceIso: '2027-01-01T00:00:00Z' };

/** The living threads of this process. */
function livingThreads(t: Pick<Test, 'teardown'>): readonly Worker[] {
  const living: Worker[] = [];
  const keep = (worker: Worker): void => {
    living.push(worker);
    worker.once('exit', () => living.splice(living.indexOf(worker), 1));
  };
  process.on('worker', keep);
  t.teardown(() => process.off('worker', keep));
  return living;
}

/** The thread that answers a write. */
async function writerAmong(living: readonly Worker[], { write }: ExchangeCatalog): Promise<Worker> {
  const found = Promise.withResolvers<Worker>();
  const ends = living.map((worker) => {
    const hear = ({ kind }: { readonly kind?: string }): void => {
      if (kind === 'answer') found.resolve(worker);
    };
    worker.on('message', hear);
    return () => worker.off('message', hear);
  });
  await write.syncMark({ source: 'nobody', kind: 'events' });
  const writer = await found.promise;
  for (const end of ends) end();
  return writer;
}

/** What `verify` finds in a catalog's own rows. */
function findingsOf(path: string): readonly unknown[] {
  const findings = new Findings();
  const database = new SqliteDatabase(path, { readonly: true });
  database.transaction(() => checkCatalogTables(database, findings))();
  database.close();
  return findings.all();
}

const living = livingThreads(t);
const dataDir = temporaryFolder(t);
const exchange = await startTestExchange(t, { temporary: false, dataDir });
const { catalog } = exchange.running.services.exchange;
const path = join(dataDir, 'catalog.db');
const alice = await exchange.trader(1);

/** Places orders until the returned function is called; each must be accepted. */
function trading(t: Test, trader: Trader) {
  let isOver = false;
  let count = 0;
  // Stops after a failed test, too.
  t.teardown(() => {
    isOver = true;
  });
  const run = (async () => {
    while (!isOver) {
      const tokenId = exchange.plain.tokenIds[0];
      const placed = await trader.place({ tokenId, priceTicks: 100, lots: 500 });
      if (placed.status !== 200) t.fail(`an order is refused: ${placed.text}`);
      count += 1;
    }
  })();
  return async (): Promise<void> => {
    isOver = true;
    await run;
    t.ok(count > 0, `${count} orders meanwhile`);
  };
}

function isUp(): Promise<boolean> {
  return catalog.write.syncMark({ source: 'nobody', kind: 'events' }).then(
    () => true,
    () => false,
  );
}

t.test('each answered comment is stored once, even if the writer thread dies', async (t) => {
  const endTrading = trading(t, alice);
  const answered = new Map<string, number>();
  let refused = 0;
  const say = async (body: string): Promise<void> => {
    while (!answered.has(body)) {
      const ask = { parent: EVENT, userAddress: ADA, body, key: body, ...NOW };
      try {
        answered.set(body, (await catalog.write.comment(ask)).commentId);
      } catch (error) {
        t.match(error, { code: 'catalog_unavailable' });
        refused += 1;
        await sleep(5);
      }
    }
  };
  const speakers = [1, 2, 3, 4].map(async (speaker) => {
    for (let number = 0; number < 25; number += 1) await say(`${speaker}/${number}`);
  });
  for (const most of [10, 40]) {
    await until(() => answered.size >= most);
    await (await writerAmong(living, catalog)).terminate();
    await until(isUp);
  }
  await Promise.all(speakers);
  await endTrading();
  t.ok(refused > 0, 'some comments were refused and sent again');
  const database = new SqliteDatabase(path, { readonly: true });
  const stored = database
    .prepare<[string], [string, number]>('SELECT body, id FROM comments WHERE user_address = ?')
    .raw()
    .all(ADA);
  database.close();
  t.strictSame(new Map(stored), answered);
  t.equal(stored.length, answered.size, 'each once');
  t.strictSame(findingsOf(path), []);
});

const BATCH = 120;
/** How long an import runs before its thread dies. */
const DELAYS_MS = isLong ? [1, 8, 16, 30] : [1, 12];
function listOf(first: number) {
  return Array.from({ length: BATCH }, (_, index) =>
    eventRecord(first + index, { description: '-' }),
  );
}

t.test('an import whose thread dies is never stored in part, nor read in part', async (t) => {
  const endTrading = trading(t, alice);
  const seen = new Set<number>();
  let refused = 0;
  for (const [round, delayMs] of DELAYS_MS.entries()) {
    const first = 1_000_000 + round * 10_000;
    const countStored = async (): Promise<number> => {
      const ids = Array.from({ length: BATCH }, (_, index) => `id=${first + index}`).join('&');
      const { status, text } = await exchange.send('GET', `/events?limit=100&${ids}`);
      t.equal(status, 200);
      return JSON.parse(text).length;
    };
    const writer = await writerAmong(living, catalog);
    const importing = catalog.write.importEvents(listOf(first)).then(
      () => true,
      () => false,
    );
    await sleep(delayMs);
    seen.add(await countStored());
    await writer.terminate();
    const isDone = await importing;
    await until(isUp);
    const count = await countStored();
    seen.add(count);
    t.ok(isDone ? count === 100 : count === 0 || count === 100, `${isDone}: ${count}`);
    if (!isDone) refused += 1;
  }
  await endTrading();
  t.ok(refused > 0, 'some imports were interrupted');
  t.strictSame(
    [...seen].filter((count) => count !== 0 && count !== 100),
    [],
    'no part of an import was seen',
  );
  t.strictSame(findingsOf(path), []);
});

t.test('a full disk leaves no partial write, and the same writes succeed when it has room', (t) => {
  const file = join(temporaryFolder(t), 'catalog.db');
  const database = new SqliteDatabase(file);
  database.pragma('journal_mode = WAL');
  database.pragma('foreign_keys = ON');
  migrateCatalog(database);
  const small = new Catalog(database);
  small.importEvents([eventRecord(EVENT.id)]);
  const pages = Number(database.pragma('page_count', { simple: true }));
  const page = (first: number) => ({
    source: 'https://catalog.example',
    kind: 'events' as const,
    text: Buffer.from(JSON.stringify(listOf(first))),
    mark: `${first}`,
  });
  const comment = (number: number) =>
    small.comments.comment({ parent: EVENT, userAddress: ADA, body: `${number}`, key: '', ...NOW });
  const full = { code: 'SQLITE_FULL' };
  database.pragma(`max_page_count = ${pages + 12}`);
  const rows = (sql: string): unknown => database.prepare(sql).pluck().get();
  t.throws(() => small.importEvents(listOf(100)), full);
  t.throws(() => small.intake.putPage(page(100)), full);
  t.equal(rows('SELECT count(*) FROM events'), 1);
  t.equal(small.intake.mark('https://catalog.example', 'events'), undefined);
  let answered = 0;
  t.throws(() => {
    for (;;) {
      comment(answered);
      answered += 1;
    }
  }, full);
  t.ok(answered > 0);
  t.equal(rows('SELECT count(*) FROM comments'), answered);
  t.equal(rows('SELECT own_comments FROM event_figures'), answered);
  database.pragma('max_page_count = 1000000');
  comment(answered);
  t.match(small.intake.putPage(page(100)).counts.events, { added: BATCH });
  small.close();
  t.strictSame(findingsOf(file), []);
  t.end();
});

t.test('with a damaged file the catalog answers 200 or 503, and trading goes on', async (t) => {
  const endTrading = trading(t, alice);
  // A separate process, because closing the file in this one would release SQLite's locks.
  const from = ['if=/dev/zero', `of=${path}`, 'bs=4096', 'seek=1', 'count=4000'];
  execFileSync('dd', [...from, 'conv=notrunc'], { stdio: 'ignore' });
  for (const worker of [...living]) {
    // A new thread has no page of the file in memory.
    if (worker === (await writerAmong(living, catalog).catch(() => undefined))) {
      await worker.terminate();
    }
  }
  for (const asked of [
    '/events',
    '/markets?limit=100',
    '/public-search?q=will',
    '/tags',
    '/comments/1',
  ]) {
    const { status, body } = await exchange.send('GET', asked);
    t.ok(status === 200 || status === 503, `${asked}: ${status} ${body.code}`);
  }
  const { status, body } = await exchange.send('GET', '/markets?next_cursor=MA==');
  t.ok(status === 200 || status === 503, `the list of the order book: ${status} ${body.code}`);
  await endTrading();
  t.equal((await exchange.operator('GET', '/audit')).status, 200);
  const failedWrites = async (): Promise<number> =>
    total(await scrape(exchange), 'outcome_exchange_failed_catalog_writes_total');
  await until(async () => (await failedWrites()) > 0);
});
