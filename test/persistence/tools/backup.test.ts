/** Backups of live and closed folders, and the refusal of altered ones. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { create, extract } from 'tar';
import { type Command, Engine, stateHash } from '../../../engine/index.ts';
import { backupFolder, compactJournal, restoreBackup } from '../../../persistence/index.ts';
import { JournalReader } from '../../../persistence/journal/reader.ts';
import { replayStep } from '../../../persistence/recovery/recovery.ts';
import { readBackupNote } from '../../../persistence/tools/backup.ts';
import { requireRoom } from '../../../persistence/tools/compaction-limit.ts';
import { verifyFolder } from '../../../persistence/tools/verify.ts';
import { isLong, times } from '../../long-set.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { copyFolder, keptFolder } from '../kept-folder.ts';
import { ALICE, openFollowed, order, submitAll, WORLD } from '../store-fixture.ts';

const good = await keptFolder();

function backUp(dataDir: string, file: string) {
  return backupFolder({ dataDir, file, version: '1.2.3', nowMs: Date.now() });
}

/** The hash of the state after a replay of the journal up to a seq. */
function hashAt(dataDir: string, lastSeq: number): string {
  const engine = new Engine();
  const journal = new JournalReader(join(dataDir, 'journal.db'));
  for (let seq = 0; seq < lastSeq; ) {
    const toSeq = journal.stepEnd(seq, lastSeq);
    replayStep(engine, journal, seq, toSeq);
    seq = toSeq;
  }
  journal.close();
  return stateHash(engine.state());
}

/** In a short run only the last copy is started. */
const COPIES = times(2, 3);

t.test('a backup is noted in the data folder, and no backup has the note', async (t) => {
  const dataDir = copyFolder(t, good);
  t.equal(readBackupNote(dataDir), undefined);
  const file = join(temporaryFolder(t), 'copy.tar');
  const { lastSeq: seq } = await backupFolder({ dataDir, file, version: '1.2.3', nowMs: 77 });
  t.strictSame(readBackupNote(dataDir), { seq, madeMs: 77 });
  const restored = join(temporaryFolder(t), 'data');
  await restoreBackup({ file, dataDir: restored });
  t.equal(readBackupNote(restored), undefined);
  const note = join(dataDir, 'last.backup');
  for (const text of ['', '1', '1 2', '1 2 3\n', 'a b\n']) {
    writeFileSync(note, text);
    t.equal(readBackupNote(dataDir), undefined, JSON.stringify(text));
  }
});

t.test('a backup that can not be noted is kept, and the command fails', async (t) => {
  const dataDir = copyFolder(t, good);
  mkdirSync(join(dataDir, 'last.backup', 'in the way'), { recursive: true });
  const file = join(temporaryFolder(t), 'copy.tar');
  await t.rejects(backUp(dataDir, file), {
    name: 'BackupError',
    message: new RegExp(`^the backup ${file} is complete, but ${dataDir} could not be written`),
  });
  await restoreBackup({ file, dataDir: join(temporaryFolder(t), 'data') });
});

t.test('a copy made under load has the state at its seq', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  const exchange = await openFollowed(t, dataDir);
  const secret = exchange.masterSecret();
  await submitAll(exchange, WORLD);
  let isTrading = true;
  const trading = (async () => {
    for (let number = 1; isTrading; number += 1) {
      const cancel: Command = {
        kind: 'cancel_orders',
        owner: ALICE,
        orderIds: [order(number - 9).orderId],
      };
      await submitAll(exchange, [order(number), cancel]);
    }
  })();
  const file = join(temporaryFolder(t), 'copy.tar');
  const copies: { readonly seq: number; readonly folder: string }[] = [];
  for (let number = 1; number <= COPIES; number += 1) {
    const before = exchange.durableSeq;
    const { lastSeq } = await backUp(dataDir, `${file}-${number}`);
    t.ok(lastSeq >= before, 'the copy has all that was durable before');
    const folder = join(temporaryFolder(t), 'data');
    await restoreBackup({ file: `${file}-${number}`, dataDir: folder });
    copies.push({ seq: lastSeq, folder });
    await exchange.submit(order(1_000_000 + copies.length));
  }
  isTrading = false;
  await trading;
  await exchange.close();
  for (const { seq, folder } of copies) {
    const report = await verifyFolder({ dataDir: folder });
    t.strictSame([report.findings, report.seq], [[], seq]);
    t.equal(report.stateHash, hashAt(dataDir, seq));
    if (seq !== copies.at(-1)?.seq && !isLong) continue;
    const copy = await openFollowed(t, folder);
    t.equal(copy.stateHash(), report.stateHash, 'the copy starts');
    t.strictSame(copy.masterSecret(), secret, 'API keys stay valid');
    t.match((await copy.submit(order(2_000_000))).events, [{ kind: 'order_accepted' }]);
    await copy.close();
  }
});

