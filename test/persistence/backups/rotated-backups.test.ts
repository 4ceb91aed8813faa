/** Backups that rotate: what is kept, what is removed, and when nothing is. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { rotateBackups } from '../../../persistence/backups/rotated-backups.ts';
import { takeLock } from '../../../persistence/folder/data-folder.ts';
import { restoreBackup, verifyFolder } from '../../../persistence/index.ts';
import { readBackupNote } from '../../../persistence/tools/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { makeClosedFolder } from '../journal/fixture.ts';
import { copyFolder, keptFolder } from '../kept-folder.ts';
import { WORLD } from '../store-fixture.ts';

const START_MS = Date.UTC(2026, 5, 3, 1, 2, 3, 4);
const DAY_MS = 86_400_000;

function nameOfDay(day: number): string {
  return `rotated-202606${String(3 + day).padStart(2, '0')}T010203.004Z.tar`;
}

function rotate(dataDir: string, folder: string, options: { day: number; keep: number }) {
  const { day, keep } = options;
  return rotateBackups({ dataDir, folder, keep, version: '0.0.0', nowMs: START_MS + day * DAY_MS });
}

function backupsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => !name.startsWith('lock.'));
}

const good = await keptFolder();
const { seq: lastSeq, stateHash } = await verifyFolder({ dataDir: copyFolder(t, good) });

t.test('each new backup is tried, and then the oldest beyond the bound are removed', async (t) => {
  const dataDir = copyFolder(t, good);
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  const first = await rotate(dataDir, folder, { day: 0, keep: 2 });
  t.match(first, { lastSeq, stateHash, kept: [nameOfDay(0)], removed: [] });
  t.equal(first.file, join(folder, nameOfDay(0)));
  await rotate(dataDir, folder, { day: 1, keep: 2 });
  t.match(await rotate(dataDir, folder, { day: 2, keep: 2 }), {
    kept: [nameOfDay(2), nameOfDay(1)],
    removed: [nameOfDay(0)],
  });
  t.strictSame(backupsIn(folder), ['notes.txt', nameOfDay(1), nameOfDay(2)]);
  t.match(await rotate(dataDir, folder, { day: 3, keep: 1 }), { kept: [nameOfDay(3)] });
  t.strictSame(backupsIn(folder), ['notes.txt', nameOfDay(3)]);
  const copy = join(temporaryFolder(t), 'copy');
  await restoreBackup({ dataDir: copy, file: join(folder, nameOfDay(3)) });
  t.match(await verifyFolder({ dataDir: copy }), { ok: true, seq: lastSeq });
  t.strictSame(readBackupNote(dataDir), { seq: lastSeq, madeMs: START_MS + 3 * DAY_MS });
});

t.test('under a clock that went back the new backup still stays', async (t) => {
  const dataDir = copyFolder(t, good);
  const folder = temporaryFolder(t);
  await rotate(dataDir, folder, { day: 2, keep: 2 });
  await rotate(dataDir, folder, { day: 1, keep: 2 });
  const { kept } = await rotate(dataDir, folder, { day: 0, keep: 2 });
  t.strictSame(kept, [nameOfDay(0), nameOfDay(2)]);
});

t.test(
  'a backup that turns out wrong removes nothing, and the next run starts again',
  async (t) => {
    const dataDir = copyFolder(t, good);
    const folder = temporaryFolder(t);
    await rotate(dataDir, folder, { day: 0, keep: 1 });
    const journal = new SqliteDatabase(join(dataDir, 'journal.db'));
    journal.exec('DELETE FROM fills');
    journal.close();
    await t.rejects(rotate(dataDir, folder, { day: 1, keep: 1 }), {
      name: 'BackupError',
      message: /^the backup was restored and is wrong: .*fill.*\/wrong has the backup/,
    });
    t.strictSame(backupsIn(folder), [nameOfDay(0), 'wrong']);
    t.equal(readBackupNote(dataDir)?.madeMs, START_MS, 'the age of the good one is shown');
    t.strictSame(readdirSync(join(folder, 'wrong')), ['restored', nameOfDay(1)]);
    await rotate(copyFolder(t, good), folder, { day: 2, keep: 1 });
    t.strictSame(backupsIn(folder), [nameOfDay(2)]);
  },
);

t.test('a data folder that ends before the newest backup adds none', async (t) => {
  const folder = temporaryFolder(t);
  await rotate(copyFolder(t, good), folder, { day: 0, keep: 1 });
  const other = await makeClosedFolder(t, WORLD);
  await t.rejects(rotate(other, folder, { day: 1, keep: 1 }), {
    message: new RegExp(`ends at seq [0-9]+, and ${nameOfDay(0)} in .* has ${lastSeq}`),
  });
  t.strictSame(backupsIn(folder), [nameOfDay(0)]);
});

t.test('a damaged file is neither counted nor removed', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, nameOfDay(0)), 'damaged');
  const { kept, removed } = await rotate(copyFolder(t, good), folder, { day: 1, keep: 1 });
  t.strictSame([kept, removed], [[nameOfDay(1)], []]);
  t.strictSame(backupsIn(folder), [nameOfDay(0), nameOfDay(1)]);
});

t.test('one process at a time uses a folder, which must exist', async (t) => {
  const folder = temporaryFolder(t);
  const lock = takeLock(folder);
  await t.rejects(rotate(good, folder, { day: 0, keep: 1 }), {
    message: `another process makes a backup in ${folder}: wait until it has ended`,
  });
  lock?.close();
  const missing = join(folder, 'missing');
  await t.rejects(rotate(good, missing, { day: 0, keep: 1 }), {
    message: `there is no folder ${missing}: make it first`,
  });
});
