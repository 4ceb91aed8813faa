/**
 * A node of a cluster as the rest of the program sees it: one core sequences commands, and replicas
 * follow it (docs/decisions/0041-replicas-and-takeover.md).
 */
import type { AppliedWrite, ExchangeEvent } from '../persistence/index.ts';
import type { EtcdStatus } from './log/index.ts';

/** What an exchange needs to know to be a node. */
export interface ClusterOptions {
  /** At the start: a standby may become the core. */
  readonly role: 'core' | 'gateway' | 'standby';
  /** The name of this node, which no other node of the cluster has. */
  readonly node: string;
  readonly etcdUrls: readonly string[];
  /** The beginning of all keys in etcd, without a slash at the end. */
  readonly prefix: string;
  /** Where the feed listens while the node is the core; port 0 takes any free one. */
  readonly feedHost: string;
  readonly feedPort: number;
  /** HOST:PORT of the feed as other nodes reach it; absent: the address that it listens on. */
  readonly feedAddress?: string;
  /** Begins a new log with what the folder has; refused if there is one already. */
  readonly beginsLog?: boolean;
  /** 32 bytes, the same at every node. */
  readonly masterSecret: Buffer;
  /** The files of the node's certificate and of those that sign the others'; absent: none. */
  readonly tls?: ClusterTlsFiles;
  /** How far this node's clock may be ahead of the core's if it takes over. */
  readonly clockJumpMs: number;
  /** Whether connections to other machines may be without encryption. */
  readonly allowsPlaintext?: boolean;
}

export interface ClusterTlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
}

/**
 * `connecting`: a replica without a core. `following`: a replica with one. `claiming`: it takes
 * over. `leading`: it is the core. `deposed`: another node is the core, and this process must end.
 */
export type NodeState = 'connecting' | 'following' | 'claiming' | 'leading' | 'deposed';

export interface ConnectedReplica {
  readonly node: string;
  readonly role: 'gateway' | 'standby';
  /** The last entry and command that it has synced. */
  readonly entry: number;
  readonly seq: number;
}

/** Answers a request of a replica. An error that it throws is the answer too. */
export type RequestHandler = (body: Buffer, from: ConnectedReplica) => Promise<Buffer>;

export interface ClusterNode {
  readonly node: string;
  readonly state: NodeState;
  /** The newest epoch that this node knows; 0 before the first. */
  readonly epoch: number;
  /**
   * Whether what this node shows is current: a core has committed within the last second, a replica
   * has heard within 1.5 seconds that the core did. Otherwise the exchange's state must not be
   * shown, and commands are refused with StoreError `no_core`.
   */
  readonly isCurrent: boolean;
  /** The core that this node follows, or itself; undefined while there is none. */
  readonly core: { readonly node: string; readonly feedAddress: string } | undefined;
  /** The last entry of the log that this node has applied. */
  readonly entryNumber: number;
  /** The last durable command that this node has heard of; a replica may not have applied it. */
  readonly heardSeq: number;
  /** How long ago a core committed last, or a replica heard that its core did; never: Infinity. */
  readonly silenceMs: number;
  /** Asks etcd, for metrics. Rejects with StoreError `log_unavailable`. */
  etcdStatus(): Promise<EtcdStatus>;
  /** Those of a core; empty at other nodes. */
  readonly replicas: readonly ConnectedReplica[];
  /**
   * Sends a request to the core; a core answers itself. The answer comes after all entries that the
   * core had committed by then. Rejects with StoreError `no_core` if the connection is lost: the
   * core may have done what was asked, or not. Rejects with the handler's StoreError otherwise.
   */
  request(kind: string, body: Buffer): Promise<Buffer>;
  /** Answers requests of a kind while this node is the core. */
  handle(kind: string, handler: RequestHandler): void;
}

/** What a node reports beside the events of its exchange. */
export type NodeEvent =
  | Extract<ExchangeEvent, { readonly kind: 'catalog_behind' | 'snapshot_failed' }>
  /** A write to the catalog that was made at another node was applied here. */
  | { readonly kind: 'content_applied'; readonly applied: AppliedWrite }
  /**
   * This node has another state, which `ClusterNode.state` shows too. `leading`: it has applied all
   * entries before its own, and takes commands. `deposed`: the process must end.
   */
  | { readonly kind: 'node_state'; readonly state: NodeState; readonly epoch: number }
  /** This node can't reach another one, or refused it; it tries again. */
  | { readonly kind: 'cluster_trouble'; readonly error: Error }
  /** This core has a snapshot that a standby made. */
  | {
      readonly kind: 'snapshot_taken';
      readonly seq: number;
      readonly bytes: number;
      readonly from: string;
    };
