/**
 * The catalog of a node of a cluster: passes writes from outside through the log, applies what
 * comes back, and answers the requests of other nodes while this node is the core.
 *
 * Invariant: after `found` the file is changed by records of the log alone, but for figures. Before
 * it, at the first core of a cluster, writes are done at once and no other node gets a copy.
 */
import { randomUUID } from 'node:crypto';
import type { WriteLog, WriterThread } from '../../catalog/host.ts';
import type { CatalogWriteKind, MarketEnds } from '../../catalog/model/index.ts';
import {
  type ContentRecords,
  openContentRecords,
} from '../../persistence/journal/content-records.ts';
import {
  type ContentStamp,
  contentBytes,
  contentText,
  STORE_BOUNDS,
  StoreError,
} from '../../persistence/shared/index.ts';
import { CatalogCopies } from './catalog-copies.ts';
import type { AppliedQuestion, ContentLogKinds } from './content-log.ts';
import { RECORD_BOUNDS } from './content-record.ts';
import { ContentReplica, type MissedRecords } from './content-replica.ts';
import {
  type ContentRequestKind,
  decodeCopyQuestion,
  decodeMissed,
  decodeState,
  encodeCopyPart,
  encodeMissed,
  encodeState,
  type SendRequest,
} from './content-requests.ts';
import { ContentSequence } from './content-sequence.ts';
import { isContentKind } from './write-places.ts';

export interface ClusterCatalogOptions {
  readonly journalPath: string;
  readonly send: SendRequest;
  /** A write that this process does not wait for, as one of another node, was applied. */
  readonly onApplied: (applied: AppliedQuestion) => void;
  /** Records could not be applied or fetched. It is tried again. */
  readonly onBehind: (error: Error) => void;
  /** The catalog can't follow any more: the process must end, and its next start copies it. */
  readonly onLost: (error: StoreError) => void;
}

/** Puts records into the next entries of the log. Resolves when they are committed. */
export type AppendContent = (content: readonly string[]) => Promise<void>;

export class ClusterCatalog implements WriteLog {
  readonly writerThread = new URL('./writer-thread.ts', import.meta.url);
  readonly #options: ClusterCatalogOptions;
  #writer: WriterThread | undefined;
  #copies: CatalogCopies | undefined;
  #journal: ContentRecords | undefined;
  #replica: ContentReplica | undefined;
  #sequence: ContentSequence | undefined;
  #append: AppendContent | undefined;
  /** Settles when this node can append as the core. */
  #leading: Promise<void> | undefined;

  constructor(options: ClusterCatalogOptions) {
    this.#options = options;
  }

