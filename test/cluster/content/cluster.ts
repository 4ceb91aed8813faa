// A cluster of catalogs without the rest: a log in memory that hands its entries to each node.

import type { Test } from 'tap';
import { CatalogHost } from '../../../catalog/host.ts';
import { ClusterCatalog } from '../../../cluster/content/cluster-catalog.ts';
import type { AppliedQuestion } from '../../../cluster/content/content-log.ts';
import { receiveCatalog } from '../../../cluster/content/received-catalog.ts';
import { ContentInserter } from '../../../persistence/journal/content-records.ts';
import { prepareJournal } from '../../../persistence/journal/schema.ts';
import { openJournal } from '../../../persistence/journal/writer.ts';
import { StoreError } from '../../../persistence/shared/store-error.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

export class TestNode {
  readonly host: CatalogHost;
  readonly catalog: ClusterCatalog;
  readonly folder: string;
  /** Questions of other nodes, as the streams get them. */
  readonly told: AppliedQuestion[] = [];
  readonly behind: Error[] = [];
  readonly lost: Error[] = [];
  /** Whether entries of the log reach it. */
  isConnected = true;
  readonly #close: () => void;
  readonly #inserter: ContentInserter;

  constructor(folder: string, cluster: TestCluster) {
    this.folder = folder;
    const journalPath = `${folder}/journal.db`;
    const journal = openJournal(journalPath, true);
    prepareJournal(journal, { funding: 'paper' }, () => undefined);
    this.#inserter = new ContentInserter(journal);
    this.#close = () => journal.close();
    this.catalog = new ClusterCatalog({
      journalPath,
      send: (kind, body) => cluster.send(kind, body),
      onApplied: (applied) => this.told.push(applied),
      onBehind: (error) => this.behind.push(error),
      onLost: (error) => this.lost.push(error),
    });
    this.host = new CatalogHost({
      path: this.path,
      onDown: () => undefined,
      writeLog: this.catalog,
    });
  }

  get path(): string {
    return `${this.folder}/catalog.db`;
  }

  /** Journals the content of an entry of the log. */
  journal(content: readonly string[]): void {
    this.#inserter.insert(content, this.catalog.state?.number ?? 0);
  }

  async close(): Promise<void> {
    await this.host.stop();
    this.#close();
  }
}

export class TestCluster {
  readonly #t: Test;
  readonly log: (readonly string[])[] = [];
  readonly nodes = new Set<TestNode>();
  core: TestNode | undefined;

  constructor(t: Test) {
    this.#t = t;
    t.teardown(() => Promise.all([...this.nodes].map((node) => node.close())));
  }

  async send(kind: Parameters<ClusterCatalog['answer']>[0], body: Buffer): Promise<Buffer> {
    if (this.core === undefined) throw new StoreError('no_core', 'there is no core now');
    return this.core.catalog.answer(kind, body);
  }

  /** Starts the first core, with an empty catalog. */
  async found(): Promise<TestNode> {
    const node = await this.#open(temporaryFolder(this.#t));
    await this.lead(node);
    await node.host.found();
    return node;
  }

  /** Starts a node that follows the core. */
  async join(folder = temporaryFolder(this.#t)): Promise<TestNode> {
    await receiveCatalog(`${folder}/catalog.db`, (kind, body) => this.send(kind, body));
    const node = await this.#open(folder);
    await node.catalog.catchUp();
    return node;
  }

  /** Opens a node that does not ask the core. */
  async #open(folder: string): Promise<TestNode> {
    const node = new TestNode(folder, this);
    this.nodes.add(node);
    await node.host.start();
    return node;
  }

  reopen(folder: string): Promise<TestNode> {
    return this.#open(folder);
  }

  async lead(node: TestNode): Promise<void> {
    this.core = node;
    await node.catalog.lead((content) => this.append(content));
  }

  /** Commits an entry, and hands it to the nodes. */
  async append(content: readonly string[]): Promise<void> {
    this.log.push(content);
    for (const node of this.nodes) {
      if (!node.isConnected) continue;
      node.journal(content);
      node.catalog.receive(content);
    }
  }

  async close(node: TestNode): Promise<void> {
    this.nodes.delete(node);
    if (this.core === node) this.core = undefined;
    await node.close();
  }

  /** Resolves when all nodes have applied the whole log. */
  async settle(): Promise<void> {
    for (const node of this.nodes) await node.catalog.drain();
  }
}
