/**
 * The main thread's side of the catalog: the thread that writes, those that read, and a connection
 * of its own for looks. Invariant: the file is made and migrated by the writing thread before any
 * other opens it, and closed by it after all others. Bounds: STORE_BOUNDS.waitingCatalogWrites and
 * waitingReads.
 */
import SqliteDatabase from 'better-sqlite3';
import { closeEach, STORE_BOUNDS, StoreError } from '../shared/index.ts';
import { WorkerClient } from '../threads/index.ts';
import { namingCatalog } from './catalog.ts';
import { CATALOG_ERRORS } from './error-codec.ts';
import { type CatalogLook, openCatalogLook } from './look.ts';
import {
  CATALOG_QUESTIONS,
  CATALOG_WRITES,
  type CatalogAnswer,
  type CatalogQuestionKind,
  type CatalogQuestions,
  type CatalogWriteKinds,
  type CatalogWrites,
} from './model/index.ts';
import type { CatalogReads, ExchangeCatalog } from './parts.ts';
import type { CatalogThreadData } from './thread.ts';

type CatalogReadKinds = {
  readonly [Kind in CatalogQuestionKind]: {
    readonly ask: CatalogQuestions[Kind];
    readonly answer: CatalogAnswer<Kind> | undefined;
  };
};

export interface CatalogHostOptions {
  readonly path: string;
  readonly onDown: (name: string, error: Error) => void;
}

export class CatalogHost implements ExchangeCatalog {
  readonly #path: string;
  readonly #writer: WorkerClient<CatalogWriteKinds>;
  readonly #readers: readonly WorkerClient<CatalogReadKinds>[];
  readonly read: CatalogReads;
  readonly write: CatalogWrites;
  #look: CatalogLook | undefined;

  constructor({ path, onDown }: CatalogHostOptions) {
    const data: CatalogThreadData = { path };
    const thread = (name: string, file: string) => ({
      entry: new URL(file, import.meta.url),
      name,
      data,
      onDown: (error: Error) => onDown(name, error),
    });
    this.#path = path;
    this.#writer = new WorkerClient({
      ...thread("the catalog's writing thread", './thread.ts'),
      downCode: 'catalog_unavailable',
      errors: CATALOG_ERRORS,
      waitingLimit: STORE_BOUNDS.waitingCatalogWrites,
    });
    this.#readers = Array.from(
      { length: STORE_BOUNDS.catalogReaders },
      (_, index) =>
        new WorkerClient({
          ...thread(`the catalog's reader ${index + 1}`, './reader-thread.ts'),
          downCode: 'reader_unavailable',
          waitingLimit: STORE_BOUNDS.waitingReads,
        }),
    );
    // Safe, both: the threads answer each kind with what its name says.
    this.write = askers(CATALOG_WRITES, (kind, ask) =>
      this.#writer.ask(kind, ask),
    ) as CatalogWrites;
    this.read = askers(CATALOG_QUESTIONS, (kind, ask) => this.#ask(kind, ask)) as CatalogReads;
  }

  get look(): CatalogLook {
    if (this.#look === undefined) throw new Error('the catalog is not open');
    return this.#look;
  }

  get isWriterUp(): boolean {
    return this.#writer.isUp;
  }

  get areReadersUp(): boolean {
    return this.#readers.every(({ isUp }) => isUp);
  }

  /** Throws StoreError `catalog_damaged`. */
  async start(): Promise<void> {
    await this.#writer.start();
    this.#look = sayingFailures(namingCatalog(this.#path, () => openCatalogLook(this.#path)));
    await Promise.all(this.#readers.map((reader) => reader.start()));
  }

  async stop(): Promise<void> {
    const readers = this.#readers.map((reader) => () => reader.stop());
    await closeEach([...readers, () => this.#look?.close(), () => this.#writer.stop()]);
  }

  /** The reader that has least to do, of those that are there. */
  #ask(kind: CatalogQuestionKind, ask: never): Promise<unknown> {
    const [first, ...others] = this.#readers;
    if (first === undefined) throw new Error('a catalog has a reader');
    let chosen = first;
    for (const reader of others) {
      const isFreer = reader.isUp === chosen.isUp && reader.waitingCount < chosen.waitingCount;
      if (isFreer || (reader.isUp && !chosen.isUp)) chosen = reader;
    }
    return chosen.ask(kind, ask);
  }
}

/** A look whose file or disk fails says so: StoreError `catalog_unavailable`. */
function sayingFailures(look: CatalogLook): CatalogLook {
  return new Proxy(look, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...values: unknown[]): unknown => {
        try {
          return member.apply(target, values);
        } catch (error) {
          if (!(error instanceof SqliteDatabase.SqliteError)) throw error;
          throw new StoreError('catalog_unavailable', `catalog.db: ${error.message}`);
        }
      };
    },
  });
}

/** One function for each kind. */
function askers<Kind extends string>(
  kinds: readonly Kind[],
  ask: (kind: Kind, ask: never) => Promise<unknown>,
): object {
  return Object.fromEntries(kinds.map((kind) => [kind, (question: never) => ask(kind, question)]));
}
