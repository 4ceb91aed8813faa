/**
 * The inner side of every thread of the store: opens its work, says that it is ready or why it
 * refuses, hands it its messages, and ends when asked to. An error that work throws ends the
 * thread, and the main thread decides what that means.
 */
import { strict as assert } from 'node:assert';
import { parentPort, workerData } from 'node:worker_threads';
import { StoreError, type StoreErrorCode } from '../shared/index.ts';
import { takePlace } from './thread-priority.ts';

/** What every thread says, besides the messages of its own kind. */
export type ThreadGreeting<Opened> =
  | { readonly kind: 'opened'; readonly opened: Opened }
  | { readonly kind: 'refused'; readonly code: StoreErrorCode; readonly message: string };

/** What every thread is told when it should end. */
export const CLOSE = 'close';

export interface WorkerHandler<Opened, In> {
  readonly opened: Opened;
  receive(message: In): void;
  close(): void;
}

/** `moved`: memory of the message that goes over as it is; here it is gone then. */
export type Post<Out> = (message: Out, moved?: readonly ArrayBuffer[]) => void;

export function runWorker<Data, Opened, In, Out>(
  open: (data: Data, post: Post<Out>) => WorkerHandler<Opened, In>,
): void {
  const port = parentPort;
  assert(port !== null, 'a thread of the store is started by its main thread');
  takePlace();
  const greet = (greeting: ThreadGreeting<Opened>): void => port.postMessage(greeting);
  try {
    // workerData is what the main thread's side of the same pair of files gave.
    const work = open(workerData as Data, (message, moved) => port.postMessage(message, moved));
    port.on('message', (message: In | typeof CLOSE) => {
      if (message !== CLOSE) return work.receive(message);
      work.close();
      port.close();
    });
    greet({ kind: 'opened', opened: work.opened });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    greet({ kind: 'refused', code: error.code, message: error.message });
    port.close();
  }
}
