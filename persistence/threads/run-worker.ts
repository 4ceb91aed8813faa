/**
 * The inside of every worker thread: `runWorker` opens the thread's handler, reports that it is
 * ready or why it refuses, passes it its messages and closes it. A parked thread has no handler:
 * the next message it gets is the data to open one with (`parked-threads.ts`). A prepared one
 * begins so, with PARK in place of its data. An error that the handler throws ends the thread.
 */
import { strict as assert } from 'node:assert';
import { parentPort, workerData } from 'node:worker_threads';
import { checksumsReady, StoreError, type StoreErrorCode } from '../shared/index.ts';
import { setThreadPriority, type ThreadName } from './thread-priority.ts';

/** The first message of every worker. */
export type WorkerGreeting<Opened> =
  | { readonly kind: 'opened'; readonly opened: Opened }
  | { readonly kind: 'refused'; readonly code: StoreErrorCode; readonly message: string };

/** The message that asks a worker to end. */
export const CLOSE = 'close';
/** The message that asks a worker to close its handler, if any, and to wait for other data. */
export const PARK = 'park';
export const PARKED = 'parked';

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
  let handler: WorkerHandler<Opened, In> | undefined;
  /** The number of handlers that were closed. Their timers and promises may end later. */
  let closed = 0;

  function openHandler(data: Data): void {
    const before = closed;
    const post: Post<Out> = (message, transfer) => {
      if (closed === before) port?.postMessage(message, transfer);
    };
    try {
      handler = open(data, post);
      greet({ kind: 'opened', opened: handler.opened });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      greet({ kind: 'refused', code: error.code, message: error.message });
      port?.close();
    }
  }

  function closeHandler(): void {
    handler?.close();
    handler = undefined;
    closed += 1;
  }

  // Until then messages wait in the port, which keeps the thread alive.
  port.ref();
  checksumsReady.then(() => {
    // Safe, all casts: the main thread sends data to a parked thread and messages to an open one.
    port.on('message', (message: unknown) => {
      if (message === CLOSE) {
        closeHandler();
        port.close();
      } else if (message === PARK) {
        closeHandler();
        port.postMessage(PARKED);
      } else if (handler === undefined) openHandler(message as Data);
      else handler.receive(message as In);
    });
    // Safe: `startWorker` was called with the data that this entry file declares.
    if (workerData !== PARK) openHandler(workerData as Data);
  });
}
