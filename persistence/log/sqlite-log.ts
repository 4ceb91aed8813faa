/**
 * The journal's thread as a command log: what an exchange in one process appends is durable when
 * `journal.db` has it. Invariant: a failure is reported once, and nothing after it.
 */
import { strict as assert } from 'node:assert';
import type {
  JournalMessage,
  JournalRequest,
  JournalStart,
  JournalThreadData,
} from '../journal/index.ts';
import { StoreError } from '../shared/index.ts';
import { startWorker } from '../threads/index.ts';
import type { CommandLog, LogEvent } from './command-log.ts';

export interface SqliteLogOptions {
  readonly data: JournalThreadData;
  readonly onEvent: (event: Extract<LogEvent, { kind: 'committed' | 'failed' }>) => void;
}

export interface SqliteLog extends CommandLog {
  /** Resolves when the offset of the exchange's clock is durable. */
  keepClockOffset(clockOffsetMs: number): Promise<void>;
}

/** Throws StoreError if the journal can't be used. */
export async function startSqliteLog(
  options: SqliteLogOptions,
): Promise<{ readonly log: SqliteLog; readonly opened: JournalStart }> {
  /** Called one by one, as offsets of the clock become durable. */
  const onOffsetKept: (() => void)[] = [];
  let hasFailed = false;
  const fail = (error: StoreError): void => {
    if (hasFailed) return;
    hasFailed = true;
    options.onEvent({ kind: 'failed', error });
  };
  const { worker, opened } = await startWorker<JournalRequest, JournalStart, JournalMessage>({
    entry: new URL('../journal/thread.ts', import.meta.url),
    name: "the journal's thread",
    data: options.data,
    onMessage: (message) => {
      if (message.kind === 'committed') options.onEvent(message);
      else if (message.kind === 'clock_offset_kept') onOffsetKept.shift()?.();
      else
        fail(new StoreError('disk_failed', `the journal could not be written: ${message.message}`));
    },
    onDeath: (error) =>
      fail(new StoreError('thread_failed', `the journal's thread died: ${error.message}`)),
  });
  const log: SqliteLog = {
    append: (batch, content) => {
      assert(content.length === 0, 'the journal keeps no content: the catalog has its own file');
      worker.post(batch);
    },
    keepClockOffset: (clockOffsetMs) => {
      worker.post({ clockOffsetMs });
      return new Promise((resolve) => onOffsetKept.push(resolve));
    },
    close: () => worker.stop(),
  };
  return { log, opened };
}
