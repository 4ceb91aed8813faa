/**
 * A command log that several nodes follow, as one node uses it. Exactly one node appends: the one
 * that raised the epoch last. Invariant: two nodes that read an entry read the same one.
 */
import type { Funding } from '../../persistence/journal/schema.ts';
import type {
  CommandLog,
  LogEntry,
  LogEvent,
  LogHolder,
  LogPosition,
  RegisteredNode,
} from './command-log.ts';

export interface LogView {
  readonly holder: LogHolder;
  /** The newest entry. */
  readonly head: LogPosition;
  /** The seq of the last command up to it. */
  readonly lastSeq: number;
  /** The number of the oldest entry that was not pruned. */
  readonly oldest: number;
}

export interface LogClaim extends LogView {
  /**
   * The first entries after the position that the claim was made with. Those that follow, up to
   * `head`, come from `entries`.
   */
  readonly entries: readonly LogEntry[];
}

/** How etcd is, for metrics and readiness. */
export interface EtcdStatus {
  readonly endpoints: readonly EtcdEndpoint[];
  /** Bytes of its database, of the largest member, and its quota; undefined if it says neither. */
  readonly sizeBytes: number | undefined;
  readonly quotaBytes: number | undefined;
}

export interface EtcdEndpoint {
  readonly url: string;
  readonly isAnswering: boolean;
  readonly isLeader: boolean;
}

export interface ReplicatedLog extends CommandLog {
  /** The log's id, which never changes: a UUID. */
  readonly logId: string;
  /**
   * Reads holder and head, and checks that the log continues `known`. Rejects with `log_differs` if
   * it does not, `log_newer` if the core's program has newer rules than this one, and
   * `log_unavailable` if etcd does not answer. A node that needs an entry before `oldest` gets
   * its commands from the core's journal.
   */
  look(known: LogPosition): Promise<LogView>;
  /**
   * Makes this node the holder, with the next epoch. From here on it alone can append, and it
   * writes beats. Apply the entries up to `head` before the first append. Resolves with undefined
   * if another node has claimed or appended since the last `look`, which must come first. Rejects
   * as `look`, and with `log_pruned` if entries after `known` are gone; waits while etcd does not
   * answer.
   */
  claim(known: LogPosition): Promise<LogClaim | undefined>;
  /**
   * Gives the log away, if this node holds it, so that another node need not wait for a silence.
   * Call it when the last append is committed and this node shows nothing more. Rejects with
   * `log_unavailable` if etcd does not answer: then others wait.
   */
  resign(): Promise<void>;
  /**
   * Some entries after `known`, at the holder up to the head of its claim; none if there are none.
   * Each continues the one before it. Rejects as `look`, and with `log_pruned`; the holder waits
   * while etcd does not answer.
   */
  entries(known: LogPosition): Promise<readonly LogEntry[]>;
  /**
   * Registers this node, and notes the entry up to which its journal is synced. Entries after it
   * are kept for this node, within the bound of the log. Returns the other registered nodes.
   */
  keepFor(synced: LogPosition, isSought?: boolean): Promise<readonly RegisteredNode[]>;
  registered(): Promise<readonly RegisteredNode[]>;
  /** Ends the registration of a node, which will not come back. */
  forget(node: string): Promise<void>;
  status(): Promise<EtcdStatus>;
  /** Connections to etcd use these certificates from now on. */
  renew(tls: LogTls): void;
}

export interface ReplicatedLogOptions {
  /** Base URLs of the nodes of one etcd cluster, tried in this order. */
  readonly urls: readonly string[];
  /** All keys begin with it. */
  readonly prefix: string;
  readonly tls?: LogTls;
  /** This node's name: 1 to 64 letters, digits, dots, dashes and underscores. */
  readonly node: string;
  /** HOST:PORT of its feed, for others; '' for a gateway, which never claims. */
  readonly feedAddress: string;
  readonly terms: LogTerms;
  readonly onEvent: (event: LogEvent) => void;
}

/** This node's certificate and key, and who signs the certificates of all nodes: PEM texts. */
export interface LogTls {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

export interface LogTerms {
  readonly funding: Funding;
  readonly masterSecret: Uint8Array;
  /** The log that this node's data folder follows; undefined if it follows none yet. */
  readonly logId: string | undefined;
  /** The last command in this node's journal: a log that it begins continues from there. */
  readonly lastSeq: number;
  /** The checksum of that command; 0 if there is none. */
  readonly lastChecksum: number;
  /** Whether to begin a log if there is none: not at a gateway. */
  readonly mayCreate: boolean;
  /** Whether a log that exists already is refused. */
  readonly mustCreate?: boolean;
}
