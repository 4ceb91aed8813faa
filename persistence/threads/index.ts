/**
 * Worker threads: how one starts, answers questions, reports its death, starts again and stops.
 *
 * `runWorker` is the inside of every worker. The main thread's side is one of three:
 * `startWorker` (a death is final: the journal), `SupervisedWorker` (starts again when it dies) or
 * `WorkerClient` (a supervised worker that answers questions; its file says how to write one).
 */
export * from './answer-questions.ts';
export * from './parked-threads.ts';
export * from './pending-answers.ts';
export * from './run-worker.ts';
export * from './seq-throttle.ts';
export * from './start-worker.ts';
export * from './supervised-worker.ts';
export * from './thread-priority.ts';
export * from './worker-client.ts';
