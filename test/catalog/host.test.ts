// The catalog's threads: their answers, and what happens when one dies: requests that wait are
// refused, and no answered write is lost.

import type { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import { CatalogHost } from '../../catalog/host.ts';
import { STORE_BOUNDS } from '../../persistence/shared/store-bounds.ts';
import { answerValue } from '../persistence/answer-value.ts';
import { until } from '../persistence/store-fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { eventRecord, hex } from './fixture.ts';

interface Opened {
  readonly host: CatalogHost;
  readonly path: string;
  /** The writer and the readers, in the order of their start. */
  readonly threads: readonly Worker[];
  readonly deaths: readonly string[];
}

async function openHost(t: Test, path = `${temporaryFolder(t)}/catalog.db`): Promise<Opened> {
  const threads: Worker[] = [];
  const deaths: string[] = [];
  const keep = (worker: Worker): number => threads.push(worker);
  process.on('worker', keep);
  t.teardown(() => process.off('worker', keep));
  const host = new CatalogHost({ path, onDown: (name) => deaths.push(name) });
  t.teardown(() => host.stop());
  await host.start();
  return { host, path, threads, deaths };
}

const SEARCH = { conditions: [], flags: {}, order: [], ascending: true, offset: 0, limit: 100 };

async function titlesIn({ read }: CatalogHost): Promise<string[]> {
  const text = await read.events(SEARCH);
  const events = text === undefined ? [] : answerValue(text);
  return events.map(({ title }: { title: string }) => title);
}

/** The value of a promise, or the code of its error. */
function outcome(asked: Promise<unknown>): Promise<unknown> {
  return asked.catch((error: unknown) =>
    error instanceof Error && 'code' in error ? error.code : error,
  );
}

t.test('lookups and reads see every write that was answered before', async (t) => {
  const { host } = await openHost(t);
  for (let number = 1; number <= 20; number += 1) {
    await host.write.importEvents([eventRecord(number)]);
    t.match(host.lookup.marketByCondition(hex(number)), { id: `${number}` });
    t.equal((await titlesIn(host)).length, number);
  }
});

t.test('a refused write rejects with its own error class and changes nothing', async (t) => {
  const { host } = await openHost(t);
  await host.write.importEvents([eventRecord(1)]);
  const records = [eventRecord(2), eventRecord(3, { title: 7 })];
  await t.rejects(host.write.importEvents(records), {
    name: 'CatalogImportError',
    kind: 'malformed',
    count: 1,
    refusals: [{ path: '$[1].title' }],
  });
  t.strictSame(await titlesIn(host), ['Event 1']);
  await t.rejects(host.write.importEvents([eventRecord(9, { slug: 'event-1' })]), {
    name: 'CatalogImportError',
    kind: 'conflict',
  });
  await t.rejects(host.write.unreact({ ...ACT, id: 99, reactionType: 'HEART' }), {
    name: 'CatalogRefusal',
    code: 'unknown',
  });
});

const ACT = { userAddress: `0x${'a1'.repeat(20)}`, nowIso: '2027-01-01T00:00:00Z' };

t.test(
  'when the writer thread dies, waiting writes fail and answered writes are kept',
  async (t) => {
    const { host, path, threads, deaths } = await openHost(t);
    const answered: number[] = [];
    for (let number = 1; number <= 30; number += 1) {
      const asked = outcome(host.write.importEvents([eventRecord(number)]));
      if (number % 10 === 0) void threads.at(number === 10 ? 0 : -1)?.terminate();
      const came = await asked;
      if (came !== 'catalog_unavailable') answered.push(number);
      await until(() => host.isWriterUp);
    }
    t.ok(answered.length >= 27, `${answered.length} were answered`);
    t.equal(deaths.length, 3);
    t.match(deaths, ["the catalog's writer thread"]);
    const titles = await titlesIn(host);
    for (const number of answered) t.ok(titles.includes(`Event ${number}`), `event ${number}`);
    await host.write.importEvents([eventRecord(30, { title: 'Written again' })]);
    t.ok((await titlesIn(host)).includes('Written again'));
    const database = new Database(path, { readonly: true });
    t.equal(database.pragma('integrity_check', { simple: true }), 'ok');
    database.close();
  },
);

t.test('while a reader thread is down, reads are refused and writes go on', async (t) => {
  const { host, threads, deaths } = await openHost(t);
  await host.write.importEvents([eventRecord(1)]);
  t.equal(threads.length, 1 + STORE_BOUNDS.catalogReaders);
  const waiting = Array.from({ length: 20 }, () => outcome(host.read.events(SEARCH)));
  for (const reader of threads.slice(1)) await reader.terminate();
  const came = await Promise.all(waiting);
  for (const one of came) t.ok(one === 'reader_unavailable' || typeof one === 'object');
  t.equal(host.areReadersUp, false);
  t.equal(await outcome(host.read.events(SEARCH)), 'reader_unavailable');
  await host.write.importEvents([eventRecord(2)]);
  t.match(host.lookup.market(2), { id: '2' });
  await until(() => host.areReadersUp);
  t.strictSame(await titlesIn(host), ['Event 1', 'Event 2']);
  t.equal(deaths.length, STORE_BOUNDS.catalogReaders);
});

t.test('reads beyond the bound are refused, the others answered', async (t) => {
  const { host } = await openHost(t);
  const count = STORE_BOUNDS.catalogReaders * STORE_BOUNDS.waitingReads + 5;
  const asked = Array.from({ length: count }, () => outcome(host.read.tag({ tag: { id: 1 } })));
  const came = await Promise.all(asked);
  t.equal(came.filter((one) => one === 'overloaded').length, 5);
  t.equal(came.filter((one) => one === undefined).length, count - 5);
});

t.test('writes beyond the bound are refused, the others answered', async (t) => {
  const { host } = await openHost(t);
  const count = STORE_BOUNDS.waitingCatalogWrites + 5;
  const asked = Array.from({ length: count }, () =>
    outcome(host.write.finishPlan({ name: 'none' })),
  );
  const came = await Promise.all(asked);
  t.equal(came.filter((one) => one === 'overloaded').length, 5);
});

t.test('the start refuses a file that is not a catalog and says what to do', async (t) => {
  const path = `${temporaryFolder(t)}/catalog.db`;
  const database = new Database(path);
  database.pragma('user_version = 99');
  database.close();
  const host = new CatalogHost({ path, onDown: () => undefined });
  await t.rejects(host.start(), /has catalog version 99/);
  await host.stop();
});
