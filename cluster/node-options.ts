/** What a node of a cluster is made of, and its intervals. */
import { type Engine, RULES_VERSION } from '../engine/index.ts';
import type { NodeHost } from '../persistence/index.ts';
import type { Journal } from '../persistence/journal/host.ts';
import type { JournalStart } from '../persistence/journal/schema.ts';
import { PROGRAM_VERSION } from '../persistence/shared/index.ts';
import type { NodeEvent } from './cluster.ts';
import {
  type CoreWelcome,
  FEED_FORMAT,
  type FeedHistory,
  type FeedTls,
  type ReplicaHello,
} from './feed/index.ts';
import type { LogHolder, LogPosition, ReplicatedLog } from './log/index.ts';
import type { NodeContent } from './node-content.ts';
import type { ReplicaSource } from './replica/index.ts';

export const NODE_PACE = {
  /** The interval at which a node looks after its connection, or at the log if it has none. */
  tickMs: 250,
  /**
   * How long after it heard of the core a replica shows its state: less than `silentMs`, because
   * the clocks of two hosts do not run at exactly the same rate.
   */
  shownMs: 1_400,
  /** How long after it heard of the core a replica keeps its connection. */
  currentMs: 1_500,
  /** A standby that has not heard of the core for so long looks at the log itself. */
  lookMs: 600,
  /** The silence of the log after which a standby takes over. */
  silentMs: 1_500,
  /** A look at the log that took longer does not count. */
  slowLookMs: 500,
  /** How long commands of a core or standby wait for others that share their transaction. */
  journalMs: 20,
} as const;

export interface NodeOptions {
  readonly role: 'core' | 'gateway' | 'standby';
  readonly node: string;
  readonly feedAddress: string;
  readonly secret: Uint8Array;
  readonly tls: () => FeedTls | undefined;
  /** What the node is the source of commands of. */
  readonly exchange: NodeHost;
  readonly engine: Engine;
  readonly opened: JournalStart;
  /** The checksum of its last command; 0 if it has none. */
  readonly lastChecksum: number;
  readonly log: ReplicatedLog;
  readonly history: FeedHistory;
  readonly journal: Pick<Journal, 'append'>;
  /** The content of the log, which goes into the catalog. */
  /** How far this node's clock may be ahead of the core's if it takes over. */
  readonly clockJumpMs: number;
  readonly content: Pick<NodeContent, 'receive' | 'tell' | 'noteState' | 'applied' | 'hasAll'>;
  readonly onEvent: (event: NodeEvent) => void;
}

/** Reads of a gateway wait for its projection, which follows the journal. */
export function journalPauseMs(role: NodeOptions['role']): number {
  return role === 'gateway' ? 0 : NODE_PACE.journalMs;
}

/** What a node says of itself when it connects to a core. */
export function helloOf(
  { role, node, log }: Pick<NodeOptions, 'role' | 'node' | 'log'>,
  { appliedSeq: seq, lastChecksum: checksum }: Pick<ReplicaSource, 'appliedSeq' | 'lastChecksum'>,
  { number, check }: LogPosition,
): ReplicaHello {
  return {
    format: FEED_FORMAT,
    logId: log.logId,
    node,
    role: role === 'gateway' ? 'gateway' : 'standby',
    program: PROGRAM_VERSION,
    rules: RULES_VERSION,
    position: { number, check },
    seq,
    checksum,
  };
}

/** What a core says of itself. */
export function welcomeOf(logId: string, { node, epoch }: LogHolder): CoreWelcome {
  const rules = RULES_VERSION;
  return { format: FEED_FORMAT, logId, node, program: PROGRAM_VERSION, epoch, rules };
}
