/**
 * Asks the store again until it answers. For transactions that change nothing when they happen a
 * second time, because their compares do not hold any more, and for reads.
 */
import { STORE_PACE } from '../../persistence/shared/index.ts';
import {
  type KeyValueStore,
  type LogClock,
  NoAnswerError,
  type Transaction,
  type TransactionResult,
} from './key-value-store.ts';

export interface PatientOptions {
  readonly clock: LogClock;
  /** Called the first time that there is no answer. */
  readonly onOutage: (error: NoAnswerError) => void;
  /** Whether to give up. Then the promise never settles. */
  readonly isClosed: () => boolean;
}

export interface RetryOptions extends PatientOptions {
  readonly store: KeyValueStore;
}

/** The last attempt, which was answered. */
export interface Answered<Result = TransactionResult> {
  readonly result: Result;
  readonly sentAtMs: number;
}

/** Rejects with StoreError if the store refuses the transaction. */
export function transactUntilAnswered(
  options: RetryOptions,
  transaction: Transaction,
): Promise<Answered> {
  return untilAnswered(options, () => options.store.transact(transaction));
}

/** Rejects as `ask`, but not with NoAnswerError. */
export async function untilAnswered<Result>(
  { clock, onOutage, isClosed }: PatientOptions,
  ask: () => Promise<Result>,
): Promise<Answered<Result>> {
  let pauseMs: number = STORE_PACE.etcdRetryMs;
  for (let isOut = false; ; isOut = true) {
    const sentAtMs = clock.now();
    try {
      return { result: await ask(), sentAtMs };
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      if (!isOut && !isClosed()) onOutage(error);
    }
    await pause(clock, pauseMs);
    if (isClosed()) await new Promise(() => undefined);
    pauseMs = Math.min(2 * pauseMs, STORE_PACE.etcdRetryMostMs);
  }
}

function pause(clock: LogClock, pauseMs: number): Promise<void> {
  return new Promise((resolve) => void clock.after(pauseMs, resolve));
}
