/**
 * Copies the databases of a folder that is in use, all as they are at one moment, and files that
 * never change.
 */
import { copyFileSync, linkSync, mkdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { SWAPPED_DATABASES } from '../../persistence/folder/folder-swap.ts';
import { openReadonly, syncPath } from '../../persistence/shared/index.ts';

/**
 * The order in which the databases begin their read transactions. The projection first: it must not
 * show commands that the journal lacks. The catalog last: plans that the journal lacks are carried
 * out by the next start, but a market without its catalog record would lose its texts.
 */
const READ_ORDER = ['analytics.db', 'journal.db', 'catalog.db'] as const;

/** Pages that are copied in one turn of the event loop; 4 MB take a few milliseconds. */
const TURN_PAGES = 1_000;

/**
 * The databases of a folder, each in a read transaction: what they show does not change any more.
 */
export class FrozenDatabases {
  readonly #databases: ReadonlyMap<(typeof SWAPPED_DATABASES)[number], Database>;

  constructor(folder: string) {
    this.#databases = new Map(READ_ORDER.map((name) => [name, openReadonly(join(folder, name))]));
    // One synchronous run, and each transaction begins with its first read.
    for (const database of this.#databases.values()) {
      database.exec('BEGIN; SELECT 1 FROM sqlite_schema');
    }
  }

  get bytes(): number {
    let bytes = 0;
    for (const database of this.#databases.values()) {
      const [pages, size] = ['page_count', 'page_size'].map((name) =>
        Number(database.pragma(name, { simple: true })),
      );
      bytes += (pages ?? 0) * (size ?? 0);
    }
    return bytes;
  }

  async copyTo(folder: string): Promise<void> {
    for (const [name, database] of this.#databases) {
      await database.backup(join(folder, name), { progress: () => TURN_PAGES });
    }
  }

  close(): void {
    for (const database of this.#databases.values()) database.close();
  }
}

/** Makes the names of a folder's parts, and their content, durable. */
export async function syncFiles(paths: readonly string[]): Promise<void> {
  await Promise.all(
    paths.map(async (path) => {
      const file = await open(path);
      await file.sync().finally(() => file.close());
    }),
  );
}

/** Links files that never change; copies those of another file system. */
export function linkFiles(from: string, to: string, names: readonly string[]): void {
  mkdirSync(to, { mode: 0o700 });
  for (const name of names) {
    try {
      linkSync(join(from, name), join(to, name));
    } catch {
      // The file system has no links. Unlike a link, a copy is not on the disk yet.
      copyFileSync(join(from, name), join(to, name));
      syncPath(join(to, name));
    }
  }
}

export function sizeOfFile(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