t.test('a copy of a closed folder with archives is complete, hashed and private', async (t) => {
  const folder = copyFolder(t, good);
  const { archive = '' } = await compactJournal({ dataDir: folder });
  const before = await verifyFolder({ dataDir: folder });
  const file = join(temporaryFolder(t), 'copy.tar');
  const report = await backUp(folder, file);
  t.equal(report.sha256, createHash('sha256').update(readFileSync(file)).digest('hex'));
  t.strictSame([statSync(file).mode & 0o777, statSync(file).size], [0o600, report.bytes]);
  t.strictSame(readdirSync(join(file, '..')), ['copy.tar'], 'nothing is left beside it');
  const restored = join(temporaryFolder(t), 'new', 'data');
  await restoreBackup({ file, dataDir: restored });
  const after = await verifyFolder({ dataDir: restored });
  t.strictSame([after.stateHash, after.findings], [before.stateHash, []]);
  const modeOf = (name: string): number => statSync(join(restored, name)).mode & 0o777;
  t.strictSame(
    ['', 'master.secret', 'admin.token', 'journal.db', join('archive', archive)].map(modeOf),
    [0o700, 0o600, 0o600, 0o600, 0o400],
  );
  for (const name of ['master.secret', 'admin.token']) {
    t.strictSame(readFileSync(join(restored, name)), readFileSync(join(folder, name)));
  }
  t.equal(readFileSync(join(restored, 'durable.seq'), 'utf8'), `${report.lastSeq}\n`);
});

t.test('a backup refuses wrong paths and too little disk space', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'there.tar');
  writeFileSync(file, 'kept');
  await t.rejects(backUp(good, file), { message: /already exists: a backup never overwrites/ });
  t.equal(readFileSync(file, 'utf8'), 'kept');
  await t.rejects(backUp(good, join(folder, 'no', 'copy.tar')), { message: /there is no folder/ });
  await t.rejects(backUp(folder, join(folder, 'copy.tar')), { message: /is not a data folder/ });
  t.throws(() => requireRoom(folder, 1e18), {
    message: /MB free, and this needs 1000000000000 MB/,
  });
  t.strictSame(readdirSync(folder), ['there.tar']);
});

/** Unpacks a backup, changes its files or their order, and packs it again. */
async function changedBackup(
  t: Test,
  change: (parts: string, names: string[]) => string[],
): Promise<string> {
  const parts = join(temporaryFolder(t), 'parts');
  mkdirSync(parts);
  const file = join(temporaryFolder(t), 'copy.tar');
  await backUp(good, `${file}.good`);
  await extract({ file: `${file}.good`, cwd: parts });
  const manifest = readManifest(parts);
  const names = ['backup.json', ...manifest.files.map(({ path }) => path)];
  await create({ file, cwd: parts, preservePaths: true }, change(parts, names));
  return file;
}

interface Manifest {
  readonly files: readonly { readonly path: string }[];
}

// Safe: the program wrote this file.
function readManifest(parts: string): Manifest {
  return JSON.parse(readFileSync(join(parts, 'backup.json'), 'utf8')) as Manifest;
}

function rewriteManifest(change: (text: string) => string) {
  return (parts: string, names: string[]): string[] => {
    const path = join(parts, 'backup.json');
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    return names;
  };
}

type Change = (parts: string, names: string[]) => string[];

const CHANGES: readonly (readonly [name: string, change: Change, message: RegExp])[] = [
  [
    'changed content',
    (parts, names) => {
      const path = join(parts, 'journal.db');
      const bytes = readFileSync(path);
      bytes.writeUInt8(bytes.readUInt8(9_000) ^ 1, 9_000);
      writeFileSync(path, bytes);
      return names;
    },
    /damaged or was changed: its journal.db has SHA-256 .* and its .* says .*Nothing was/,
  ],
  [
    'a changed length',
    (parts, names) => {
      writeFileSync(join(parts, 'admin.token'), 'x');
      return names;
    },
    /its admin.token has 1 bytes instead of 17/,
  ],
  [
    'a missing file',
    (_, names) => names.filter((name) => name !== 'catalog.db'),
    /its catalog.db is missing/,
  ],
  ['no manifest', (_, names) => names.slice(1), /its first entry is not backup.json/],
  [
    'a manifest that is not first',
    (_, names) => names.toReversed(),
    /its first entry is not backup.json/,
  ],
  [
    'the same file twice',
    (_, names) => [...names, 'journal.db'],
    /its entry "journal.db" occurs twice/,
  ],
  [
    'an unknown file',
    (parts, names) => {
      writeFileSync(join(parts, 'lock.db'), 'x');
      return [...names, 'lock.db'];
    },
    /its entry "lock.db" is not a file of a data folder/,
  ],
  [
    'a file outside of the folder',
    (parts, names) => {
      writeFileSync(join(parts, '..', 'outside-of-the-folder'), 'x');
      return [...names, '../outside-of-the-folder'];
    },
    /its entry "..\/outside-of-the-folder" is not a file|cut short, damaged/,
  ],
  [
    'a link',
    (parts, names) => {
      rmSync(join(parts, 'catalog.db'));
      symlinkSync('/etc/passwd', join(parts, 'catalog.db'));
      return names;
    },
    /its entry "catalog.db" is a SymbolicLink/,
  ],
  [
    'a folder',
    (parts, names) => {
      mkdirSync(join(parts, 'more'));
      return [...names, 'more'];
    },
    /its entry "more\/" is a Directory/,
  ],
  [
    'a file that is not listed',
    (parts, names) => {
      const digits = '000000000000007';
      mkdirSync(join(parts, 'snapshots'), { recursive: true });
      writeFileSync(join(parts, 'snapshots', `${digits}.snapshot`), 'x');
      return [...names, `snapshots/${digits}.snapshot`];
    },
    /does not list snapshots\/000000000000007.snapshot/,
  ],
  [
    'a manifest that is not JSON',
    rewriteManifest((text) => text.slice(5)),
    /is malformed: it is not JSON/,
  ],
  [
    'a manifest of a newer format',
    rewriteManifest((text) => text.replace('"format": 1', '"format": 2')),
    /format 2 and this program knows 1/,
  ],
  [
    'a manifest with an unknown path',
    rewriteManifest((text) => text.replace('"journal.db"', '"../journal.db"')),
    /it lists "..\/journal.db", which no/,
  ],
  [
    'a manifest that lists a file twice',
    rewriteManifest((text) => text.replace('"journal.db"', '"admin.token"')),
    /it lists a file twice/,
  ],
  [
    'a malformed hash',
    rewriteManifest((text) => text.replace(/[0-9a-f]{64}/, 'no')),
    /the sha256 of journal.db must be 64 lower-case hex digits/,
  ],
];

