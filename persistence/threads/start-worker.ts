/**
 * The main thread's side of one thread of the store. Invariant: it reports its death once: to who
 * stops it, if it was asked to end and failed to end well. Its messages are the union its entry
 * file speaks. Bound: a thread that does not end when asked is ended.
 */
import { Worker } from 'node:worker_threads';
import { STORE_PACE, StoreError } from '../shared/index.ts';
import { CLOSE, type ThreadGreeting } from './run-worker.ts';

export interface ThreadOptions<Out> {
  readonly entry: URL;
  /** For errors: "the journal's thread". */
  readonly name: string;
  readonly data: unknown;
  readonly onMessage: (message: Out) => void;
  /** Called once when the thread ends by itself after it was open. */
  readonly onDeath: (error: Error) => void;
}

export interface Thread<In> {
  post(message: In): void;
  /**
   * Lets it finish what it was sent, close what it holds, and end. Throws StoreError
   * `thread_failed` when it is gone, because it failed at any of that.
   */
  stop(): Promise<void>;
}

export interface OpenedThread<In, Opened> {
  readonly thread: Thread<In>;
  readonly opened: Opened;
}

/** Throws what the thread refused with, or StoreError `thread_failed`. */
export function startWorker<In, Opened, Out extends { readonly kind: string }>(
  options: ThreadOptions<Out>,
): Promise<OpenedThread<In, Opened>> {
  // No flags: the hooks of a test runner or debugger would cost each thread a second at its start.
  const worker = new Worker(options.entry, { workerData: options.data, execArgv: [] });
  const exited = new Promise<number>((done) => worker.once('exit', done));
  let isStopping = false;
  let cause: Error | undefined;
  /** That it died, to who did not ask for it. */
  let isTold = false;
  const failed = (how: string, error: Error): StoreError =>
    new StoreError('thread_failed', `${options.name} ${how}: ${error.message}`, { cause: error });
  const thread: Thread<In> = {
    post: (message) => worker.postMessage(message),
    stop: async () => {
      isStopping = true;
      worker.postMessage(CLOSE);
      const fault = await endsInTime(worker, exited);
      const error = cause ?? fault;
      if (error !== undefined && !isTold) throw failed('failed while it closed', error);
    },
  };
  return new Promise((resolve, reject) => {
    let isOpen = false;
    let refusal: StoreError | undefined;
    worker.on('message', (message: ThreadGreeting<Opened> | Out) => {
      if (isOpen) return options.onMessage(message as Out); // greetings come once, first
      const greeting = message as ThreadGreeting<Opened>; // the first message is one
      isOpen = greeting.kind === 'opened';
      if (greeting.kind === 'opened') resolve({ thread, opened: greeting.opened });
      else refusal = new StoreError(greeting.code, greeting.message);
    });
    worker.once('error', (error) => {
      cause = error;
    });
    worker.once('exit', () => {
      if (isStopping) return;
      isTold = true;
      const error = cause ?? new Error(`${options.name} ended`);
      if (isOpen) options.onDeath(error);
      else reject(refusal ?? failed('failed', error));
    });
  });
}

/** Says what is wrong with how it ended, as far as its end alone tells. */
async function endsInTime(worker: Worker, exited: Promise<number>): Promise<Error | undefined> {
  let isTerminated = false;
  const timer = setTimeout(() => {
    isTerminated = true;
    worker.terminate();
  }, STORE_PACE.stopMs);
  const code = await exited;
  clearTimeout(timer);
  if (isTerminated) return new Error(`it took longer than ${STORE_PACE.stopMs} ms and was ended`);
  return code === 0 ? undefined : new Error(`it ended with code ${code}`);
}
