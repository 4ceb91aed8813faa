/**
 * The main thread's side of the journal's thread. Invariant: a failure is reported once, and
 * nothing after it.
 */
import { StoreError } from '../shared/index.ts';
import { startWorker } from '../threads/index.ts';
import type { JournalBatch } from './batch.ts';
import type { JournalStart } from './schema.ts';
import type { JournalMessage, JournalRequest, JournalThreadData } from './thread.ts';
import type { JournalGroup } from './writer.ts';

export interface JournalEvents {
  /** What was appended last is durable, and so is everything up to `seq`. */
  readonly committed: (seq: number) => void;
  /** A commit failed, or the thread died: nothing more becomes durable. */
  readonly failed: (error: StoreError) => void;
}

export interface Journal {
  /** Starts to make a batch durable, or a group. The next one may follow after `committed`. */
  append(batch: JournalBatch | JournalGroup): void;
  /** Resolves when the offset of the exchange's clock is durable. */
  keepClockOffset(clockOffsetMs: number): Promise<void>;
  /** Lets an append in flight end and stops the thread. Throws StoreError `thread_failed`. */
  close(): Promise<void>;
}

/** Throws StoreError if the journal can't be used. */
export async function startJournal(
  data: JournalThreadData,
  { committed, failed }: JournalEvents,
): Promise<{ readonly journal: Journal; readonly opened: JournalStart }> {
  /** Called one by one, as offsets of the clock become durable. */
  const onOffsetKept: (() => void)[] = [];
  let hasFailed = false;
  const fail = (error: StoreError): void => {
    if (hasFailed) return;
    hasFailed = true;
    failed(error);
  };
  const { worker, opened } = await startWorker<JournalRequest, JournalStart, JournalMessage>({
    entry: new URL('./thread.ts', import.meta.url),
    name: "the journal's thread",
    data,
    onMessage: (message) => {
      if (message.kind === 'committed') committed(message.seq);
      else if (message.kind === 'clock_offset_kept') onOffsetKept.shift()?.();
      else
        fail(new StoreError('disk_failed', `the journal could not be written: ${message.message}`));
    },
    onDeath: (error) =>
      fail(new StoreError('thread_failed', `the journal's thread died: ${error.message}`)),
  });
  const journal: Journal = {
    append: (batch) => worker.post(batch),
    keepClockOffset: (clockOffsetMs) => {
      worker.post({ clockOffsetMs });
      return new Promise((resolve) => onOffsetKept.push(resolve));
    },
    close: () => worker.stop(),
  };
  return { journal, opened };
}
