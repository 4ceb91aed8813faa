/**
 * The main thread's side of the log in etcd. Invariant: each question settles once; a thread that
 * dies is reported as `failed`, and its questions reject.
 */
import { strict as assert } from 'node:assert';
import { STORE_PACE, StoreError } from '../../persistence/shared/index.ts';
import {
  PendingAnswers,
  startWorker,
  type WorkerFailure,
} from '../../persistence/threads/index.ts';
import type { LogPosition } from './command-log.ts';
import type { EtcdMessage, EtcdRequest, EtcdThreadData } from './etcd-thread.ts';
import type { ReplicatedLog, ReplicatedLogOptions } from './replicated-log.ts';

/**
 * Checks etcd and joins the log, or begins it. Waits while etcd does not answer, which it reports
 * as `outage`. Rejects with `log_refused` if it or the log must not be used, `funding_changed`,
 * `log_differs` if the log is not that of this node's folder, and `log_newer`.
 */
export async function startEtcdLog(options: ReplicatedLogOptions): Promise<ReplicatedLog> {
  const { terms, onEvent, ...settings } = options;
  const data: EtcdThreadData = {
    ...settings,
    urls: settings.urls.map((url) => url.replace(/\/$/, '')),
    prefix: settings.prefix.replace(/\/?$/, '/'),
  };
  const pending = new PendingAnswers();
  const { worker } = await startWorker<EtcdRequest, undefined, EtcdMessage>({
    entry: new URL('./etcd-thread.ts', import.meta.url),
    name: "etcd's thread",
    data,
    onMessage: (message) => {
      if (message.kind === 'answer' || message.kind === 'failure') pending.settle(message, errorOf);
      else if (message.kind === 'ended')
        onEvent({ kind: 'failed', error: errorOf(message.failure) });
      else onEvent(message);
    },
    onDeath: (cause) => {
      const message = `etcd's thread died: ${cause.message}`;
      const error = new StoreError('thread_failed', message, { cause });
      pending.rejectAll(error);
      onEvent({ kind: 'failed', error });
    },
  });
  // Safe, all casts below: etcd-thread.ts answers each kind with this type.
  const ask = (kind: string, question?: unknown): Promise<unknown> =>
    pending.ask((id) => worker.post({ id, kind, question }));
  const pulse = setInterval(() => worker.post({ pulse: true }), STORE_PACE.beatMs).unref();
  const close = async (): Promise<void> => {
    clearInterval(pulse);
    await worker.stop();
    pending.rejectAll(new StoreError('stopping', 'the log is closed'));
  };
  let logId: string;
  try {
    logId = (await ask('open', terms)) as string;
  } catch (error) {
    await close();
    throw error;
  }
  return {
    logId,
    append: ({ firstSeq, timesMs, kinds, payloads, digest }, content) => {
      worker.post({ append: { firstSeq, timesMs, kinds, payloads, digest, content } });
    },
    look: (known) => ask('look', placeOf(known)) as ReturnType<ReplicatedLog['look']>,
    claim: (known) => ask('claim', placeOf(known)) as ReturnType<ReplicatedLog['claim']>,
    resign: () => ask('resign') as Promise<void>,
    entries: (known) => ask('entries', placeOf(known)) as ReturnType<ReplicatedLog['entries']>,
    keepFor: (synced, isSought) =>
      ask('keepFor', { synced: placeOf(synced), isSought }) as ReturnType<ReplicatedLog['keepFor']>,
    registered: () => ask('registered') as ReturnType<ReplicatedLog['registered']>,
    forget: (node) => ask('forget', node) as Promise<void>,
    status: () => ask('status') as ReturnType<ReplicatedLog['status']>,
    renew: (tls) => worker.post({ tls }),
    close,
  };
}

/** Without the commands, if it is an entry. */
function placeOf({ number, check }: LogPosition): LogPosition {
  return { number, check };
}

function errorOf(failure: WorkerFailure): StoreError {
  if (failure.kind === 'store') return new StoreError(failure.code, failure.message);
  assert(failure.kind === 'mistake', 'the thread has no database and no errors of its own');
  return new StoreError('thread_failed', failure.message);
}
