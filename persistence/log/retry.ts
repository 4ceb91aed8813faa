/**
 * Does a transaction again until it is answered. For transactions that change nothing when they
 * happen a second time, because their compares do not hold any more.
 */
import { STORE_PACE } from '../shared/index.ts';
import {
  type KeyValueStore,
  type LogClock,
  NoAnswerError,
  type Transaction,
  type TransactionResult,
} from './key-value-store.ts';

export interface RetryOptions {
  readonly store: KeyValueStore;
  readonly clock: LogClock;
  /** Called for each time without an answer. */
  readonly onNoAnswer: (error: NoAnswerError) => void;
  /** Whether to give up. Then the promise never settles. */
  readonly isClosed: () => boolean;
}

/** The last attempt, which was answered. */
export interface Answered {
  readonly result: TransactionResult;
  /** When it was sent. */
  readonly sentAtMs: number;
}

/** Rejects with StoreError if the store refuses the transaction. */
export async function transactUntilAnswered(
  options: RetryOptions,
  transaction: Transaction,
): Promise<Answered> {
  const { store, clock, onNoAnswer, isClosed } = options;
  let pauseMs: number = STORE_PACE.etcdRetryMs;
  for (;;) {
    const sentAtMs = clock.now();
    try {
      return { result: await store.transact(transaction), sentAtMs };
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      if (!isClosed()) onNoAnswer(error);
    }
    await pause(clock, pauseMs);
    if (isClosed()) await new Promise(() => undefined);
    pauseMs = Math.min(2 * pauseMs, STORE_PACE.etcdRetryMostMs);
  }
}

function pause(clock: LogClock, pauseMs: number): Promise<void> {
  return new Promise((resolve) => void clock.after(pauseMs, resolve));
}
