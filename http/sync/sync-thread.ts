/**
 * The thread that copies another catalog: it reads and checks what comes from there, so that the
 * matching thread does not. Invariant: it touches no file; a run that breaks is followed by the
 * next as if it had ended.
 */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { PageReport } from '../../persistence/index.ts';
import { setThreadPriority } from '../../persistence/threads/index.ts';
import { Source } from './source.ts';
import {
  CLOSE,
  type SyncAnswer,
  type SyncAsk,
  type SyncMessage,
  type SyncThreadData,
} from './sync-protocol.ts';
import { SyncRun, type SyncStore } from './sync-run.ts';

assert(parentPort !== null, 'the thread that syncs is started by its host');
const port: MessagePort = parentPort;
setThreadPriority('sync');

// Safe: the host gives exactly this.
const { url, userAgent, pace, everyMs } = workerData as SyncThreadData;
const ending = new AbortController();
function tell(message: SyncMessage): void {
  port.postMessage(message);
}

interface Waiting {
  readonly resolve: (value: PageReport | string | undefined) => void;
  readonly reject: (error: Error) => void;
}
const waiting = new Map<number, Waiting>();
let lastId = 0;

function ask(make: (id: number) => SyncAsk): Promise<PageReport | string | undefined> {
  return new Promise((resolve, reject) => {
    lastId += 1;
    waiting.set(lastId, { resolve, reject });
    tell(make(lastId));
  });
}

// Safe, both: the host answers each kind of question with what the catalog gives for it.
const store: SyncStore = {
  mark: (source, of) =>
    ask((id) => ({ kind: 'mark', id, source, of })) as Promise<string | undefined>,
  put: (page) => ask((id) => ({ kind: 'page', id, page })) as Promise<PageReport>,
};

async function runOnce(): Promise<void> {
  try {
    const source = new Source({
      url: new URL(url),
      userAgent,
      pace,
      signal: ending.signal,
      onRetry: ({ message }, waitMs) => tell({ kind: 'retry', sentence: message, waitMs }),
    });
    const report = await new SyncRun({ source, store, nowMs: () => Date.now() }).run();
    if (!ending.signal.aborted) tell({ kind: 'ran', report });
  } catch (error) {
    tell({ kind: 'broke', message: error instanceof Error ? error.message : String(error) });
  }
}

async function runOften(): Promise<void> {
  do {
    await runOnce();
    if (everyMs === 0) return;
    await sleep(everyMs, undefined, { signal: ending.signal }).catch(() => undefined);
  } while (!ending.signal.aborted);
}

port.on('message', (message: SyncAnswer | typeof CLOSE) => {
  if (message === CLOSE) {
    ending.abort();
    port.close();
    return;
  }
  const asked = waiting.get(message.id);
  waiting.delete(message.id);
  if ('error' in message) asked?.reject(new Error(message.error));
  else asked?.resolve(message.value);
});

await runOften();