  /** Begins to apply what the journal has and the catalog lacks. */
  async open(writer: WriterThread): Promise<void> {
    this.#writer = writer;
    this.#copies = new CatalogCopies({
      catalog: writer.path,
      isKept: async (number) => (await this.#ask('contentSince', number)) !== undefined,
    });
    this.#journal = openContentRecords(this.#options.journalPath);
    const state = await this.#ask('contentState', undefined);
    if (state === undefined) return;
    this.#follow(state);
    this.#replica?.catchUp(this.#journal.last(state.lineage));
  }

  get isFounded(): boolean {
    return this.state !== undefined;
  }

  /** What is applied and on the disk; undefined before `found`. */
  get state(): ContentStamp | undefined {
    return this.#replica?.state;
  }

  write(kind: CatalogWriteKind, question: never): Promise<unknown> {
    const replica = this.#replica;
    if (replica === undefined || !isContentKind(kind)) return this.#thread.ask(kind, question);
    return replica.write(kind, question);
  }

  /** Takes the content of an entry of the log. Call it for each, in the order of the log. */
  receive(content: readonly string[]): void {
    this.#replica?.receive(content.map(contentBytes));
  }

  /** The log has records up to this one, and this node lacks some: fetches them. */
  tell({ lineage, number }: ContentStamp): void {
    if (this.#replica?.state.lineage === lineage) this.#replica.catchUp(number);
  }

  /** Fetches the records that this node missed, if the core has any. */
  async catchUp(): Promise<void> {
    const replica = this.#replica;
    if (replica === undefined) return;
    const missed = await this.#missed(replica.state);
    replica.catchUp(missed.kind === 'records' ? missed.last : replica.state.number + 1);
    await replica.drain();
  }

  /** Resolves when all content that this node has received is applied and on the disk. */
  async drain(): Promise<void> {
    await this.#replica?.drain();
  }

  /** Whether it has, applied or not, every record up to `told`, and those that it heard of. */
  hasAll(told: ContentStamp | undefined): boolean {
    const replica = this.#replica;
    if (replica === undefined || replica.isQueueShort) return false;
    return (
      told === undefined || (told.lineage === replica.state.lineage && replica.has(told.number))
    );
  }

  /** This node is the core: it has received the whole log, and from now on appends to it. */
  async lead(append: AppendContent): Promise<void> {
    this.#leading = this.drain().then(() => {
      this.#append = append;
      this.#startSequence();
    });
    await this.#leading;
  }

  /**
   * The catalog is complete for the first time: from now on its writes go through the log, and
   * other nodes may copy it. Does nothing for a catalog that has a history.
   */
  async found(): Promise<void> {
    if (this.#replica !== undefined) return;
    const lineage = randomUUID();
    await this.#ask('foundContent', lineage);
    this.#follow({ lineage, number: 0 });
    this.#startSequence();
  }

  /** Those of these ends that the catalog does not have. */
  missingEnds(ends: MarketEnds): Promise<MarketEnds> {
    return this.#ask('missingEnds', ends);
  }

  /** Answers a request while this node is the core. Rejects with StoreError. */
  async answer(kind: ContentRequestKind, body: Buffer): Promise<Buffer> {
    await this.#leading;
    const sequence = this.#sequence;
    if (sequence === undefined) {
      throw new StoreError('no_core', 'the catalog of this node is not complete yet');
    }
    switch (kind) {
      case 'content':
        await sequence.take(body);
        return Buffer.alloc(0);
      case 'content_missed':
        return encodeMissed(await this.#recordsAfter(decodeState(body)));
      case 'catalog_copy':
        return encodeCopyPart(await known(this.#copies).read(decodeCopyQuestion(body)));
    }
  }

  async stop(): Promise<void> {
    this.#copies?.close();
    await this.#replica?.stop();
    this.#journal?.close();
  }

  #follow(state: ContentStamp): void {
    const { send, onApplied, onBehind, onLost } = this.#options;
    const thread = this.#thread;
    this.#replica = new ContentReplica({
      state,
      append: async (parts) => {
        for (const part of parts) await send('content', Buffer.from(part));
      },
      journaled: async (after) => this.#journaled(after),
      missed: (after) => this.#missed(after),
      apply: (records) => this.#ask('applyContent', records),
      waitingLimit: STORE_BOUNDS.waitingCatalogWrites,
      errorOf: (failure) => thread.errorOf(failure),
      onApplied,
      onBehind,
      onLost,
    });
  }

  get #thread(): WriterThread {
    return known(this.#writer);
  }

  #ask<Kind extends keyof ContentLogKinds>(
    kind: Kind,
    question: ContentLogKinds[Kind]['ask'],
  ): Promise<ContentLogKinds[Kind]['answer']> {
    // Safe: writer-thread.ts answers each kind with this type.
    return this.#thread.ask(kind, question) as Promise<ContentLogKinds[Kind]['answer']>;
  }

  #startSequence(): void {
    const append = this.#append;
    const replica = this.#replica;
    if (append === undefined || replica === undefined) return;
    const { lineage } = replica.state;
    this.#sequence = new ContentSequence({
      last: { lineage, number: replica.toldNumber },
      append: (records) => append(records.map(contentText)),
    });
  }

  async #missed(state: ContentStamp): Promise<MissedRecords> {
    return decodeMissed(await this.#options.send('content_missed', encodeState(state)));
  }

  async #recordsAfter({ lineage, number }: ContentStamp): Promise<MissedRecords> {
    await this.drain();
    const replica = this.#replica;
    if (replica?.state.lineage !== lineage) return { kind: 'copy' };
    const { toldNumber: last } = replica;
    if (number > last) {
      throw new StoreError(
        'log_differs',
        `the node has ${number} records of the catalog, and its core has ${last}: the core must ` +
          'have lost some. Stop the cluster, and start the node with the most as the core',
      );
    }
    const records = await this.#ask('contentSince', number);
    return records === undefined ? { kind: 'copy' } : { kind: 'records', records, last };
  }

  /** Those that this node's journal has: its catalog need not have applied them. */
  #journaled(after: ContentStamp): Uint8Array[] {
    return this.#journal?.since(after, RECORD_BOUNDS.missedBytes) ?? [];
  }
}

/** What `open` has set. */
function known<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the catalog is not open');
  return value;
}
