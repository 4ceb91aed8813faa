/**
 * Makes an exchange a node of a cluster: its commands come from the log, and all other parts are
 * those of an exchange of one process. Invariant: the exchange opens only when it has everything
 * that the log had at its start, or when this node is the core.
 */
import { checkMasterSecret, keepMasterSecret } from '../persistence/folder/secrets.ts';
import type { ExchangeReads, NodeHost, NodePart } from '../persistence/index.ts';
import { type MoneyKeyIndex, openMoneyKeyIndex } from '../persistence/journal/money-keys.ts';
import { JournalReader } from '../persistence/journal/reader.ts';
import type { JournalStart } from '../persistence/journal/schema.ts';
import { type DisposableStack, StoreError } from '../persistence/shared/index.ts';
import type { Follower } from '../persistence/snapshots/follower.ts';
import { Certificates } from './certificates.ts';
import type { ClusterNode, ClusterOptions, NodeEvent } from './cluster.ts';
import { FeedServer, HistoryReader } from './feed/index.ts';
import {
  type LogEvent,
  type LogTls,
  type ReplicatedLog,
  type ReplicatedLogOptions,
  startEtcdLog,
} from './log/index.ts';
import { Node } from './node.ts';
import { NodeContent } from './node-content.ts';
import { NodeSnapshots } from './node-snapshots.ts';

/**
 * What a core or standby has in place of `analytics.db` and its readers: a core spends its
 * processor time on commands alone. Idempotency keys are looked up in the journal, because commands
 * of operators need them; everything else is refused with the name of a node that has it.
 */
function openCoreReads(journalPath: string, closers: DisposableStack): ExchangeReads {
  let keys: MoneyKeyIndex | undefined;
  closers.defer(async () => keys?.close());
  const refuse = (): Promise<never> => Promise.reject(onlyAtGateways());
  return {
    reader: {
      // One look-up of microseconds, for a command of an operator.
      moneyKey: async (key) => {
        keys ??= openMoneyKeyIndex(journalPath);
        return keys.lookup(key);
      },
      order: refuse,
      orders: refuse,
      openOrders: refuse,
      liveOrders: refuse,
      trades: refuse,
      notifications: refuse,
      actions: refuse,
      volumes: refuse,
      priceHistories: refuse,
    },
    analytics: { ask: refuse },
    projectedSeq: undefined,
    threads: [],
    advance: () => undefined,
    begin: () => undefined,
  };
}

function onlyAtGateways(): StoreError {
  return new StoreError(
    'other_node',
    'a core and a standby keep no tables of orders, trades and positions: ask a gateway',
  );
}

export interface NodeOpeningOptions {
  readonly cluster: ClusterOptions;
  readonly onEvent: (event: NodeEvent) => void;
  /** Test seam: opens another log than the one in etcd. */
  readonly openLog?: (options: ReplicatedLogOptions) => Promise<ReplicatedLog>;
}

export class NodeOpening implements NodePart {
  readonly openReads: NodePart['openReads'];
  readonly copiesCatalog: boolean;
  readonly catalog: NodeContent;
  readonly #options: NodeOpeningOptions;
  #exchange: NodeHost | undefined;
  #node: Node | undefined;
  #snapshots: NodeSnapshots | undefined;
  #server: FeedServer | undefined;

  constructor(options: NodeOpeningOptions) {
    const { role } = options.cluster;
    this.#options = options;
    this.openReads = role === 'gateway' ? undefined : openCoreReads;
    this.copiesCatalog = role !== 'core';
    this.catalog = new NodeContent({
      mayBegin: role === 'core',
      onEvent: options.onEvent,
      fail: (error) => this.#exchange?.fail(error),
    });
  }

