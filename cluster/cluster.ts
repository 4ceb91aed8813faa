/**
 * A node of a cluster as the rest of the program sees it: one core sequences commands, and replicas
 * follow it (docs/decisions/0041-replicas-and-takeover.md).
 */
import type { ShownNode } from '../http/metrics/cluster-families.ts';
import type { ClusterSettings } from '../http/settings/cluster.ts';
import type { AppliedWrite, ExchangeEvent } from '../persistence/index.ts';
import type { EtcdStatus } from './log/index.ts';

type Chosen = 'beginsLog' | 'allowsPlaintext';

/** What an exchange needs to know to be a node. */
export interface ClusterOptions
  extends Omit<ClusterSettings, Chosen | 'gateways' | 'openLog'>,
    Partial<Pick<ClusterSettings, Chosen>> {
  /** How far this node's clock may be ahead of the core's if it takes over. */
  readonly clockJumpMs: number;
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

export interface ClusterNode extends ShownNode {
  readonly state: NodeState;
  /**
   * A core has committed within the last second, a replica has heard within 1.5 seconds that the
   * core did. Otherwise the exchange's state must not be shown, and commands are refused with
   * StoreError `no_core`.
   */
  readonly isCurrent: boolean;
  /** Undefined while there is none. */
  readonly core: { readonly node: string; readonly feedAddress: string } | undefined;
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