for (const [name, change, message] of CHANGES) {
  t.test(`refused: ${name}`, async (t) => {
    const file = await changedBackup(t, change);
    const dataDir = join(temporaryFolder(t), 'data');
    await t.rejects(restoreBackup({ file, dataDir }), { name: 'BackupError', message });
    t.notOk(existsSync(dataDir), 'no folder is left');
  });
}

t.test('a backup that was cut short anywhere is refused', async (t) => {
  const file = join(temporaryFolder(t), 'copy.tar');
  const { bytes } = await backUp(good, file);
  const whole = readFileSync(file);
  for (const length of [bytes - 1_200, bytes >> 1, 700, 300, 1, 0]) {
    writeFileSync(file, whole);
    truncateSync(file, length);
    const dataDir = join(temporaryFolder(t), 'data');
    await t.rejects(restoreBackup({ file, dataDir }), { name: 'BackupError' }, `${length}`);
    t.notOk(existsSync(dataDir));
  }
});

t.test('a restore never changes a folder that is not empty', async (t) => {
  const file = join(temporaryFolder(t), 'copy.tar');
  await backUp(good, file);
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'mine'), 'kept');
  await t.rejects(restoreBackup({ file, dataDir: folder }), { message: /is not empty/ });
  t.strictSame(readdirSync(folder), ['mine']);
  await t.rejects(restoreBackup({ file: `${file}.no`, dataDir: join(folder, 'x') }), {
    message: /there is no file/,
  });
  const empty = temporaryFolder(t);
  await restoreBackup({ file, dataDir: empty });
  t.ok((await verifyFolder({ dataDir: empty })).ok, 'an empty folder is accepted');
});

// An empty folder kept the files that were in place already, without the mark that refuses starts.
t.test('a restore that fails anywhere leaves nothing behind', async (t) => {
  const file = join(temporaryFolder(t), 'copy.tar');
  await backUp(good, file);
  let steps = 0;
  const whole = join(temporaryFolder(t), 'whole');
  await restoreBackup({ file, dataDir: whole, onStep: () => (steps += 1) });
  t.ok(steps > 4);
  for (let last = 1; last <= steps; last += 1) {
    for (const isNew of [false, true]) {
      const dataDir = isNew ? join(temporaryFolder(t), 'data') : temporaryFolder(t);
      let step = 0;
      const onStep = (): void => {
        step += 1;
        if (step === last) throw new Error('the disk failed');
      };
      await t.rejects(restoreBackup({ file, dataDir, onStep }), { message: /the disk failed/ });
      const left = existsSync(dataDir) ? readdirSync(dataDir) : undefined;
      t.strictSame(left, isNew ? undefined : [], `step ${last}`);
    }
  }
});

// A half-restored folder of a backup without commands started as a new exchange: its mark was 0.
t.test('a folder whose restore was interrupted never starts', async (t) => {
  const folder = join(temporaryFolder(t), 'empty');
  await (await openFollowed(t, folder)).close();
  const file = join(temporaryFolder(t), 'copy.tar');
  await backUp(folder, file);
  const whole = join(temporaryFolder(t), 'data');
  const copies: string[] = [];
  const copy = (): void => {
    copies.push(copyFolder(t, whole));
  };
  await restoreBackup({ file, dataDir: whole, onProgress: copy, onStep: copy });
  t.ok(copies.length > 6);
  for (const half of copies) {
    const message = /remove that folder and restore the backup again/;
    await t.rejects(openFollowed(t, half), { code: 'restore_unfinished', message });
  }
  await (await openFollowed(t, whole)).close();
});
