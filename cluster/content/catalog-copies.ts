/**
 * Copies of the catalog that the core sends to nodes that are new or were away for long.
 *
 * Invariant: a copy is the catalog at one moment, however long it takes and whatever is written
 * meanwhile. Bounds: one copy at a time, which all nodes share; it is removed `keptMs` after the
 * last part was read; `TURN_PAGES` pages are copied in one turn of the event loop.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { openReadonly, StoreError } from '../../persistence/shared/index.ts';
import { RECORD_BOUNDS } from './content-record.ts';
import type { CopyPart, CopyQuestion } from './content-requests.ts';

/** 400 kB take some 0.2 ms. */
const TURN_PAGES = 100;
const KEPT_MS = 60_000;

interface Copy {
  readonly id: string;
  /** The last record that it has. */
  readonly number: number;
  readonly size: number;
  readonly sha256: string;
}

export interface CatalogCopiesOptions {
  readonly catalog: string;
  /** Whether the records after a number are kept, which a node with a copy needs. */
  readonly isKept: (number: number) => Promise<boolean>;
}

export class CatalogCopies {
  readonly #options: CatalogCopiesOptions;
  readonly #path: string;
  #copy: Promise<Copy> | undefined;
  #expiry: NodeJS.Timeout | undefined;

  constructor(options: CatalogCopiesOptions) {
    this.#options = options;
    this.#path = `${options.catalog}.sent`;
  }

  /** Throws StoreError `no_core` if the copy is not kept any more: the node begins again. */
  async read({ id, offset }: CopyQuestion): Promise<CopyPart> {
    clearTimeout(this.#expiry);
    try {
      const copy = id === '' ? await this.#usable() : await this.#copy;
      if (copy === undefined || (id !== '' && id !== copy.id)) {
        throw new StoreError('no_core', 'that copy of the catalog is not kept any more');
      }
      const { size, sha256 } = copy;
      return { id: copy.id, size, sha256, bytes: await this.#bytesAt(offset) };
    } catch (error) {
      if (!(error instanceof StoreError)) this.close();
      throw error;
    } finally {
      clearTimeout(this.#expiry);
      this.#expiry = setTimeout(() => this.close(), KEPT_MS).unref();
    }
  }

  /** Removes the copy. */
  close(): void {
    clearTimeout(this.#expiry);
    this.#copy = undefined;
    rmSync(this.#path, { force: true });
  }

  /** The present copy if a node can still use it, else a new one. */
  async #usable(): Promise<Copy> {
    this.#copy ??= this.#make();
    const copy = await this.#copy;
    if (await this.#options.isKept(copy.number)) return copy;
    this.#copy = this.#make();
    return this.#copy;
  }

  async #make(): Promise<Copy> {
    const database = openReadonly(this.#options.catalog);
    let number: number | undefined;
    try {
      rmSync(this.#path, { force: true });
      // The read transaction: without it, each write to the catalog would begin the copy again.
      database.exec('BEGIN');
      number = database.prepare<[], number>('SELECT number FROM content_state').pluck().get();
      await database.backup(this.#path, { progress: () => TURN_PAGES });
    } finally {
      database.close();
    }
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of createReadStream(this.#path)) {
      const bytes = chunk as Buffer; // safe: the stream has no encoding
      hash.update(bytes);
      size += bytes.length;
    }
    return { id: randomUUID(), number: number ?? 0, size, sha256: hash.digest('hex') };
  }

  async #bytesAt(offset: number): Promise<Buffer> {
    const file = await open(this.#path, 'r');
    try {
      const buffer = Buffer.alloc(RECORD_BOUNDS.copyBytes);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }
}
