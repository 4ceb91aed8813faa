/**
 * What the protocol of a replicated log needs of its store, and of time: little enough for a test
 * to run the very same protocol on a store in memory, with answers lost and clocks of its own.
 */

/** Keys are ASCII texts, and a range is ordered by their bytes. */
export interface KeyValue {
  readonly key: string;
  readonly value: Uint8Array;
}

export type Compare =
  | { readonly kind: 'value'; readonly key: string; readonly value: Uint8Array }
  /** There is no such key. */
  | { readonly kind: 'absent'; readonly key: string };

export type Operation =
  | { readonly kind: 'put'; readonly key: string; readonly value: Uint8Array }
  /** Reads `from <= key < to` in the order of keys: `limit` of them at most. */
  | { readonly kind: 'range'; readonly from: string; readonly to: string; readonly limit: number }
  | { readonly kind: 'get'; readonly key: string }
  | { readonly kind: 'remove'; readonly from: string; readonly to: string };

/** What each operation found: nothing for `put` and `remove`. */
export type FoundKeys = readonly KeyValue[];

export interface Transaction {
  /** If all of them hold, `success` is done, otherwise `failure`. */
  readonly compares: readonly Compare[];
  readonly success: readonly Operation[];
  readonly failure: readonly Operation[];
}

export interface TransactionResult {
  /** Whether all compares held. */
  readonly succeeded: boolean;
  /** One for each operation that was done. */
  readonly found: readonly FoundKeys[];
  /** The store's revision after the transaction. It grows with each transaction that writes. */
  readonly revision: number;
}

export interface KeyValueStore {
  /**
   * Does one atomic transaction, in one order with all others (linearizable). Rejects with
   * `NoAnswerError` if its result is unknown: it may have happened, it may still happen, or not at
   * all. Rejects with StoreError if the store refuses it for good.
   */
  transact(transaction: Transaction): Promise<TransactionResult>;
  /** Gives back the space of values that were replaced or removed up to a revision. */
  compact(revision: number): Promise<void>;
}

/** The store did not answer in time, or said that it can't at the moment. */
export class NoAnswerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoAnswerError';
  }
}

/** The same, because one side refuses the other's certificate. */
export class CertificateRefusal extends NoAnswerError {}

/** A clock that never goes back, and timers. */
export interface LogClock {
  /** Milliseconds since some start. */
  now(): number;
  /** Returns a function that cancels the call. */
  after(delayMs: number, call: () => void): () => void;
}

/**
 * Milliseconds since some start of this machine: the same in all threads, and never changed by a
 * clock that is set.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
