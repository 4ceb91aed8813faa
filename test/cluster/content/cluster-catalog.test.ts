// Catalogs of a cluster: each node reads its own writes, all have the same content, and nothing
// that was answered is lost when nodes stop, come back, are new, or take over.

import { rmSync, writeFileSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import type { NewComment } from '../../../catalog/model/index.ts';
import { eventRecord, figuresOf } from '../../catalog/fixture.ts';
import { until } from '../../persistence/store-fixture.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { TestCluster, type TestNode } from './cluster.ts';
import { contentOf } from './content.ts';

function comment(body: string): NewComment {
  const nowIso = '2026-03-01T00:00:00Z';
  const userAddress = `0x${'1'.repeat(40)}`;
  const parent = { type: 'Event', id: 1 } as const;
  return { parent, userAddress, body, key: '', sinceIso: '2026-02-01T00:00:00Z', nowIso };
}

async function withEvent(cluster: TestCluster): Promise<TestNode> {
  const core = await cluster.found();
  await core.host.write.importEvents([eventRecord(1), eventRecord(2)]);
  return core;
}

function bodies({ path }: TestNode): string[] {
  const database = new SqliteDatabase(path, { readonly: true });
  const found = database.prepare<[], string>('SELECT body FROM comments ORDER BY id').pluck().all();
  database.close();
  return found;
}

t.test('a node reads its own writes, and the others get them', async (t) => {
  const cluster = new TestCluster(t);
  const core = await withEvent(cluster);
  const [one, other] = [await cluster.join(), await cluster.join()];
  const { commentId } = await one.host.write.comment(comment('from one'));
  t.strictSame(bodies(one), ['from one'], 'at once where it was written');
  await other.host.write.comment(comment('from the other'));
  await cluster.settle();
  t.equal(commentId, 1_000_000_000);
  t.strictSame(bodies(other), ['from one', 'from the other']);
  t.strictSame(contentOf(one.path), contentOf(core.path));
  t.strictSame(contentOf(other.path), contentOf(core.path));
  const told = (node: TestNode) => node.told.map(({ kind, result }) => `${kind} ${result.kind}`);
  t.strictSame(told(core), ['comment answer', 'comment answer'], 'its streams are told of both');
  t.strictSame(told(one), ['comment answer'], 'and those of a node of what others wrote');
});

t.test('a refusal is that of the application here, and changes nothing anywhere', async (t) => {
  const cluster = new TestCluster(t);
  const core = await withEvent(cluster);
  const node = await cluster.join();
  const unknown = { ...comment('words'), parent: { type: 'Event', id: 9 } as const };
  await t.rejects(node.host.write.comment(unknown), { name: 'CatalogRefusal', code: 'unknown' });
  const taken = [eventRecord(3, { slug: 'event-1' })];
  await t.rejects(node.host.write.importEvents(taken), { name: 'CatalogImportError' });
  await cluster.settle();
  t.strictSame(contentOf(node.path), contentOf(core.path));
  t.equal(core.catalog.state?.number, node.catalog.state?.number, 'both are counted');
});

t.test('figures are those of each node, and the rest is the same', async (t) => {
  const cluster = new TestCluster(t);
  const core = await withEvent(cluster);
  const node = await cluster.join();
  const figures = figuresOf(1, { volume: 5, volume24hr: 1, liquidity: 2 });
  await node.host.write.putFigures([figures]);
  await node.host.write.importEvents([eventRecord(1, { volume: 70, markets: [] })]);
  await cluster.settle();
  t.strictSame(contentOf(node.path), contentOf(core.path));
});

t.test('a node that was away fetches what it missed, and applies nothing twice', async (t) => {
  const cluster = new TestCluster(t);
  const core = await withEvent(cluster);
  const node = await cluster.join();
  await node.host.write.comment(comment('before'));
  node.isConnected = false;
  for (let count = 0; count < 5; count += 1) await core.host.write.comment(comment(`${count}`));
  node.isConnected = true;
  await core.host.write.comment(comment('after'));
  await cluster.settle();
  t.strictSame(bodies(node), bodies(core), 'the gap is filled');
  const { folder } = node;
  await cluster.close(node);
  await core.host.write.comment(comment('while it was down'));
  const again = await cluster.join(folder);
  t.strictSame(bodies(again), bodies(core));
  t.strictSame(contentOf(again.path), contentOf(core.path));
});

t.test('a node that misses records which the core does not keep copies the catalog', async (t) => {
  const cluster = new TestCluster(t);
  const core = await withEvent(cluster);
  const node = await cluster.join();
  node.isConnected = false;
  for (let count = 0; count < 5; count += 1) await core.host.write.comment(comment(`${count}`));
  const database = new SqliteDatabase(core.path);
  database.exec('DELETE FROM content_records WHERE number < 4');
  database.close();
  node.isConnected = true;
  await core.host.write.comment(comment('after'));
  await until(() => node.lost.length > 0);
  t.match(node.lost, [{ code: 'catalog_unavailable', message: /start it again/ }]);
  await cluster.close(node);
  const again = await cluster.join(node.folder);
  t.strictSame(contentOf(again.path), contentOf(core.path));
  await again.host.write.comment(comment('at the copy'));
  await cluster.settle();
  t.strictSame(bodies(core).at(-1), 'at the copy');
});

t.test('a catalog of another history is replaced by a copy, also a damaged one', async (t) => {
  const cluster = new TestCluster(t);
  const core = await withEvent(cluster);
  const other = new TestCluster(t);
  const stranger = await withEvent(other);
  await stranger.host.write.comment(comment('of another exchange'));
  await other.close(stranger);
  const node = await cluster.join(stranger.folder);
  t.strictSame(contentOf(node.path), contentOf(core.path));
  await cluster.close(node);
  for (const end of ['-wal', '-shm']) rmSync(`${node.path}${end}`, { force: true });
  writeFileSync(node.path, 'no database');
  const again = await cluster.join(node.folder);
  t.strictSame(contentOf(again.path), contentOf(core.path));
});

t.test('a node that takes over has all content, and continues its numbers', async (t) => {
  const cluster = new TestCluster(t);
  const core = await withEvent(cluster);
  const [standby, gateway] = [await cluster.join(), await cluster.join()];
  await gateway.host.write.comment(comment('answered'));
  await cluster.close(core);
  await t.rejects(gateway.host.write.comment(comment('meanwhile')), { code: 'no_core' });
  await cluster.lead(standby);
  await gateway.host.write.comment(comment('meanwhile'));
  await cluster.settle();
  t.strictSame(bodies(standby), ['answered', 'meanwhile']);
  t.strictSame(contentOf(gateway.path), contentOf(standby.path));
});

t.test('a write in several parts is whole or has no effect', async (t) => {
  const cluster = new TestCluster(t);
  const core = await withEvent(cluster);
  const [standby, gateway] = [await cluster.join(), await cluster.join()];
  const tags = Array.from({ length: 400 }, (_, at) => ({
    ...{ id: `${at + 1}`, slug: `tag-${at}`, label: `Tag ${at} ${'x'.repeat(800)}` },
  }));
  const text = Buffer.from(JSON.stringify(tags));
  const page = { source: 'elsewhere', kind: 'tags', text, mark: 'here' } as const;
  const report = await gateway.host.write.putPage(page);
  t.match(report.counts.tags, { added: 400 });
  t.ok(cluster.log.at(-1)!.length > 3, 'its parts are records that follow each other');
  await cluster.settle();
  t.strictSame(contentOf(gateway.path), contentOf(core.path));

  // The core ends when only some parts of another one are in the log.
  core.isConnected = false;
  const { append } = cluster;
  cluster.append = (content) => append.call(cluster, content.slice(0, 2)).then(() => lost());
  const lost = () => Promise.reject(new Error('the core ended'));
  await t.rejects(gateway.host.write.putPage({ ...page, mark: 'there' }), /the core ended/);
  cluster.append = append;
  await cluster.close(core);
  await cluster.lead(standby);
  await gateway.host.write.comment(comment('after it'));
  await cluster.settle();
  t.equal(await gateway.host.write.syncMark({ source: 'elsewhere', kind: 'tags' }), 'here');
  t.strictSame(contentOf(gateway.path), contentOf(standby.path));
});

t.test('content that the journal has and the catalog lacks is applied at a start', async (t) => {
  const cluster = new TestCluster(t);
  const core = await withEvent(cluster);
  const node = await cluster.join();
  const { folder } = node;
  // It ends after the journal's commit and before that of the catalog.
  node.isConnected = false;
  await core.host.write.comment(comment('committed'));
  node.journal(cluster.log.at(-1)!);
  await cluster.close(node);
  const again = await cluster.reopen(folder);
  await again.catalog.drain();
  t.strictSame(bodies(again), ['committed'], 'without a request to the core');
  t.strictSame(contentOf(again.path), contentOf(core.path));
});

t.test('nothing can be copied before the first core has loaded its catalog', async (t) => {
  const cluster = new TestCluster(t);
  const core = await cluster.reopen(temporaryFolder(t));
  await cluster.lead(core);
  await t.rejects(cluster.join(), { code: 'no_core' });
  await core.host.write.importEvents([eventRecord(1)]);
  t.equal(cluster.log.length, 0, 'the first load is not in the log');
  await core.host.found();
  const node = await cluster.join();
  t.strictSame(contentOf(node.path), contentOf(core.path));
});
