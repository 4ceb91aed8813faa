/** What a node of a cluster is made of, and its intervals. */

import {
  type CoreWelcome,
  FEED_FORMAT,
  type FeedHistory,
  type FeedTls,
  type ReplicaHello,
} from '../cluster/feed/index.ts';
import type { ReplicaSource } from '../cluster/replica/index.ts';
import { type Engine, RULES_VERSION } from '../engine/index.ts';
import type { NodeState } from './cluster.ts';
import type { JournalGroup, JournalStart } from './journal/index.ts';
import type { LogHolder, LogPosition, ReplicatedLog } from './log/index.ts';
import {
  type CommandSource,
  type ContentStamp,
  type DurableCommand,
  PROGRAM_VERSION,
  type StoreObserver,
} from './shared/index.ts';

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
  /** The interval at which a core or standby notes in the log what it has synced. */
  keepMs: 2_000,
} as const;

export interface NodeOptions {
  readonly role: 'core' | 'gateway' | 'standby';
  readonly node: string;
  readonly feedAddress: string;
  readonly secret: Uint8Array;
  readonly tls?: FeedTls | undefined;
  readonly engine: Engine;
  /** What the journal has. */
  readonly opened: JournalStart;
  /** The checksum of its last command; 0 if it has none. */
  readonly lastChecksum: number;
  readonly log: ReplicatedLog;
  readonly history: FeedHistory;
  readonly writeJournal: (group: JournalGroup) => void;
  readonly now: () => number;
  readonly observer?: StoreObserver | undefined;
  /** From now on commands come from there. */
  readonly onSource: (source: CommandSource) => void;
  readonly onState: (state: NodeState, epoch: number) => void;
  readonly onSealed: (commands: readonly DurableCommand[]) => void;
  readonly onDurable: (commands: readonly DurableCommand[]) => void;
  /** The journal has everything up to there. */
  readonly onJournaled: (seq: number) => void;
  /** Content of an entry that was committed; the journal gets it with the commands. */
  readonly onContent: (content: readonly string[]) => void;
  /** The last content record of entries whose commands came from the core's journal. */
  readonly onContentTold: (last: ContentStamp) => void;
  /** The last content record that the catalog has applied. */
  readonly appliedContent: () => number;
  /** Whether this node has all content, without which it must not take over. */
  readonly hasAllContent: () => boolean;
  /** Something is wrong, and the node goes on. */
  readonly onTrouble: (error: Error) => void;
  /** Called once: the process must end. */
  readonly onFatal: (error: Error) => void;
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
