/**
 * The log in etcd that makes the commands of a cluster durable, and that its nodes follow
 * (docs/decisions/0040-a-log-on-etcd.md).
 *
 * Invariant: a command is committed when it can't be lost any more: when a majority of the etcd
 * nodes has synced it. Bound: one append is in flight.
 */
export * from './command-log.ts';
export * from './entry-codec.ts';
export * from './etcd-log.ts';
export * from './key-value-store.ts';
export * from './log-node.ts';
export * from './replicated-log.ts';
