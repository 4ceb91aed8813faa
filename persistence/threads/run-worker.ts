/**
 * The inside of every worker thread: `runWorker` opens the thread's handler, reports that it is
 * ready or why it refuses, passes it its messages and closes it. An error that the handler throws
 * ends the thread.
 */
import { strict as assert } from 'node:assert';
import { parentPort, workerData } from 'node:worker_threads';
import { StoreError, type StoreErrorCode } from '../shared/index.ts';
import { setThreadPriority, type ThreadName } from './thread-priority.ts';

/** The first message of every worker. */
export type WorkerGreeting<Opened> =
  | { readonly kind: 'opened'; readonly opened: Opened }
  | { readonly kind: 'refused'; readonly code: StoreErrorCode; readonly message: string };

/** The message that asks a worker to end. */
export const CLOSE = 'close';

export interface WorkerHandler<Opened, In> {
  /** Posted to the main thread when the worker is ready. */
  readonly opened: Opened;
  receive(message: In): void;
  close(): void;
}

/** `transfer`: buffers that move to the main thread. They are detached here afterwards. */
export type Post<Out> = (message: Out, transfer?: readonly ArrayBuffer[]) => void;

export function runWorker<Data, Opened, In, Out>(
  name: ThreadName,
  open: (data: Data, post: Post<Out>) => WorkerHandler<Opened, In>,
): void {
  const port = parentPort;
  assert(port !== null, 'runWorker runs in a worker thread');
  setThreadPriority(name);
  const greet = (greeting: WorkerGreeting<Opened>): void => port.postMessage(greeting);
  try {
    // Safe: `startWorker` was called with the data that this entry file declares.
    const handler = open(workerData as Data, (message, transfer) =>
      port.postMessage(message, transfer),
    );
    port.on('message', (message: In | typeof CLOSE) => {
      if (message !== CLOSE) return handler.receive(message);
      handler.close();
      port.close();
    });
    greet({ kind: 'opened', opened: handler.opened });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    greet({ kind: 'refused', code: error.code, message: error.message });
    port.close();
  }
}
