/**
 * The catalog of a node before it opens it: whether it can follow the core with the file that it
 * has, and if not, a copy of the core's. Invariant: the file is replaced only by a whole copy whose
 * hash is right, and a crash leaves either no file, which is copied again, or a whole one.
 */
import { createHash } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { openContentRecords } from '../../persistence/journal/content-records.ts';
import {
  type ContentStamp,
  readDatabase,
  StoreError,
  syncPath,
} from '../../persistence/shared/index.ts';
import {
  type CopyPart,
  decodeCopyPart,
  decodeMissed,
  encodeCopyQuestion,
  encodeState,
  type SendRequest,
} from './content-requests.ts';

const STATE = 'SELECT lineage, number FROM content_state';

/**
 * Copies the core's catalog to `path`, unless the file there can follow it. Call it before the
 * catalog is opened. Returns the bytes that were copied, or undefined. Rejects as `send` does.
 */
export async function receiveCatalog(path: string, send: SendRequest): Promise<number | undefined> {
  const state = existsSync(path) ? stateIn(path) : undefined;
  const missed = decodeMissed(await send('content_missed', encodeState(state)));
  if (missed.kind === 'records') return undefined;
  const received = `${path}.received`;
  const bytes = await receive(received, send);
  // The write-ahead log belongs to the old file, and must not be applied to another one.
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  renameSync(received, path);
  syncPath(dirname(path));
  return bytes;
}

/**
 * Whether the node of this catalog may lead: it has all content up to `told`, and all that its
 * journal has heard of. undefined if the catalog belongs to no cluster yet: then only a node may
 * lead that begins one.
 */
export function isCompleteCatalog(
  path: string,
  journalPath: string,
  told: ContentStamp | undefined,
): boolean | undefined {
  const state = existsSync(path) ? stateIn(path) : undefined;
  if (state === undefined) return undefined;
  const journal = openContentRecords(journalPath);
  try {
    return journal.hasAllAfter(state, told);
  } finally {
    journal.close();
  }
}

/** Where the catalog in a file is; undefined if it belongs to no history, or can't be read. */
function stateIn(path: string): ContentStamp | undefined {
  try {
    return readDatabase(path, (database) => database.prepare<[], ContentStamp>(STATE).get());
  } catch (error) {
    // Its program was older, or the file is damaged: the core's copy replaces it.
    if (error instanceof SqliteDatabase.SqliteError) return undefined;
    throw error;
  }
}

async function receive(path: string, send: SendRequest): Promise<number> {
  rmSync(path, { force: true });
  const file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let offset = 0;
  let part: CopyPart | undefined;
  try {
    do {
      const question = { id: part?.id ?? '', offset };
      part = decodeCopyPart(await send('catalog_copy', encodeCopyQuestion(question)));
      hash.update(part.bytes);
      await file.writeFile(part.bytes);
      offset += part.bytes.length;
    } while (offset < part.size && part.bytes.length > 0);
    await file.sync();
  } finally {
    await file.close();
  }
  if (offset === part.size && hash.digest('hex') === part.sha256) return offset;
  throw new StoreError('catalog_damaged', "the copy of the core's catalog was altered on its way");
}
