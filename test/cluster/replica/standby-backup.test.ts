/** A backup of a standby while it runs: everything is in it, and a cluster goes on from it. */
import { join } from 'node:path';
import t from 'tap';
import { backupFolder, restoreBackup } from '../../../persistence/index.ts';
import { JournalReader } from '../../../persistence/journal/reader.ts';
import { verifyFolder } from '../../../persistence/tools/verify.ts';
import { journalOf } from '../../persistence/journal/fixture.ts';
import { order, submitAll, until, WORLD } from '../../persistence/store-fixture.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { MemoryLogs } from './memory-log.ts';
import { TestCluster } from './test-cluster.ts';

/** Commands of a cluster that a restored folder must have. */
const BEFORE = 40;
const AFTER = 20;

function lastSeqOf(folder: string): number {
  const journal = new JournalReader(journalOf(folder));
  try {
    return journal.lastSeq;
  } finally {
    journal.close();
  }
}

t.test(
  'a backup of a running standby has every command, and a cluster goes on from it',
  async (t) => {
    const cluster = new TestCluster(t);
    const core = await cluster.open('core', 'core');
    await cluster.open('standby', 'standby');
    await submitAll(core, WORLD);
    for (let number = 1; number <= BEFORE; number += 1) await core.submit(order(number));
    const seq = core.appliedSeq;
    const standby = cluster.folderOf('standby');
    // A standby's journal is behind the log by some milliseconds.
    await until(() => lastSeqOf(standby) >= seq);
    const file = join(temporaryFolder(t), 'standby.tar');
    const backingUp = backupFolder({ dataDir: standby, file, version: '1.2.3', nowMs: Date.now() });
    for (let number = 1; number <= AFTER; number += 1) await core.submit(order(BEFORE + number));
    const { lastSeq } = await backingUp;
    t.ok(lastSeq >= seq, `the backup has ${lastSeq} of at least ${seq} commands`);

    const [copy, other] = [cluster.folderOf('restored'), join(temporaryFolder(t), 'other')];
    for (const dataDir of [copy, other]) await restoreBackup({ file, dataDir });
    t.strictSame((await verifyFolder({ dataDir: copy })).findings, []);
    const restored = await cluster.open('standby', 'restored');
    await until(() => restored.appliedSeq === core.appliedSeq);
    t.equal(restored.stateHash(), core.stateHash(), 'a new standby of the same cluster');

    const logs = new MemoryLogs();
    const begun = await cluster.open('core', 'other', {
      dataDir: other,
      openLog: logs.open,
      cluster: { beginsLog: true },
    });
    t.equal(begun.appliedSeq, lastSeq, 'and the core of a new one, if etcd lost its log');
  },
);
