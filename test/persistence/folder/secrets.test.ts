/** The journal records which master secret its API keys were derived from. */
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

function fingerprintIn(dataDir: string): unknown {
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

/** A closed folder in which an API key was issued, and its secret. Tests get copies. */
let issued: { readonly dataDir: string; readonly secret: Buffer } | undefined;

async function folderWithKey(scope: Test) {
  if (issued === undefined) {
    const dataDir = temporaryFolder(t);
    issued = { dataDir, secret: await startOnce(t as Test, dataDir, true) };
  }
  const dataDir = temporaryFolder(scope);
  cpSync(issued.dataDir, dataDir, { recursive: true });
  return { dataDir, secret: issued.secret };
}

const isOther = /is not the one that the journal's API keys were derived from/;

t.test('another master secret is refused, and the right one is accepted', async (t) => {
  const { dataDir, secret } = await folderWithKey(t);
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

t.test('a master secret may be replaced before any API key is issued', async (t) => {
  const dataDir = temporaryFolder(t);
  await startOnce(t, dataDir);
  const before = fingerprintIn(dataDir);
  const other = replaceSecret(dataDir);
  t.ok((await verifyFolder({ dataDir })).ok);
  t.same(await startOnce(t, dataDir, true), other);
  t.not(fingerprintIn(dataDir), before);
  rmSync(join(dataDir, 'master.secret'));
  await t.rejects(startOnce(t, dataDir), { code: 'secret_malformed', message: /is missing/ });
});

t.test('a journal without a fingerprint gets it at its next start', async (t) => {
  const { dataDir, secret } = await folderWithKey(t);
  const noted = fingerprintIn(dataDir);
  const database = new SqliteDatabase(join(dataDir, 'journal.db'));
  database.exec("DELETE FROM meta WHERE key = 'master_secret_fingerprint'");
  database.close();
  t.ok((await verifyFolder({ dataDir })).ok);
  await startOnce(t, dataDir);
  t.equal(fingerprintIn(dataDir), noted);
  t.match(noted, /^[0-9a-f]{64}$/);
  t.notMatch(noted, secret.toString('hex'));
});

t.test('a restore reports the journal and refuses the secret of another one', async (t) => {
  const { dataDir } = await folderWithKey(t);
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
