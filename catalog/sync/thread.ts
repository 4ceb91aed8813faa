/**
 * The thread that copies another catalog: it reads and checks the source's lists, so that the
 * matching thread does not. Invariant: it touches no file. After a run that fails, the next one
 * comes as usual.
 */
import '../../persistence/threads/node-version.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PageReport } from '../../persistence/index.ts';
import {
  type AnswerMessage,
  PendingAnswers,
  type Post,
  runWorker,
  type WorkerFailure,
} from '../../persistence/threads/index.ts';
import { type SyncMessage, SyncRun, type SyncStore, type SyncThreadData } from './run.ts';
import { Source } from './source.ts';

function errorOf(failure: WorkerFailure): Error {
  return new Error('message' in failure ? failure.message : 'the catalog failed');
}

/** The main thread's catalog, asked by messages. */
function remoteStore(pending: PendingAnswers, post: Post<SyncMessage>): SyncStore {
  // Safe, both: the host answers each kind of question with what the catalog returns for it.
  return {
    mark: (source, of) =>
      pending.ask((id) => post({ kind: 'mark', id, source, of })) as Promise<string | undefined>,
    put: (page) => pending.ask((id) => post({ kind: 'page', id, page })) as Promise<PageReport>,
  };
}

runWorker('sync', ({ everyMs, ...data }: SyncThreadData, post: Post<SyncMessage>) => {
  const ending = new AbortController();
  const { signal } = ending;
  const pending = new PendingAnswers();
  const store = remoteStore(pending, post);

  async function runOnce(): Promise<void> {
    try {
      const source = new Source({
        ...data,
        url: new URL(data.url),
        signal,
        onRetry: ({ message }, waitMs) => post({ kind: 'retry', sentence: message, waitMs }),
      });
      const report = await new SyncRun({ source, store, nowMs: () => Date.now() }).run();
      if (!signal.aborted) post({ kind: 'ran', report });
    } catch (error) {
      post({ kind: 'broke', message: error instanceof Error ? error.message : String(error) });
    }
  }

  async function runRepeatedly(): Promise<void> {
    do {
      await runOnce();
      if (everyMs === 0) return;
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    } while (!signal.aborted);
  }

  // In a later turn, so that the message that the thread is open is sent first.
  setImmediate(runRepeatedly);
  return {
    opened: undefined,
    receive: (message: AnswerMessage) => pending.settle(message, errorOf),
    close: () => ending.abort(),
  };
});
