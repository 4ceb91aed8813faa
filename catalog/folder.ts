/**
 * The catalog of a data folder without a running exchange, for the commands that import into it.
 *
 * Invariant: the process owns the folder until `close`. A folder with a journal but without a
 * catalog is refused, because records that contradict the engine could not be recognised.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { DataFolder } from '../persistence/folder/data-folder.ts';
import { StoreError } from '../persistence/shared/index.ts';
import { type Catalog, openCatalog } from './catalog.ts';
import type { IncomingRecord } from './intake/tally.ts';
import { type IntakePage, type PageReport, RECORD_KINDS, type RecordKind } from './model/index.ts';
import { RecordSplitter, SplitFault, type SplitRecord } from './records/record-splitter.ts';

const FILE_BOUNDS = {
  bytes: 16 * 1024 ** 3,
  recordBytes: 16 * 1024 ** 2,
  depth: 64,
  records: 1_000_000,
} as const;

const CHUNK_BYTES = 1024 ** 2;

export interface FileProgress {
  readonly what: string;
  readonly done: number;
  readonly total: number;
}

export interface CatalogFileImport {
  readonly dataDir: string;
  readonly file: string;
  readonly onProgress: (progress: FileProgress) => void;
}

export class CatalogFolder {
  readonly #folder: DataFolder;
  readonly #catalog: Catalog;

  /** Throws StoreError `folder_locked`, `catalog_damaged` or `catalog_missing`. */
  constructor(dataDir: string) {
    this.#folder = new DataFolder({ dataDir, temporary: false });
    try {
      const { journal, catalog } = this.#folder;
      if (existsSync(journal) && !existsSync(catalog)) {
        throw new StoreError(
          'catalog_missing',
          `${catalog} is missing, but the folder has a journal: put it back from a ` +
            'backup; or start the exchange once with --replace-lost-catalog, which adds its ' +
            'markets to a new catalog, stop it, and run this command again',
        );
      }
      this.#catalog = openCatalog(catalog);
      this.#catalog.leaveHistory();
    } catch (error) {
      this.#folder.release();
      throw error;
    }
  }

  mark(source: string, kind: RecordKind): string | undefined {
    return this.#catalog.intake.mark(source, kind);
  }

  putPage(page: IntakePage): PageReport {
    return this.#catalog.intake.putPage(page);
  }

  /**
   * Stores all records of a file, or none if one is refused. Throws StoreError `file_malformed`.
   */
  putFile(file: string, onProgress: CatalogFileImport['onProgress']): PageReport {
    return this.#catalog.intake.putFile(recordsOf(file, onProgress));
  }

  close(): void {
    this.#catalog.close();
    this.#folder.release();
  }
}

export function importFile({ dataDir, file, onProgress }: CatalogFileImport): PageReport {
  // Opened before the folder, so that a wrong file name creates no folder.
  closeSync(openFile(file));
  const folder = new CatalogFolder(dataDir);
  try {
    return folder.putFile(file, onProgress);
  } finally {
    folder.close();
  }
}

function openFile(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw malformed(file, `it can't be read: ${reason}`);
  }
}

function* recordsOf(file: string, onProgress: CatalogFileImport['onProgress']) {
  const descriptor = openFile(file);
  try {
    const { size: total } = fstatSync(descriptor);
    if (total > FILE_BOUNDS.bytes) {
      throw malformed(file, `it has ${total} bytes, and may have ${FILE_BOUNDS.bytes}`);
    }
    const splitter = new RecordSplitter(FILE_BOUNDS, RECORD_KINDS);
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let place = 0;
    const parse = function* (records: Iterable<SplitRecord>) {
      for (const record of records) {
        place += 1;
        if (place > FILE_BOUNDS.records) {
          throw malformed(file, `it has more than ${FILE_BOUNDS.records} records`);
        }
        yield parseRecord({ ...record, file, place });
      }
    };
    for (let done = 0; ; ) {
      const bytes = readSync(descriptor, chunk, 0, CHUNK_BYTES, null);
      if (bytes === 0) break;
      done += bytes;
      yield* parse(splitter.push(chunk.subarray(0, bytes)));
      onProgress({ what: 'bytes read', done, total });
    }
    yield* parse(splitter.end());
  } catch (error) {
    if (!(error instanceof SplitFault)) throw error;
    throw malformed(file, `at byte ${error.offset}: ${error.message}`);
  } finally {
    closeSync(descriptor);
  }
}

interface FileRecord extends SplitRecord {
  readonly file: string;
  /** Counted from 1. */
  readonly place: number;
}

function parseRecord({ file, list, bytes, offset, place }: FileRecord): IncomingRecord {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const kind = RECORD_KINDS.find((one) => one === list) ?? kindOf(value);
    return { kind, value, place };
  } catch {
    throw malformed(file, `record ${place}, at byte ${offset}, is broken JSON`);
  }
}

/** Only markets have a condition id. */
function kindOf(value: unknown): RecordKind {
  return typeof value === 'object' && value !== null && 'conditionId' in value
    ? 'markets'
    : 'events';
}

function malformed(file: string, why: string): StoreError {
  return new StoreError('file_malformed', `nothing of ${file} is imported: ${why}`);
}
