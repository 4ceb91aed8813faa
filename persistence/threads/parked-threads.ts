/**
 * Threads that wait for data to open with. To start a thread costs some 100 ms, most of it for
 * loading its modules. So while an exchange is closed and opened again on other data, its threads
 * are parked instead of ended: each closes its handler, and the next start of the same entry takes
 * it. A start of the program prepares some threads, which are then parked from their beginning.
 *
 * Invariant: a parked thread holds no data, file or timer of its last handler. Threads that stop
 * are parked only between `keepThreads` and its release, which ends those that were not taken.
 * Bound: the threads that stop in that time, and those that were prepared.
 */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { CLOSE } from './run-worker.ts';

const parked = new Map<string, Worker[]>();
let keepers = 0;

/**
 * Ends all parked threads. Resolves when they have loaded their modules and ended: to exit while
 * one loads them can crash the process (V8, SIGTRAP).
 */
export async function endParked(): Promise<void> {
  const threads = [...parked.values()].flat();
  parked.clear();
  const ended = threads.map((thread) => {
    const end = once(thread, 'exit');
    thread.ref();
    thread.postMessage(CLOSE);
    return end;
  });
  // A thread that failed has ended too.
  await Promise.allSettled(ended);
}

/** Parks threads that stop from now on. Call the result once: it ends those that are left. */
export function keepThreads(): () => void {
  keepers += 1;
  return () => {
    keepers -= 1;
    if (keepers > 0) return;
    for (const thread of [...parked.values()].flat()) thread.postMessage(CLOSE);
    parked.clear();
  };
}

export function areThreadsKept(): boolean {
  return keepers > 0;
}

/** `kind`: threads of the same kind can take each other's place. */
export function parkThread(kind: string, thread: Worker): void {
  if (keepers === 0) {
    // The release came while the thread stopped.
    thread.postMessage(CLOSE);
    return;
  }
  forgetListeners(thread);
  keepParked(kind, thread);
}

/** Keeps a thread that has no data, and no listener, until it is taken. */
export function keepParked(kind: string, thread: Worker): void {
  const others = parked.get(kind) ?? [];
  parked.set(kind, [...others, thread]);
  // Without a listener the error of a thread would end the process. A dead one is not taken.
  thread.once('error', () => forget(kind, thread));
  thread.once('exit', () => forget(kind, thread));
}

/** A parked thread, which its last user's listeners no longer watch; undefined if there is none. */
export function takeParked(kind: string): Worker | undefined {
  const thread = parked.get(kind)?.at(-1);
  if (thread === undefined) return undefined;
  forget(kind, thread);
  forgetListeners(thread);
  return thread;
}

/** By event: Node watches the listeners of a worker by listeners of its own. */
function forgetListeners(thread: Worker): void {
  for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
}

function forget(kind: string, thread: Worker): void {
  const others = parked.get(kind) ?? [];
  parked.set(
    kind,
    others.filter((other) => other !== thread),
  );
}
