/**
 * The secrets of a data folder. Invariant: a master secret that API keys were derived from is never
 * replaced silently, because the journal records its fingerprint.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { notedSecret, putMeta, SECRET_KEY } from '../journal/schema.ts';
import { STORE_PACE, StoreError } from '../shared/index.ts';
import type { DataFolder } from './data-folder.ts';

const SECRET_BYTES = 32;
/** A shorter text can be guessed. */
export const SECRET_CHARACTERS = 16;

/**
 * Identifies the master secret of a journal without revealing it: SHA-256 of 32 random bytes, with
 * a prefix that no key derivation uses.
 */
export function secretFingerprint(secret: Uint8Array): string {
  return createHash('sha256')
    .update('outcome-exchange master secret fingerprint\0')
    .update(secret)
    .digest('hex');
}

/** Returns the master secret, which the first start creates. Throws if keys came from another. */
export function masterSecret(folder: DataFolder, keysExist: boolean): Buffer {
  const secret = folder.secret('master.secret', () => {
    if (keysExist) throw secretLost(folder.path);
    return randomBytes(SECRET_BYTES);
  });
  if (secret.length === SECRET_BYTES) {
    recordSecret(folder, secretFingerprint(secret), keysExist);
    return secret;
  }
  throw new StoreError(
    'secret_malformed',
    `${folder.path}/master.secret has ${secret.length} bytes instead of ${SECRET_BYTES}: put it ` +
      'back from a backup; without it, every API key must be created again',
  );
}

/**
 * Throws if a folder, or its journal, is of another master secret than that of the cluster. Changes
 * nothing, so that a wrong secret is neither kept nor given to a new log.
 */
export function checkMasterSecret(folder: DataFolder, secret: Buffer): void {
  const path = join(folder.path, 'master.secret');
  if (existsSync(path) && !folder.secret('master.secret', () => secret).equals(secret)) {
    throw secretOfOther(path);
  }
  withNotedSecret(folder, (_, noted) => {
    if (noted !== undefined && noted !== secretFingerprint(secret)) {
      throw secretOfOther(folder.journal);
    }
  });
}

/** Keeps the secret, which was checked, in the folder of a node, where a backup finds it. */
export function keepMasterSecret(folder: DataFolder, secret: Buffer): void {
  folder.secret('master.secret', () => secret);
}

/** A secret as text. An empty or short one is refused: a client could guess it. */
export function secretText(folder: DataFolder, name: string, make: () => string): string {
  const text = folder
    .secret(name, () => Buffer.from(`${make()}\n`))
    .toString()
    .trimEnd();
  if (text.length >= SECRET_CHARACTERS) return text;
  throw new StoreError(
    'secret_malformed',
    `${folder.path}/${name} has ${text.length} characters; it must have ${SECRET_CHARACTERS} or ` +
      'more: put it back from a backup, or remove it to have it created again',
  );
}

/**
 * Records the fingerprint in the journal at a start. It is not synced: the next commit syncs it,
 * and if it is lost before that, the next start records it again.
 */
function recordSecret(folder: DataFolder, fingerprint: string, keysExist: boolean): void {
  withNotedSecret(folder, (database, noted) => {
    if (noted === fingerprint) return;
    if (noted !== undefined && keysExist) throw secretReplaced(folder.path);
    putMeta(database, SECRET_KEY, fingerprint);
  });
}

function withNotedSecret(
  { journal }: DataFolder,
  use: (database: Database, noted: string | undefined) => void,
): void {
  const database = new SqliteDatabase(journal, { timeout: STORE_PACE.busyMs });
  try {
    database.pragma('synchronous = NORMAL');
    use(database, notedSecret(database));
  } finally {
    database.close();
  }
}

function secretOfOther(path: string): StoreError {
  return new StoreError(
    'log_refused',
    `${path} is not of the master secret of the cluster: API keys would not be the same at all ` +
      'nodes. Give each node the secret of this folder with --master-secret-file (in hex: od -An ' +
      "-v -tx1 master.secret | tr -d ' \\n'), or start this node with an empty --data folder",
  );
}

function secretReplaced(path: string): StoreError {
  return new StoreError(
    'secret_malformed',
    `${path}/master.secret is not the one that the journal's API keys were derived from, and ` +
      'would refuse every one of them: put back the one of this folder from a backup',
  );
}

function secretLost(path: string): StoreError {
  return new StoreError(
    'secret_malformed',
    `${path}/master.secret is missing, and API keys that were derived from it have been issued: ` +
      'put it back from a backup. A new one would refuse every one of those keys',
  );
}
