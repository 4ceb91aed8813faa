/**
 * The settings of a node of a cluster (ARCHITECTURE.md, "Roles"). An exchange without them is one
 * process with everything in it.
 */

/**
 * What a process runs. `all`: the whole exchange; `core`: the sequencer and what belongs to it;
 * `gateway`: the public API on a replica; `standby`: a replica that takes over the core's role.
 */
export const NODE_ROLES = ['all', 'core', 'gateway', 'standby'] as const;
export type NodeRole = (typeof NODE_ROLES)[number];
export type ClusterRole = Exclude<NodeRole, 'all'>;

/** Certificates of the cluster's own connections, as paths of files in PEM form. */
export interface ClusterTls {
  /** The node's certificate, for connections in both directions. */
  readonly certFile: string;
  readonly keyFile: string;
  /** The certificates that sign those of the other nodes and of etcd. */
  readonly caFile: string;
}

export interface ClusterSettings {
  /** The role of the process at its start: a standby may become the core. */
  readonly role: ClusterRole;
  /** URLs of the client listeners of etcd, without a slash at the end. */
  readonly etcdUrls: readonly string[];
  /** The beginning of all keys in etcd, without a slash at the end. */
  readonly prefix: string;
  /** The name of this node, which no other node of the cluster has. */
  readonly node: string;
  /** Address and port that the feed listens on while the node is the core; 0 takes any free one. */
  readonly feedHost: string;
  readonly feedPort: number;
  /** HOST:PORT of the feed as other nodes reach it; absent: the address that it listens on. */
  readonly feedAddress?: string;
  /** Begins a new log with all that the core's data folder has; refused if there is one already. */
  readonly beginsLog: boolean;
  /** How many gateways share the rate limits. */
  readonly gateways: number;
  /** 32 bytes, the same at every node: API keys are derived from them. */
  readonly masterSecret: Buffer;
  /** Absent: the feed and etcd are reached without encryption. */
  readonly tls?: ClusterTls;
  /** Whether connections without encryption may leave the machine. */
  readonly allowsPlaintext: boolean;
  /** Test seam: opens another log than the one in etcd. The cluster knows its type. */
  readonly openLog?: (options: never) => Promise<unknown>;
}

/** Whether a process with these settings runs the public API. */
export function runsPublicApi({ cluster }: { readonly cluster?: ClusterSettings }): boolean {
  return cluster === undefined || cluster.role === 'gateway';
}

/** The defaults of a node. */
export const DEFAULT_CLUSTER: Pick<
  ClusterSettings,
  'prefix' | 'feedHost' | 'feedPort' | 'beginsLog' | 'gateways'
> = {
  prefix: '/outcome-exchange',
  feedHost: '127.0.0.1',
  feedPort: 8082,
  beginsLog: false,
  gateways: 1,
};
