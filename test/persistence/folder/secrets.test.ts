/** A journal and the master secret that its API keys hang on: what belongs together is noted. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t, { type Test } from 'tap';
import { backupFolder } from '../../../persistence/tools/backup.ts';
import { restoreBackup } from '../../../persistence/tools/restore.ts';
import { verifyFolder } from '../../../persistence/tools/verify.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openFor } from '../store-fixture.ts';

const KEY = {
  kind: 'issue_api_key',
  owner: `0x${'5'.repeat(40)}`,
  nonce: '0',
  apiKey: '00000000-0000-4000-8000-000000000001',
} as const;

function notedIn(dataDir: string): unknown {
  const database = new SqliteDatabase(join(dataDir, 'journal.db'), { readonly: true });
  const noted = database
    .prepare("SELECT value FROM meta WHERE key = 'master_secret_fingerprint'")
    .pluck()
    .get();
  database.close();
  return noted;
}

/** A start, as the program makes it. */
async function startOnce(t: Test, dataDir: string, issuesKey = false): Promise<Buffer> {
  const exchange = await openFor(t, dataDir);
  try {
    const secret = exchange.masterSecret();
    if (issuesKey) await exchange.submit(KEY);
    return secret;
  } finally {
    await exchange.close();
  }
}

function replaceSecret(dataDir: string): Buffer {
  const other = randomBytes(32);
  writeFileSync(join(dataDir, 'master.secret'), other);
  return other;
}

const isOther = /is not the one that the journal's API keys were derived from/;

t.test('another master secret is refused, and the right one is taken again', async (t) => {
  const dataDir = temporaryFolder(t);
  const secret = await startOnce(t, dataDir, true);
  const other = replaceSecret(dataDir);
  await t.rejects(startOnce(t, dataDir), { code: 'secret_malformed', message: isOther });
  t.same(readFileSync(join(dataDir, 'master.secret')), other, 'it is left as it is');
  const { ok, findings } = await verifyFolder({ dataDir });
  t.notOk(ok);
  t.match(findings, [{ kind: 'secrets', of: 'master.secret', sentence: isOther }]);
  writeFileSync(join(dataDir, 'master.secret'), secret);
  t.same(await startOnce(t, dataDir), secret);
  t.ok((await verifyFolder({ dataDir })).ok);
});

t.test('before any key hangs on it, a secret may be another', async (t) => {
  const dataDir = temporaryFolder(t);
  await startOnce(t, dataDir);
  const before = notedIn(dataDir);
  const other = replaceSecret(dataDir);
  t.ok((await verifyFolder({ dataDir })).ok);
  t.same(await startOnce(t, dataDir, true), other);
  t.not(notedIn(dataDir), before);
  rmSync(join(dataDir, 'master.secret'));
  await t.rejects(startOnce(t, dataDir), { code: 'secret_malformed', message: /is missing/ });
});

t.test('a journal of before it was noted gets the note at its next start', async (t) => {
  const dataDir = temporaryFolder(t);
  const secret = await startOnce(t, dataDir, true);
  const noted = notedIn(dataDir);
  const database = new SqliteDatabase(join(dataDir, 'journal.db'));
  database.exec("DELETE FROM meta WHERE key = 'master_secret_fingerprint'");
  database.close();
  t.ok((await verifyFolder({ dataDir })).ok);
  await startOnce(t, dataDir);
  t.equal(notedIn(dataDir), noted);
  t.match(noted, /^[0-9a-f]{64}$/);
  t.notMatch(noted, secret.toString('hex'));
});

t.test('a restore says what the journal says, and refuses the secret of another', async (t) => {
  const dataDir = temporaryFolder(t);
  await startOnce(t, dataDir, true);
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
    message: /has another master.secret than the one that its journal notes/,
  });
  t.notOk(existsSync(second));
});
