/** Restores of a backup as of an earlier command or time. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { Engine, stateHash } from '../../../engine/index.ts';
import { backupFolder, compactJournal, restoreBackup } from '../../../persistence/index.ts';
import { JournalReader } from '../../../persistence/journal/reader.ts';
import { applyStored } from '../../../persistence/recovery/recovery.ts';
import { verifyFolder } from '../../../persistence/tools/verify.ts';
import { times } from '../../long-set.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { copyFolder, keptFolder } from '../kept-folder.ts';
import { openFollowed, order, submitAll, WORLD } from '../store-fixture.ts';

const good = await keptFolder();

interface Moment {
  readonly hash: string;
  readonly timeMs: number;
}

/** The state after each command, and its time. */
function momentsOf(dataDir: string): Moment[] {
  const engine = new Engine();
  const journal = new JournalReader(join(dataDir, 'journal.db'));
  engine.rules = journal.rulesAt(1);
  const moments = journal.commands(0, journal.lastSeq).map((stored) => {
    applyStored(engine, stored);
    return { hash: stateHash(engine.state()), timeMs: stored.timeMs };
  });
  journal.close();
  return moments;
}

const moments = momentsOf(good);
const file = join(temporaryFolder(t), 'plain.tar');
const compacted = join(temporaryFolder(t), 'compacted.tar');
const backing = { version: '1.2.3', nowMs: Date.now() };
await backupFolder({ ...backing, dataDir: good, file });
const folder = copyFolder(t, good);
const { lastSeq: archived } = await compactJournal({ dataDir: folder });
await backupFolder({ ...backing, dataDir: folder, file: compacted });

t.test('a restore to any command has the state after it, and verifies', async (t) => {
  const last = moments.length;
  t.ok(archived > 1 && archived < last);
  const every = times(5, 1);
  const seqs = moments
    .map((_, index) => index + 1)
    .filter((seq) => seq % every === 0 || [1, archived - 1, archived, last].includes(seq));
  for (const seq of seqs) {
    const dataDir = join(temporaryFolder(t), 'data');
    const backup = seq % 2 === 0 || seq <= archived ? compacted : file;
    const report = await restoreBackup({ file: backup, dataDir, point: { seq } });
    t.equal(report.lastSeq, seq);
    const verified = await verifyFolder({ dataDir });
    t.strictSame([verified.findings, verified.seq], [[], seq], `seq ${seq}`);
    t.equal(verified.stateHash, moments[seq - 1]?.hash);
  }
});

t.test('a restored point starts, and what came after it can be done again', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  const journal = new JournalReader(join(good, 'journal.db'));
  t.teardown(() => journal.close());
  const engine = new Engine();
  const stored = journal.commands(0, journal.lastSeq);
  for (const one of stored) applyStored(engine, one);
  const placed = stored.findLast(({ kind }) => kind === 'place_order');
  if (placed === undefined) throw new Error('the folder has orders');
  await restoreBackup({ file: compacted, dataDir, point: { seq: placed.seq - 1 } });
  t.notOk(readdirSync(join(dataDir)).includes('restoring.new'));
  const exchange = await openFollowed(t, dataDir, { now: () => placed.timeMs });
  t.equal(exchange.appliedSeq, placed.seq - 1);
  const { events } = await exchange.submit(placed.command(engine.names), placed.evidence);
  t.ok(events.some(({ kind }) => kind === 'order_accepted'));
  t.equal(exchange.stateHash(), moments[placed.seq - 1]?.hash);
  await exchange.close();
  t.strictSame((await verifyFolder({ dataDir })).findings, []);
});

t.test('a restore to a time has the last command up to it', async (t) => {
  for (const timeMs of new Set([0, moments.length >> 1, -1].map((at) => moments.at(at)!.timeMs))) {
    const dataDir = join(temporaryFolder(t), 'data');
    const { lastSeq } = await restoreBackup({ file: compacted, dataDir, point: { timeMs } });
    t.equal(lastSeq, moments.findLastIndex((moment) => moment.timeMs <= timeMs) + 1);
  }
  const early = { timeMs: (moments[0]?.timeMs ?? 0) - 1 };
  const late = { seq: moments.length + 1 };
  for (const [point, message] of [
    [early, /the first command of the backup is of .*Z, and .*Z was asked for/],
    [late, /the backup ends at seq [0-9]+, and seq [0-9]+ was asked for/],
  ] as const) {
    const dataDir = join(temporaryFolder(t), 'data');
    const restoring = restoreBackup({ file: compacted, dataDir, point });
    await t.rejects(restoring, { name: 'BackupError', message });
  }
});

t.test('a backup of a live exchange is cut within a batch, and its order ids too', async (t) => {
  const exchange = await openFollowed(t, join(temporaryFolder(t), 'live'));
  await submitAll(exchange, WORLD);
  const from = exchange.appliedSeq;
  await Promise.all([1, 2, 3, 4].map((number) => exchange.submit(order(number))));
  const live = join(temporaryFolder(t), 'live.tar');
  await backupFolder({ ...backing, dataDir: dirname(exchange.journalPath), file: live });
  await exchange.close();
  for (const seq of [from, from + 2]) {
    const dataDir = join(temporaryFolder(t), 'data');
    await restoreBackup({ file: live, dataDir, point: { seq } });
    const { findings, orders } = await verifyFolder({ dataDir });
    t.strictSame([findings, orders], [[], seq - from]);
  }
});
