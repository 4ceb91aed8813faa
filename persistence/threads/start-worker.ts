/**
 * The main thread's side of one worker thread. Invariant: a failure is reported once, either to
 * `onDeath` or by `stop`. Bound: a thread that does not close within STORE_PACE.stopMs is
 * terminated.
 */
import { Worker } from 'node:worker_threads';
import { STORE_PACE, StoreError } from '../shared/index.ts';
import { areThreadsKept, keepParked, parkThread, takeParked } from './parked-threads.ts';
import { CLOSE, PARK, PARKED, type WorkerGreeting } from './run-worker.ts';

export interface WorkerOptions<Out> {
  /** The file that calls `runWorker`. */
  readonly entry: URL;
  /** For error messages: "the journal's thread". */
  readonly name: string;
  readonly data: unknown;
  readonly onMessage: (message: Out) => void;
  /** Called once when the thread ends without being asked to, after it was open. */
  readonly onDeath: (error: Error) => void;
}

export interface StartedWorker<In> {
  /**
   * `transfer`: buffers that move to the worker. They are detached here afterwards. A message after
   * `stop` is dropped: a parked thread would open with it.
   */
  post(message: In, transfer?: readonly ArrayBuffer[]): void;
  /**
   * Lets the thread handle its remaining messages, close and end, or be parked. Throws StoreError
   * `thread_failed` if it fails to.
   */
  stop(): Promise<void>;
}

export interface OpenedWorker<In, Opened> {
  readonly worker: StartedWorker<In>;
  readonly opened: Opened;
}

/** Its exit code, unless it was parked. */
type ThreadEnd = number | typeof PARKED;

type ThreadKind = Pick<WorkerOptions<never>, 'entry' | 'name'>;

/** Threads of the same kind can take each other's place. */
function kindOf({ entry, name }: ThreadKind): string {
  return `${name} ${entry.href}`;
}

/**
 * Starts a thread before its data is known: it loads its modules and waits until `startWorker`
 * takes it, by the same entry and name. Until then it does not keep the process running. If it
 * fails, it is not taken, and the thread that is started in its place says why.
 */
export function prepareThread(kind: ThreadKind): void {
  const thread = newThread({ ...kind, data: PARK });
  thread.unref();
  keepParked(kindOf(kind), thread);
}

/** Throws the error that the thread refused to open with, or StoreError `thread_failed`. */
export function startWorker<In, Opened, Out extends { readonly kind: string }>(
  options: WorkerOptions<Out>,
): Promise<OpenedWorker<In, Opened>> {
  const kind = kindOf(options);
  const parked = takeParked(kind);
  const thread = parked ?? newThread(options);
  parked?.ref();
  parked?.postMessage(options.data);
  const ended = new Promise<ThreadEnd>((done) => {
    thread.once('exit', done);
    thread.on('message', (message) => {
      if (message === PARKED) done(PARKED);
    });
  });
  let isStopping = false;
  let cause: Error | undefined;
  let isReported = false;
  const failed = (how: string, error: Error): StoreError =>
    new StoreError('thread_failed', `${options.name} ${how}: ${error.message}`, { cause: error });
  const worker: StartedWorker<In> = {
    post: (message, transfer) => {
      if (!isStopping) thread.postMessage(message, transfer);
    },
    stop: async () => {
      isStopping = true;
      thread.postMessage(areThreadsKept() ? PARK : CLOSE);
      const fault = await waitForEnd(thread, ended);
      if (fault === PARKED) return parkThread(kind, thread);
      const error = cause ?? fault;
      if (error !== undefined && !isReported) throw failed('failed while it closed', error);
    },
  };
  return new Promise((resolve, reject) => {
    let isOpen = false;
    let refusal: StoreError | undefined;
    thread.on('message', (message: WorkerGreeting<Opened> | Out | typeof PARKED) => {
      if (message === PARKED) return;
      // Both casts are safe: a worker posts one greeting, as its first message.
      if (isOpen) return options.onMessage(message as Out);
      const greeting = message as WorkerGreeting<Opened>;
      isOpen = greeting.kind === 'opened';
      if (greeting.kind === 'opened') resolve({ worker, opened: greeting.opened });
      else refusal = new StoreError(greeting.code, greeting.message);
    });
    thread.once('error', (error) => {
      cause = error;
    });
    thread.once('exit', () => {
      if (isStopping) return;
      isReported = true;
      const error = cause ?? new Error(`${options.name} ended`);
      if (isOpen) options.onDeath(error);
      else reject(refusal ?? failed('failed', error));
    });
  });
}

function newThread({ entry, name, data }: ThreadKind & { readonly data: unknown }): Worker {
  // No Node flags: hooks of a test runner or debugger would cost each thread a second at its start.
  return new Worker(entry, { name, workerData: data, execArgv: [] });
}

/**
 * Returns what was wrong with the exit, apart from an uncaught error; PARKED if it did not exit.
 */
async function waitForEnd(
  thread: Worker,
  ended: Promise<ThreadEnd>,
): Promise<Error | typeof PARKED | undefined> {
  let isTerminated = false;
  const timer = setTimeout(() => {
    isTerminated = true;
    thread.terminate();
  }, STORE_PACE.stopMs);
  const end = await ended;
  clearTimeout(timer);
  if (end === PARKED) return end;
  if (isTerminated)
    return new Error(`it took more than ${STORE_PACE.stopMs} ms and was terminated`);
  return end === 0 ? undefined : new Error(`it exited with code ${end}`);
}
