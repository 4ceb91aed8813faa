// Two nodes of a cluster have the same commands; verify finds the first one that differs.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { SNAPSHOT_FORMAT } from '../../../engine/index.ts';
import { JournalReader } from '../../../persistence/journal/reader.ts';
import { commandChecksum } from '../../../persistence/journal/schema.ts';
import { SNAPSHOT_VERSION } from '../../../persistence/snapshots/file.ts';
import { storeSnapshot } from '../../../persistence/snapshots/folder.ts';
import { verifyFolder } from '../../../persistence/tools/verify.ts';
import { TestCluster } from '../../cluster/replica/test-cluster.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { keptFolder } from '../kept-folder.ts';
import { counterOrder, order, submitAll, WORLD } from '../store-fixture.ts';
import { forgeOrder, inJournal, type Plant } from './plants.ts';

const cluster = new TestCluster(t);
const core = await cluster.open('core', 'core');
const standby = await cluster.open('standby', 'standby');
await submitAll(core, [...WORLD, order(1), counterOrder(2)]);
await standby.close();
await submitAll(core, [order(3), counterOrder(4)]);
await core.close();
const [ours, replica] = [cluster.folderOf('core'), cluster.folderOf('standby')];

t.test('a node that is behind has the same commands as far as it goes', async (t) => {
  for (const [dataDir, other] of [
    [ours, replica],
    [replica, ours],
  ] as const) {
    const { ok, findings, notes } = await verifyFolder({ dataDir, replica: other });
    t.strictSame([ok, findings], [true, []]);
    t.ok(notes.includes(`${other} has the same commands and balances up to seq 5`), notes.join());
  }
});

/** Spoils a checksum: the last byte of a packed order is part of its evidence. */
function changeLastByte(packed: Buffer): Buffer {
  const changed = Buffer.from(packed);
  changed.writeUInt8(packed.at(-1)! ^ 1, packed.length - 1);
  return changed;
}

/** The generator of CRC-32: whatever it is added to keeps its checksum. */
const GENERATOR = [0x41, 0x06, 0x71, 0xdb, 0x01];

/** Changes the order's id. */
function keepChecksum(packed: Buffer): Buffer {
  const changed = Buffer.from(packed);
  for (const [index, byte] of GENERATOR.entries()) changed[10 + index]! ^= byte;
  return changed;
}

const FAULTS: readonly (readonly [name: string, plant: Plant, sentence: RegExp])[] = [
  ['another command', forgeOrder(5, changeLastByte), /its command 5 is another one/],
  ['another one with the same checksum', forgeOrder(5, keepChecksum), /its command 5 is another/],
  ['a damaged command', inJournal('UPDATE commands SET checksum = 1 WHERE seq = 4'), /command 4/],
  ['other balances', forgeDigest(5), /the balances after its command 5 are other ones/],
  ['a snapshot of other balances', forgeSnapshot(5), /the balances in the snapshot .* digest 7/],
  ['other rules', inJournal('UPDATE rules SET version = 0'), /rules 0 from seq 1 on/],
  ['another log', renameLog, /it follows the log other, and this folder the log/],
  ['a folder of one process', inJournal("DELETE FROM meta WHERE key = 'log_place'"), /log none/],
];

/** What a core with another state would have written. */
function forgeDigest(seq: number): Plant {
  return (folder) => {
    const database = new SqliteDatabase(join(folder, 'journal.db'));
    const [row] = new JournalReader(join(folder, 'journal.db')).commands(seq - 1, seq);
    const checksum = commandChecksum({ ...row!, payload: row!.payload, digest: 7 });
    const update = 'UPDATE commands SET digest = 7, checksum = ? WHERE seq = ?';
    database.prepare(update).run(checksum, seq);
    database.close();
  };
}

function forgeSnapshot(seq: number): Plant {
  return (folder) => {
    const journal = new JournalReader(join(folder, 'journal.db'));
    const [commandChecksum = 0, timeMs] = [journal.checksumAt(seq), 1];
    journal.close();
    const versions = { snapshotVersion: SNAPSHOT_VERSION, imageVersion: SNAPSHOT_FORMAT };
    const head = {
      ...versions,
      seq,
      timeMs,
      commandChecksum,
      digest: 7,
      funding: 'paper',
    } as const;
    storeSnapshot(join(folder, 'snapshots'), head, []);
  };
}

function renameLog(folder: string): void {
  const database = new SqliteDatabase(join(folder, 'journal.db'));
  const sql = "UPDATE meta SET value = json_set(value, '$.logId', 'other') WHERE key = 'log_place'";
  database.prepare(sql).run();
  database.close();
}

for (const [name, plant, sentence] of FAULTS) {
  t.test(`found: ${name}`, async (t) => {
    const folder = join(temporaryFolder(t), 'replica');
    cpSync(replica, folder, { recursive: true });
    plant(folder);
    const { ok, findings } = await verifyFolder({ dataDir: ours, replica: folder });
    t.notOk(ok);
    t.match(findings, [{ kind: 'replica', of: folder, sentence }]);
  });
}

t.test('a folder that is none, and folders of different exchanges', async (t) => {
  const nowhere = join(temporaryFolder(t), 'nowhere');
  const missing = await verifyFolder({ dataDir: ours, replica: nowhere });
  t.match(missing.findings, [{ kind: 'replica', sentence: /journal.db is missing/ }]);
  const alone = await keptFolder();
  const { findings } = await verifyFolder({ dataDir: alone, replica: alone });
  t.match(findings, [{ sentence: /only nodes of one cluster can be compared/ }]);
});
