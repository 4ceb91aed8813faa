/** A folder of backups: what is made, listed, removed and left behind. */
import { mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type BackupResult, KeptBackups } from '../../../persistence/backups/kept-backups.ts';
import { restoreBackup, verifyFolder } from '../../../persistence/index.ts';
import { STORE_BOUNDS } from '../../../persistence/shared/index.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';
import { copyFolder, keptFolder } from '../kept-folder.ts';

const START_MS = Date.UTC(2026, 5, 3, 1, 2, 3, 4);
const FIRST = 'backup-20260603T010203.004Z.tar';

/** The backups of a copy of a data folder, and a promise of how the next one ends. */
function open(t: Scope, dataDir: string, folder?: string) {
  let nowMs = START_MS;
  const { promise: next, resolve: onEnd } = Promise.withResolvers<BackupResult>();
  const backups = new KeptBackups({ dataDir, folder, now: () => nowMs++, onEnd });
  t.teardown(() => backups.close());
  return { backups, next };
}

const good = await keptFolder();
const { seq: lastSeq } = await verifyFolder({ dataDir: copyFolder(t, good) });

t.test('a backup is listed when it is whole, and can be restored', async (t) => {
  const dataDir = copyFolder(t, good);
  const { backups, next } = open(t, dataDir);
  t.equal(backups.folder, join(dataDir, 'backups'));
  t.strictSame([backups.list(), backups.running, backups.last], [[], undefined, undefined]);
  t.strictSame(backups.start(), { name: FIRST, startedMs: START_MS, bytes: 0 });
  t.match(backups.running, { name: FIRST });
  t.strictSame(backups.list(), []);
  t.throws(() => backups.start(), { code: 'backup_busy' });
  const result = await next;
  t.match(result, { name: FIRST, error: '', report: { lastSeq, sha256: /^[0-9a-f]{64}$/ } });
  t.strictSame([backups.running, backups.last], [undefined, result]);
  t.match(backups.list(), [{ name: FIRST, seq: lastSeq, bytes: result.report?.bytes }]);
  t.strictSame(readdirSync(backups.folder), [FIRST], 'nothing is left behind');
  const copy = join(temporaryFolder(t), 'copy');
  await restoreBackup({ dataDir: copy, file: join(backups.folder, FIRST) });
  t.match(await verifyFolder({ dataDir: copy }), { ok: true, seq: lastSeq });
});

t.test('earlier backups do not count in the room that the next one needs', async (t) => {
  const folder = copyFolder(t, good);
  const { backups, next } = open(t, folder);
  mkdirSync(backups.folder, { recursive: true });
  // It takes no room on the disk.
  writeFileSync(join(backups.folder, 'large'), '');
  truncateSync(join(backups.folder, 'large'), 2 ** 42);
  backups.start();
  t.match(await next, { error: '' });
});

t.test('a failure says why and leaves nothing, and the next backup may work', async (t) => {
  const missing = join(temporaryFolder(t), 'missing');
  const { backups, next } = open(t, copyFolder(t, good), missing);
  backups.start();
  const failed = await next;
  t.match(failed, {
    name: FIRST,
    error: `there is no folder ${missing}: make it first`,
    report: undefined,
  });
  t.strictSame([backups.running, backups.last, backups.list()], [undefined, failed, []]);
  mkdirSync(missing);
  t.match(backups.start(), { name: FIRST.replace('004', '006') });
});

t.test('a stop ends a backup, and a start removes what a crash left', async (t) => {
  const folder = copyFolder(t, good);
  const { backups, next } = open(t, folder);
  backups.start();
  await backups.close();
  t.match(await next, { error: 'it was ended by SIGKILL', report: undefined });
  t.strictSame(readdirSync(backups.folder), []);
  const left = [`${FIRST}.new`, `${FIRST}.parts-Xy12ab`];
  mkdirSync(join(backups.folder, left[1] ?? ''));
  writeFileSync(join(backups.folder, left[0] ?? ''), '');
  writeFileSync(join(backups.folder, 'notes.new'), 'mine');
  open(t, folder);
  t.strictSame(readdirSync(backups.folder), ['notes.new']);
});

t.test('a folder that is none is refused at the start, by its name', (t) => {
  const folder = join(temporaryFolder(t), 'file');
  writeFileSync(folder, '');
  t.throws(() => open(t, good, folder), {
    message:
      `the folder of backups ${folder} can't be read (ENOTDIR: not a directory, scandir ` +
      `'${folder}'): make it a folder that this user may read, or name another one with ` +
      '--backup-dir',
  });
  t.end();
});

t.test('files that are no backups are neither listed nor removed', async (t) => {
  const folder = temporaryFolder(t);
  const { backups } = open(t, good, folder);
  const files = {
    'notes.txt': 'mine',
    'backup-20260603T010203.004Z.tar': 'damaged',
    'backup-20260603T010203.005Z.tar': '',
    'backup-20260603T010203.006Z.tar': Buffer.alloc(10_240),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  mkdirSync(join(folder, 'backup-20260603T010203.007Z.tar'));
  symlinkSync(join(folder, 'gone'), join(folder, 'backup-20260603T010203.008Z.tar'));
  t.strictSame(backups.list(), []);
  const unknown = [...readdirSync(folder), '..', '../journal.db', '', 'x'.repeat(5_000)];
  for (const name of unknown) {
    t.throws(() => backups.remove(name), { code: 'backup_unknown' }, name.slice(0, 40));
  }
  t.strictSame(readdirSync(folder).length, 6);
});

t.test('the number of backups is bounded, and none is removed by itself', async (t) => {
  const folder = temporaryFolder(t);
  const { backups } = open(t, good, folder);
  const { keptBackups } = STORE_BOUNDS;
  for (let number = 0; number < keptBackups; number += 1) {
    writeFileSync(join(folder, `backup-20260603T0102${10 + number}.000Z.tar`), 'damaged');
  }
  t.throws(() => backups.start(), {
    code: 'backup_limit',
    details: { limit: keptBackups, actual: keptBackups + 1 },
  });
  t.equal(readdirSync(folder).length, keptBackups);
});