  get node(): ClusterNode {
    if (this.#node === undefined) throw new Error('a node is used after its start');
    return this.#node;
  }

  async open(exchange: NodeHost, closers: DisposableStack): Promise<string> {
    const { cluster, onEvent } = this.#options;
    const { role, masterSecret: secret, beginsLog = false } = cluster;
    const { folder } = exchange;
    this.#exchange = exchange;
    const fail = (error: Error): void => (this.#node ?? exchange).fail(error);
    const { journal, opened: found } = await exchange.startJournal({
      committed: (seq) => this.#node?.journalCommitted(seq),
      failed: fail,
    });
    checkMasterSecret(folder, secret);
    const opened = beginsLog ? { ...found, place: undefined } : found;
    const engine = await exchange.recover(opened);
    const trouble = (error: Error): void => onEvent({ kind: 'cluster_trouble', error });
    const certificates =
      cluster.tls &&
      new Certificates({
        files: cluster.tls,
        onChange: (tls) => {
          this.#server?.renew(tls);
          log.renew(tls);
        },
        onTrouble: trouble,
      });
    closers.defer(async () => certificates?.close());
    const history = new HistoryReader({ journalPath: folder.journal }, trouble);
    closers.defer(() => history.stop());
    const feedAddress = await this.#listen(certificates?.current, closers);
    const lastChecksum = checksumOf(folder.journal, opened);
    const log = await (this.#options.openLog ?? startEtcdLog)({
      ...this.#logOptions(opened, lastChecksum),
      ...(certificates && { tls: certificates.current }),
      feedAddress,
      onEvent: (event) => this.#take(event),
    });
    closers.defer(() => log.close());
    // After the log has accepted it: a wrong one would stay in the folder.
    keepMasterSecret(folder, secret);
    const node = new Node({
      ...{ role, node: cluster.node, feedAddress, secret },
      tls: () => certificates?.current,
      clockJumpMs: cluster.clockJumpMs,
      ...{ exchange, engine, opened, lastChecksum, log, history, journal },
      content: this.catalog,
      onEvent,
    });
    this.#node = node;
    this.catalog.join(node, folder);
    closers.defer(() => node.close());
    await node.start();
    return log.logId;
  }

  /** A gateway makes snapshots for itself alone. */
  useFollower(follower: Follower, closers: DisposableStack): void {
    const { cluster, onEvent } = this.#options;
    const { node } = this;
    if (cluster.role === 'gateway' || this.#exchange === undefined) return;
    const { journal: journalPath, snapshots: folder } = this.#exchange.folder;
    const shared = new NodeSnapshots({ node, follower, folder, journalPath, onEvent });
    closers.defer(() => shared.close());
    this.#snapshots = shared;
  }

  snapshotMade(seq: number): void {
    this.#snapshots?.send(seq);
  }

  #take(event: LogEvent): void {
    if (this.#node !== undefined) this.#node.takeLogEvent(event);
    else if (event.kind === 'failed') this.#exchange?.fail(event.error);
    else if (event.kind === 'outage') {
      const error = new StoreError('log_unavailable', event.message);
      this.#options.onEvent({ kind: 'cluster_trouble', error });
    }
  }

  /** Which log this node opens, and what its journal says of it. */
  #logOptions({ place, lastSeq }: JournalStart, lastChecksum: number) {
    const { etcdUrls: urls, prefix, node, role, masterSecret, beginsLog } = this.#options.cluster;
    const { funding } = this.#exchange!.options;
    const creation = { mayCreate: role === 'core', mustCreate: beginsLog === true };
    const known = { logId: place?.logId, lastSeq, lastChecksum };
    return { urls, prefix, node, terms: { funding, masterSecret, ...known, ...creation } };
  }

  /** Returns the address of this node's feed for others; '' at a gateway, which has none. */
  async #listen(tls: LogTls | undefined, closers: DisposableStack): Promise<string> {
    const { cluster, onEvent } = this.#options;
    const { role, feedHost, feedPort, feedAddress, masterSecret: secret } = cluster;
    if (role === 'gateway') return '';
    const server = new FeedServer({
      host: feedHost,
      port: feedPort,
      secret,
      tls,
      core: () => this.#node?.feed,
      onSeeker: () => this.#node?.registration.noteSeeker(),
      onRefused: (error) => onEvent({ kind: 'cluster_trouble', error }),
    });
    this.#server = server;
    const port = await server.listen();
    closers.defer(() => server.close());
    const host = feedHost.includes(':') ? `[${feedHost}]` : feedHost;
    return feedAddress ?? `${host}:${port}`;
  }
}

function checksumOf(journalPath: string, { lastSeq }: JournalStart): number {
  const journal = new JournalReader(journalPath);
  try {
    return journal.checksumAt(lastSeq) ?? 0;
  } finally {
    journal.close();
  }
}
