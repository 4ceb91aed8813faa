/**
 * Worker threads: how one starts, answers questions, reports its death, starts again and stops.
 *
 * `runWorker` is the inside of every worker. The main thread's side is one of three:
 * `startWorker` (a death is final: the journal), `SupervisedWorker` (starts again when it dies) or
 * `WorkerClient` (a supervised worker that answers questions; its file says how to write one).
 */
export {
  type AnswerTable,
  answerFrom,
  answerQuestions,
  type QuestionHandler,
  type QuestionKinds,
} from './answer-questions.ts';
export { endParked, keepThreads } from './parked-threads.ts';
export {
  type AnswerMessage,
  type ErrorCodec,
  failureOf,
  PendingAnswers,
  type QuestionMessage,
  type WorkerFailure,
} from './pending-answers.ts';
export { type Post, runWorker, type WorkerHandler } from './run-worker.ts';
export { SeqThrottle } from './seq-throttle.ts';
export { prepareThread, startWorker } from './start-worker.ts';
export { SupervisedWorker } from './supervised-worker.ts';
export { lowerRuntimePriority, type ThreadName, threadSeconds } from './thread-priority.ts';
export { WorkerClient } from './worker-client.ts';
