/**
 * The log in etcd that makes the commands of a cluster durable, and that its nodes follow
 * (docs/decisions/0040-a-log-on-etcd.md).
 *
 * Invariant: a command is committed when it can't be lost any more: when a majority of the etcd
 * nodes has synced it. Bound: one append is in flight.
 */
export {
  type CommandLog,
  type CommittedEntry,
  type EntryHead,
  LOG_START,
  type LogEntry,
  type LogEvent,
  type LogHolder,
  type LogPart,
  type LogPosition,
} from './command-log.ts';
export { decodeEntry, encodeEntry } from './entry-codec.ts';
export { startEtcdLog } from './etcd-log.ts';
export {
  type Compare,
  type FoundKeys,
  type KeyValue,
  type KeyValueStore,
  type LogClock,
  NoAnswerError,
  type Operation,
  type Transaction,
  type TransactionResult,
} from './key-value-store.ts';
export { LogNode, type LogNodeOptions } from './log-node.ts';
export { monotonicMs } from './monotonic.ts';
export type {
  EtcdEndpoint,
  EtcdStatus,
  LogClaim,
  LogTerms,
  LogTls,
  LogView,
  ReplicatedLog,
  ReplicatedLogOptions,
} from './replicated-log.ts';
