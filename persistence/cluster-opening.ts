/**
 * Opens an exchange that is a node of a cluster: the same parts as an exchange of one process, with
 * commands from the log. Invariant: it is open only when it has everything that the log had at its
 * start, or when it is the core.
 */
import { readFileSync } from 'node:fs';
import { FeedServer, type FeedTls, HistoryReader } from '../cluster/feed/index.ts';
import type { Engine } from '../engine/index.ts';
import type { ClusterOptions } from './cluster.ts';
import type { Exchange } from './exchange.ts';
import { checkMasterSecret, type DataFolder, keepMasterSecret } from './folder/index.ts';
import {
  type JournalMessage,
  JournalReader,
  type JournalRequest,
  type JournalStart,
} from './journal/index.ts';
import { type LogEvent, startEtcdLog } from './log/index.ts';
import { Node } from './node.ts';
import type { NodeOptions } from './node-options.ts';
import type { FolderlessOptions } from './options.ts';
import { type DisposableStack, messageOf, StoreError } from './shared/index.ts';
import type { Store } from './store.ts';
import { startWorker } from './threads/index.ts';

type NodeOpening = FolderlessOptions & { readonly cluster: ClusterOptions };

export async function openNode(
  folder: DataFolder,
  store: Store,
  options: NodeOpening,
  closers: DisposableStack,
): Promise<Exchange> {
  const { cluster, now, observer } = options;
  const { role, masterSecret: secret, beginsLog = false } = cluster;
  let node: Node | undefined;
  const fail = (error: Error): void => (node === undefined ? store.fail(error) : node.fail(error));
  const { worker: journal, opened: found } = await startJournal(store, {
    onCommitted: (seq) => node?.journalCommitted(seq),
    onFailed: fail,
  });
  closers.defer(() => journal.stop());
  checkMasterSecret(folder, secret);
  const opened = beginsLog ? { ...found, place: undefined } : found;
  const recovered = await store.recover(opened);
  const tls = readTls(cluster);
  const trouble = (error: Error): void => options.onEvent({ kind: 'cluster_trouble', error });
  const history = new HistoryReader({ journalPath: folder.journal }, trouble);
  closers.defer(() => history.stop());
  const feedAddress = await listen({ cluster, tls, closers, trouble, feed: () => node?.feed });
  const lastChecksum = checksumOf(folder.journal, opened);
  const early: LogEvent[] = [];
  const onEvent = (event: LogEvent): void => {
    if (node === undefined) early.push(event);
    else node.takeLogEvent(event);
  };
  const log = await (options.openLog ?? startEtcdLog)({
    ...logOptions(options, opened, lastChecksum),
    ...(tls && { tls }),
    feedAddress,
    onEvent,
  });
  closers.defer(() => log.close());
  // After the log has accepted it: a wrong one would stay in the folder.
  keepMasterSecret(folder, secret);
  store.streamId = log.logId;
  node = new Node({
    role,
    node: cluster.node,
    feedAddress,
    secret,
    tls,
    engine: recovered.engine,
    opened,
    lastChecksum,
    log,
    history,
    writeJournal: (group) => journal.post(group),
    now,
    observer,
    ...nodeEvents(store, recovered.engine, options.onEvent),
    onTrouble: trouble,
  });
  const started = node;
  for (const event of early) started.takeLogEvent(event);
  closers.defer(() => started.close());
  await started.start();
  return store.open(recovered, refuseClock, started);
}

/** What a node reports to the parts of the exchange. */
function nodeEvents(store: Store, engine: Engine, onEvent: NodeOpening['onEvent']) {
  return {
    onSource: (source) => {
      store.source = source;
    },
    onState: (state, epoch) => {
      store.content?.noteState(state);
      onEvent({ kind: 'node_state', state, epoch });
    },
    onSealed: (commands) => store.reportSealed(commands, engine),
    onDurable: (commands) => store.reportDurable(commands),
    onJournaled: (seq) => store.wakeFollowers(seq),
    onContent: (content) => store.content?.receive(content),
    onContentTold: (last) => store.content?.tell(last),
    appliedContent: () => store.content?.applied ?? 0,
    hasAllContent: () => store.content?.hasAll === true,
    onFatal: (error) => store.reportFailure(error),
  } satisfies Partial<NodeOptions>;
}

/** Which log a node opens, and what its journal says of it. */
function logOptions(
  { cluster, funding }: NodeOpening,
  { place, lastSeq }: JournalStart,
  lastChecksum: number,
) {
  const { etcdUrls: urls, prefix, node, role, masterSecret, beginsLog = false } = cluster;
  const creation = { mayCreate: role === 'core', mustCreate: beginsLog };
  const known = { logId: place?.logId, lastSeq, lastChecksum };
  return { urls, prefix, node, terms: { funding, masterSecret, ...known, ...creation } };
}

interface JournalEvents {
  readonly onCommitted: (seq: number) => void;
  readonly onFailed: (error: Error) => void;
}

function startJournal(store: Store, { onCommitted, onFailed }: JournalEvents) {
  return startWorker<JournalRequest, JournalStart, JournalMessage>({
    entry: new URL('./journal/thread.ts', import.meta.url),
    name: "the journal's thread",
    data: store.journalData,
    onMessage: (message) => {
      if (message.kind === 'committed') onCommitted(message.seq);
      else if (message.kind === 'failed') {
        const what = `the journal could not be written: ${message.message}`;
        onFailed(new StoreError('disk_failed', what));
      }
    },
    onDeath: (error) => onFailed(new Error(`the journal's thread died: ${error.message}`)),
  });
}

interface ListenOptions {
  readonly cluster: ClusterOptions;
  readonly tls: FeedTls | undefined;
  readonly closers: DisposableStack;
  readonly trouble: (error: Error) => void;
  readonly feed: () => Node['feed'];
}

/** Returns the address of this node's feed for others; '' at a gateway, which has none. */
async function listen({ cluster, tls, closers, trouble, feed }: ListenOptions): Promise<string> {
  const { role, feedHost, feedPort, feedAddress, masterSecret: secret } = cluster;
  if (role === 'gateway') return '';
  const server = new FeedServer({
    host: feedHost,
    port: feedPort,
    secret,
    tls,
    core: feed,
    onRefused: trouble,
  });
  const port = await server.listen();
  closers.defer(() => server.close());
  const host = feedHost.includes(':') ? `[${feedHost}]` : feedHost;
  return feedAddress ?? `${host}:${port}`;
}

/** Throws StoreError `feed_refused`. */
function readTls({ tls }: ClusterOptions): FeedTls | undefined {
  if (tls === undefined) return undefined;
  try {
    const [cert, key, ca] = [tls.certFile, tls.keyFile, tls.caFile].map((file) =>
      readFileSync(file, 'utf8'),
    );
    return { cert: cert!, key: key!, ca: ca! };
  } catch (error) {
    const remedy = 'check --cluster-cert, --cluster-key and --cluster-ca';
    throw new StoreError(
      'feed_refused',
      `a certificate can't be read (${messageOf(error)}): ${remedy}`,
    );
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

function refuseClock(): Promise<void> {
  return Promise.reject(
    new StoreError('other_node', 'a cluster has no sandbox, so its clock can not be moved'),
  );
}
