/** The journal records which master secret its API keys were derived from. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { DataFolder } from '../../../persistence/folder/data-folder.ts';
import {
  checkMasterSecret,
  keepMasterSecret,
  masterSecret,
  secretText,
} from '../../../persistence/folder/secrets.ts';
import { backupFolder } from '../../../persistence/tools/backup.ts';
import { restoreBackup } from '../../../persistence/tools/restore.ts';
import { verifyFolder } from '../../../persistence/tools/verify.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';
import { makeClosedFolder } from '../journal/fixture.ts';
import { openFor, WORLD } from '../store-fixture.ts';

const KEY = {
  kind: 'issue_api_key',
  owner: `0x${'5'.repeat(40)}`,
  nonce: '0',
  apiKey: '00000000-0000-4000-8000-000000000001',
  purpose: 'trading',
} as const;

function fingerprintIn(dataDir: string): unknown {
  const database = new SqliteDatabase(join(dataDir, 'journal.db'), { readonly: true });
  const noted = database
    .prepare("SELECT value FROM meta WHERE key = 'master_secret_fingerprint'")
    .pluck()
    .get();
  database.close();
  return noted;
}

/** Reads or makes the secret, as a start does; `keysExist`: whether the journal has API keys. */
function masterSecretOf(dataDir: string, keysExist: boolean): Buffer {
  const folder = new DataFolder({ dataDir, temporary: false });
  try {
    return masterSecret(folder, keysExist);
  } finally {
    folder.release();
  }
}

function replaceSecret(dataDir: string): Buffer {
  const other = randomBytes(32);
  writeFileSync(join(dataDir, 'master.secret'), other);
  return other;
}

/** A closed folder in which an API key was issued, and its secret. */
function folderWithKey(scope: Scope) {
  const dataDir = makeClosedFolder(scope, [KEY]);
  return { dataDir, secret: masterSecretOf(dataDir, false) };
}

const isOther = /is not the one that the journal's API keys were derived from/;

t.test('another master secret is refused, and the right one is accepted', async (t) => {
  const { dataDir, secret } = folderWithKey(t);
  const other = replaceSecret(dataDir);
  t.throws(() => masterSecretOf(dataDir, true), { code: 'secret_malformed', message: isOther });
  t.same(readFileSync(join(dataDir, 'master.secret')), other, 'the file is not changed');
  const { ok, findings } = await verifyFolder({ dataDir });
  t.notOk(ok);
  t.match(findings, [{ kind: 'secrets', of: 'master.secret', sentence: isOther }]);
  writeFileSync(join(dataDir, 'master.secret'), secret);
  t.same(masterSecretOf(dataDir, true), secret);
  t.ok((await verifyFolder({ dataDir })).ok);
});

t.test('a master secret may be replaced before any API key is issued', async (t) => {
  const dataDir = makeClosedFolder(t, WORLD);
  masterSecretOf(dataDir, false);
  const before = fingerprintIn(dataDir);
  const other = replaceSecret(dataDir);
  t.ok((await verifyFolder({ dataDir })).ok);
  t.same(masterSecretOf(dataDir, false), other);
  t.not(fingerprintIn(dataDir), before);
});

t.test('a lost master secret is refused if API keys were derived from it', async (t) => {
  const { dataDir } = folderWithKey(t);
  rmSync(join(dataDir, 'master.secret'));
  const lost = { code: 'secret_malformed', message: /is missing/ };
  t.throws(() => masterSecretOf(dataDir, true), lost);
  const exchange = await openFor(t, dataDir);
  t.throws(() => exchange.masterSecret(), lost);
});

