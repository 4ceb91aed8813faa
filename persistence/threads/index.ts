/**
 * Worker threads: how they start, answer questions, report their death and stop.
 */
export { WorkerClient } from './worker-client.ts';
export { type AnswerMessage, answerQuestions } from './answer-questions.ts';
export { SupervisedWorker } from './supervised-worker.ts';
export { SeqThrottle } from './seq-throttle.ts';
export { type Post, runWorker, type WorkerHandler } from './run-worker.ts';
export { startWorker } from './start-worker.ts';
export { takePlace, threadSeconds } from './thread-priority.ts';
