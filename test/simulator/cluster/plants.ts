/**
 * Bugs that a simulation plants in the protocol, to prove that it finds them. Each takes a rule
 * away from transactions on their way to the store, or breaks a promise of the store.
 */
import type { LogHolder, Transaction } from '../../../cluster/log/index.ts';
import { LogKeys } from '../../../cluster/log/log-keys.ts';
import { decodeHolder } from '../../../cluster/log/log-records.ts';
import type { StorePlant } from './sim-store.ts';

const KEYS = new LogKeys('/sim/');
const FIRST_ENTRY = KEYS.entry(0);
const AFTER_ENTRIES = KEYS.entry(Number.MAX_SAFE_INTEGER);

function isEntry(key: string): boolean {
  return key >= FIRST_ENTRY && key <= AFTER_ENTRIES;
}

function putsEntry({ success }: Transaction): boolean {
  return success.some((operation) => operation.kind === 'put' && isEntry(operation.key));
}

function without(transaction: Transaction, dropped: (key: string) => boolean): Transaction {
  const compares = transaction.compares.filter(({ key }) => !dropped(key));
  return { ...transaction, compares };
}

function claims({ success }: Transaction): boolean {
  return putHolder(success)?.hasResigned === false;
}

function resigns({ success }: Transaction): boolean {
  return putHolder(success)?.hasResigned === true;
}

function putHolder(operations: Transaction['success']): LogHolder | undefined {
  for (const operation of operations) {
    if (operation.kind !== 'put' || operation.key !== KEYS.epoch) continue;
    return decodeHolder(operation.key, operation.value);
  }
  return undefined;
}

export const PLANTS = {
  /** An append does not compare the epoch. */
  append_without_epoch: {
    onSend: (sent) => (putsEntry(sent) ? without(sent, (key) => key === KEYS.epoch) : sent),
  },
  /** An append does not compare the head, nor whether its number is used. */
  append_over_entries: {
    onSend: (sent) =>
      putsEntry(sent) ? without(sent, (key) => key === KEYS.head || isEntry(key)) : sent,
  },
  /** An append compares nothing but the epoch and whether its number is used. */
  append_without_head: {
    onSend: (sent) => (putsEntry(sent) ? without(sent, (key) => key === KEYS.head) : sent),
  },
  /** A claim does not compare who held the log. */
  claim_without_holder: {
    onSend: (sent) => (claims(sent) ? without(sent, () => true) : sent),
  },
  /** A claim does not compare the newest entry. */
  claim_without_head: {
    onSend: (sent) => (claims(sent) ? without(sent, (key) => key === KEYS.head) : sent),
  },
  /** A resignation does not compare who holds the log. */
  resign_without_holder: {
    onSend: (sent) => (resigns(sent) ? without(sent, () => true) : sent),
  },
  /** A core resigns before it has stopped to show its state. */
  resigns_before_drain: {},
  /** A claim reads the tail when it is sent, and raises the epoch when it arrives. */
  tail_read_before_claim: { readsEarly: claims },
  /** An append is answered as soon as its request is sent. */
  answer_before_commit: { answersEarly: putsEntry },
  /** A prune does not compare who holds the log, and takes all entries but the newest. */
  prune_without_limit: {
    onSend: (sent) => ({
      ...sent,
      success: sent.success.map((operation) =>
        operation.kind === 'remove' && isEntry(operation.from)
          ? { ...operation, to: AFTER_ENTRIES }
          : operation,
      ),
    }),
  },
  /** A core counts the second in which it may show its state from the answer of the store. */
  fresh_since_answer: {},
  /** A core writes a batch to its disk before the log has committed it. */
  disk_before_log: {},
} as const satisfies Record<string, StorePlant>;

export type PlantName = keyof typeof PLANTS;

// Safe: the keys of a constant.
export const PLANT_NAMES = Object.keys(PLANTS) as PlantName[];
