/**
 * The content of a node of a cluster: hands the records of the log to its catalog, copies the
 * core's catalog before a start, and appends to the log while the node is the core.
 *
 * Invariant: a node takes over only if its catalog has all content of the log, because the new core
 * numbers the next records. The journal notes with each place in the log which record is the last
 * one up to there, so a node knows what it lacks, also after a crash.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineMarkets } from '../catalog/engine-markets.ts';
import type { CatalogHost } from '../catalog/host.ts';
import type { DataFolder, NodeCatalog } from '../persistence/index.ts';
import { type ContentStamp, StoreError, toError } from '../persistence/shared/index.ts';
import type { ClusterNode, NodeEvent, NodeState } from './cluster.ts';
import { ClusterCatalog } from './content/cluster-catalog.ts';
import { CONTENT_REQUEST_KINDS } from './content/content-requests.ts';
import { isCompleteCatalog, receiveCatalog } from './content/received-catalog.ts';

/** The pause before a request to the core is repeated. */
const PAUSE_MS = 250;

export interface ContentNode extends ClusterNode {
  appendContent(content: readonly string[]): Promise<void>;
}

export interface NodeContentOptions {
  /** Whether this node may begin a cluster with its catalog, or with a new one. */
  readonly mayBegin: boolean;
  readonly onEvent: (event: NodeEvent) => void;
  readonly fail: (error: Error) => void;
}

export class NodeContent implements NodeCatalog {
  readonly #options: NodeContentOptions;
  #node: ContentNode | undefined;
  #folder: Pick<DataFolder, 'catalog' | 'journal'> | undefined;
  #log: ClusterCatalog | undefined;
  #catalog: Pick<CatalogHost, 'write'> | undefined;
  #markets: EngineMarkets | undefined;
  /** Content that came before the catalog was open. */
  #early: (readonly string[])[] = [];

  constructor(options: NodeContentOptions) {
    this.#options = options;
  }

  /** Call it before the node starts. */
  join(node: ContentNode, folder: Pick<DataFolder, 'catalog' | 'journal'>): void {
    const { onEvent, fail } = this.#options;
    this.#node = node;
    this.#folder = folder;
    this.#log = new ClusterCatalog({
      journalPath: folder.journal,
      send: (kind, body) => node.request(kind, body),
      onApplied: (applied) => onEvent({ kind: 'content_applied', applied }),
      onBehind: (error) => onEvent({ kind: 'catalog_behind', error }),
      onLost: fail,
    });
  }

  get writeLog(): ClusterCatalog {
    if (this.#log === undefined) throw new Error('a node joins before its catalog opens');
    return this.#log;
  }

  /** The last record that the catalog has applied. */
  get applied(): number {
    return this.#log?.state?.number ?? 0;
  }

  /** Whether this node has all content up to `told`, the last record that it heard of. */
  hasAll(told: ContentStamp | undefined): boolean {
    if (this.#catalog !== undefined) return this.writeLog.hasAll(told);
    // At its start a node may claim before it opens its catalog.
    const { catalog, journal } = this.#paths;
    return isCompleteCatalog(catalog, journal, told) ?? this.#options.mayBegin;
  }

  /** Copies the core's catalog if that of this node can't follow it. Resolves when there is one. */
  async prepare(): Promise<void> {
    const node = this.#sender;
    await withCore(async () => {
      // It may lead before or meanwhile, with the catalog that it has.
      if (node.state === 'leading') return;
      await receiveCatalog(this.#paths.catalog, (kind, body) => node.request(kind, body));
    });
  }

  /** The catalog is open. Resolves when it has all content that the core has. */
  async open(catalog: Pick<CatalogHost, 'write'>, markets: EngineMarkets): Promise<void> {
    const node = this.#sender;
    this.#catalog = catalog;
    this.#markets = markets;
    for (const kind of CONTENT_REQUEST_KINDS) {
      node.handle(kind, (body) => this.writeLog.answer(kind, body));
    }
    for (const content of this.#early.splice(0)) this.writeLog.receive(content);
    if (node.state === 'leading') await this.#lead();
    else await this.#catchUp();
  }

  /** Takes the content of an entry of the log: of each, in the order of the log. */
  receive(content: readonly string[]): void {
    if (content.length === 0) return;
    if (this.#catalog === undefined) this.#early.push(content);
    else this.writeLog.receive(content);
  }

  /**
   * The log has records up to this one in entries whose commands came from the core's journal. A
   * catalog that is not open yet hears of it from this node's journal and the core.
   */
  tell(last: ContentStamp): void {
    if (this.#catalog !== undefined) this.writeLog.tell(last);
  }

  noteState(state: NodeState): void {
    if (this.#catalog === undefined) return;
    if (state === 'following') {
      this.#catchUp().catch((error: unknown) => this.#fail(error));
    } else if (state === 'leading') {
      this.#lead().catch((error: unknown) => this.#fail(error));
    }
  }

  /** A node that stops leaves what it was doing. */
  #fail(error: unknown): void {
    if (error instanceof StoreError && error.code === 'stopping') return;
    this.#options.fail(toError(error));
  }

  get #sender(): ContentNode {
    if (this.#node === undefined) throw new StoreError('no_core', 'the node is starting');
    return this.#node;
  }

  get #paths(): Pick<DataFolder, 'catalog' | 'journal'> {
    if (this.#folder === undefined) throw new Error('a node joins before its catalog opens');
    return this.#folder;
  }

  /** Ends without effect if the node leads meanwhile. */
  async #catchUp(): Promise<void> {
    await withCore(async () => {
      if (this.#sender.state !== 'leading') await this.writeLog.catchUp();
    });
  }

  async #lead(): Promise<void> {
    const log = this.writeLog;
    await log.lead(async (content) => {
      // One after the other, so that each entry has room.
      await Promise.all(content.map((record) => this.#sender.appendContent([record])));
    });
    const { markEnded } = this.#catalog!.write;
    await this.#markets?.lead({ markEnded, missingEnds: (ends) => log.missingEnds(ends) });
  }
}

/** Repeats a request to the core until there is one, or the node stops. */
async function withCore<Result>(request: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'no_core')) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