t.test('only their user can read secrets; they are made once and never replaced', async (t) => {
  const dataDir = join(temporaryFolder(t), 'new', 'folder');
  const exchange = await openFor(t, dataDir);
  const secret = exchange.masterSecret();
  const token = join(dataDir, 'admin.token');

  await t.test('they are made once', async (t) => {
    t.equal(secret.length, 32);
    t.same(exchange.masterSecret(), secret);
    const first = exchange.secretFile('admin.token', () => 'the first of them');
    t.equal(first, 'the first of them');
    const modes = [dataDir, join(dataDir, 'master.secret'), token].map(
      (path) => statSync(path).mode & 0o777,
    );
    t.same(modes, [0o700, 0o600, 0o600]);
    t.notSame(masterSecretOf(makeClosedFolder(t, WORLD), false), secret, 'another folder');
  });

  await t.test('an empty or short secret is refused, not replaced', async (t) => {
    const stored = readFileSync(token);
    // A short one was accepted once.
    for (const content of ['', '\n', ' \r\n', 'x', '15 characters :)\n'.slice(1)]) {
      writeFileSync(token, content);
      t.throws(() => exchange.secretFile('admin.token', () => 'made'), {
        code: 'secret_malformed',
        message: /admin\.token has \d+ characters; it must have 16 or more: .*or remove it/,
      });
      t.equal(readFileSync(token, 'utf8'), content);
    }
    writeFileSync(token, stored);
  });

  await t.test('a master secret of the wrong length is refused, not replaced', async (t) => {
    const path = join(dataDir, 'master.secret');
    writeFileSync(path, 'short\n');
    t.throws(() => exchange.masterSecret(), { code: 'secret_malformed' });
    t.equal(readFileSync(path, 'utf8'), 'short\n');
    writeFileSync(path, secret);
  });

  await t.test('they stay after a restart', async (t) => {
    await exchange.close();
    t.same(masterSecretOf(dataDir, false), secret);
    const folder = new DataFolder({ dataDir, temporary: false });
    t.equal(
      secretText(folder, 'admin.token', () => 'second'),
      'the first of them',
    );
    folder.release();
  });
});

t.test('a journal without a fingerprint gets it at its next start', async (t) => {
  const { dataDir, secret } = folderWithKey(t);
  const noted = fingerprintIn(dataDir);
  const database = new SqliteDatabase(join(dataDir, 'journal.db'));
  database.exec("DELETE FROM meta WHERE key = 'master_secret_fingerprint'");
  database.close();
  t.ok((await verifyFolder({ dataDir })).ok);
  masterSecretOf(dataDir, true);
  t.equal(fingerprintIn(dataDir), noted);
  t.match(noted, /^[0-9a-f]{64}$/);
  t.notMatch(noted, secret.toString('hex'));
});

t.test('a restore reports the journal and refuses the secret of another one', async (t) => {
  const { dataDir } = folderWithKey(t);
  const file = join(temporaryFolder(t), 'copy.tar');
  const options = { dataDir, version: '1.0.0', nowMs: 1 };
  const { lastSeq, lastTimeMs } = await backupFolder({ ...options, file });
  const copy = join(temporaryFolder(t), 'copy');
  t.match(await restoreBackup({ file, dataDir: copy }), { lastSeq, lastTimeMs });
  replaceSecret(dataDir);
  await backupFolder({ ...options, file: `${file}.2` });
  const second = join(temporaryFolder(t), 'second');
  await t.rejects(restoreBackup({ file: `${file}.2`, dataDir: second }), {
    name: 'BackupError',
    message: /has a master.secret that does not belong to its journal/,
  });
  t.notOk(existsSync(second));
});

t.test('the folder of a node has the master secret of its cluster, and no other', async (t) => {
  const dataDir = makeClosedFolder(t, []);
  const secret = randomBytes(32);
  const folder = new DataFolder({ dataDir, temporary: false });
  t.teardown(() => folder.release());
  checkMasterSecret(folder, randomBytes(32));
  t.notOk(existsSync(join(dataDir, 'master.secret')), 'a check changes nothing');
  checkMasterSecret(folder, secret);
  keepMasterSecret(folder, secret);
  keepMasterSecret(folder, secret);
  t.same(masterSecret(folder, true), secret);
  checkMasterSecret(folder, secret);
  const isOfOther = {
    code: 'log_refused',
    message: /master.secret is not of the master secret of/,
  };
  t.throws(() => checkMasterSecret(folder, randomBytes(32)), isOfOther);
  t.same(readFileSync(join(dataDir, 'master.secret')), secret, 'the file is not changed');
  rmSync(join(dataDir, 'master.secret'));
  const isNoted = { code: 'log_refused', message: /journal.db is not of the master secret of the/ };
  t.throws(() => checkMasterSecret(folder, randomBytes(32)), isNoted);
  checkMasterSecret(folder, secret);
});
