/** A core gets its snapshots from a standby, and rests its follower meanwhile. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Exchange } from '../../../persistence/index.ts';
import { JournalReader } from '../../../persistence/journal/reader.ts';
import { STORE_BOUNDS } from '../../../persistence/shared/index.ts';
import { journalOf } from '../../persistence/journal/fixture.ts';
import { order, submitAll, until, WORLD } from '../../persistence/store-fixture.ts';
import type { AnyEvent } from '../open-node.ts';
import { CuttingProxy, freePort, TestCluster } from './test-cluster.ts';

/** Only commands make a snapshot due: 20 of them. */
const CORE = { snapshotPace: { everyMs: 3_600_000, everyCommands: 20 } } as const;
/** Only requests do. */
const ASKED = { snapshotPace: { everyMs: 3_600_000, everyCommands: 1_000_000 } } as const;

function followerOf(exchange: Exchange): boolean | undefined {
  return exchange.health().threads.find(({ name }) => name === 'follower')?.isUp;
}

const isFollowing = (exchange: Exchange) => until(() => followerOf(exchange) === true);
/** It does not count as a thread, up or down. */
const isResting = (exchange: Exchange) => until(() => followerOf(exchange) === undefined);

async function orders(exchange: Exchange, first: number, count: number): Promise<void> {
  await submitAll(
    exchange,
    Array.from({ length: count }, (_, index) => order(first + index)),
  );
}

async function snapshotAt(standby: Exchange, core: Exchange): Promise<number> {
  await until(() => standby.appliedSeq === core.appliedSeq);
  return (await standby.makeSnapshot()).seq;
}

t.test('a core rests its follower while a standby sends snapshots', async (t) => {
  const cluster = new TestCluster(t);
  const events: AnyEvent[] = [];
  const onEvent = (event: AnyEvent): unknown => events.push(event);
  const core = await cluster.open('core', 'core', { ...CORE, onEvent });
  await submitAll(core, WORLD);
  const standby = await cluster.open('standby', 'standby', ASKED);
  await orders(core, 1, 5);
  await isFollowing(core);
  t.equal(core.health().followedSeq === undefined, false);

  const seq = await snapshotAt(standby, core);
  await isResting(core);
  t.equal(core.health().followedSeq, undefined, 'it has no lag');
  t.same(
    [core.snapshots()[0]?.seq, core.snapshots()[0]?.bytes],
    [seq, standby.snapshots()[0]?.bytes],
  );
  await until(() => events.some(({ kind }) => kind === 'snapshot_taken'));
  t.match(
    events.find(({ kind }) => kind === 'snapshot_taken'),
    { seq, from: 'standby' },
  );

  // An audit needs it, until the next snapshot.
  t.match(await core.audit(), { ok: true, seq: core.appliedSeq });
  t.equal(followerOf(core), true);
  await orders(core, 6, 5);
  const next = await snapshotAt(standby, core);
  await isResting(core);
  await until(() => core.snapshots()[0]?.seq === next);

  // So does a snapshot that is requested here.
  await orders(core, 11, 1);
  t.equal((await core.makeSnapshot()).seq, next + 1);
  t.equal(followerOf(core), true);
  t.notOk(cluster.failures.size);
});

t.test('a core whose standby sends no more follows its journal again', async (t) => {
  const cluster = new TestCluster(t);
  const core = await cluster.open('core', 'core', CORE);
  await submitAll(core, WORLD);
  const standby = await cluster.open('standby', 'standby', ASKED);
  await isFollowing(core);
  const seq = await snapshotAt(standby, core);
  await isResting(core);
  await until(() => core.snapshots()[0]?.seq === seq);
  await standby.close();
  await orders(core, 1, 40);
  t.equal(followerOf(core), undefined, 'two snapshots are not overdue yet');
  await orders(core, 41, 1);
  await isFollowing(core);
  await until(() => core.health().lastSnapshot?.seq === core.appliedSeq);
  t.equal(core.snapshots()[0]?.seq, core.appliedSeq, 'and makes its snapshots itself');
});

t.test('a core follows its journal again after a while', async (t) => {
  const cluster = new TestCluster(t);
  const pace = { everyMs: 50, everyCommands: 1_000_000 };
  const core = await cluster.open('core', 'core', { snapshotPace: pace });
  await submitAll(core, WORLD);
  const standby = await cluster.open('standby', 'standby', ASKED);
  const seq = await snapshotAt(standby, core);
  await until(() => (core.snapshots()[0]?.seq ?? 0) >= seq);
  await orders(core, 1, 1);
  await until(() => core.snapshots()[0]?.seq === core.appliedSeq);
  t.equal(followerOf(core), true);
});

t.test('a core starts again from the snapshot of its standby', async (t) => {
  const cluster = new TestCluster(t);
  const core = await cluster.open('core', 'core', CORE);
  await submitAll(core, WORLD);
  const standby = await cluster.open('standby', 'standby', ASKED);
  await orders(core, 1, 30);
  await isFollowing(core);
  const seq = await snapshotAt(standby, core);
  await isResting(core);
  await until(() => core.snapshots()[0]?.seq === seq);
  await standby.close();
  await orders(core, 31, 3);
  // Journals are written behind the log: a follower that does not rest would know these orders.
  const journal = new JournalReader(journalOf(cluster.folderOf('core')));
  await until(() => journal.lastSeq === core.appliedSeq);
  journal.close();
  const hash = core.stateHash();
  await core.close();
  t.equal(core.snapshots()[0]?.seq, seq, 'it makes no last one');
  const again = await cluster.open('core', 'core', CORE);
  t.match(again.recovered, { snapshotSeq: seq, replayed: 3 });
  t.equal(again.stateHash(), hash);
});

t.test('a snapshot that is cut off is not used, and the next one is', async (t) => {
  const cluster = new TestCluster(t);
  const proxy = new CuttingProxy(t);
  const port = await proxy.listen();
  const feedPort = await freePort();
  const core = await cluster.open('core', 'core', {
    ...{ snapshotPace: { everyMs: 3_600_000, everyCommands: 1_000_000 } },
    cluster: { feedAddress: `127.0.0.1:${port}`, feedPort },
  });
  proxy.targetPort = feedPort;
  await submitAll(core, WORLD);
  // So many that their snapshot has several parts.
  await orders(core, 1, 4_000);
  let isCutting = true;
  const standby = await cluster.open('standby', 'standby', {
    ...ASKED,
    onEvent: ({ kind }) => {
      if (kind === 'snapshot_made' && isCutting) proxy.bytesUntilCut = 1;
    },
  });
  const first = await snapshotAt(standby, core);
  t.ok(standby.snapshots()[0]!.bytes > STORE_BOUNDS.sentSnapshotBytes);
  await until(() => proxy.cuts === 1);
  await until(() => standby.cluster?.state === 'following');
  t.same(core.snapshots(), []);
  isCutting = false;
  await orders(core, 5_000, 1);
  await isFollowing(core);
  const next = await snapshotAt(standby, core);
  await until(() => core.snapshots()[0]?.seq === next);
  await isResting(core);
  t.equal(next, first + 1);
  const names = readdirSync(join(cluster.folderOf('core'), 'snapshots'));
  t.equal(names.length, 1, 'nothing is left of the first one');
});
