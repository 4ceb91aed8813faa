/**
 * The inside of a worker thread that answers the questions of a `WorkerClient`, one at a time, in
 * the order in which they arrive. A question that throws is answered with its error, and the worker
 * goes on.
 */
import { strict as assert } from 'node:assert';
import {
  type AnswerMessage,
  type ErrorCodec,
  failureOf,
  type QuestionMessage,
} from './pending-answers.ts';
import type { Post, WorkerHandler } from './run-worker.ts';

/** For each kind of question, what is asked and what is answered. */
export type QuestionKinds<Kinds> = {
  readonly [Kind in keyof Kinds]: { readonly ask: unknown; readonly answer: unknown };
};

export type AnswerTable<Kinds extends QuestionKinds<Kinds>> = {
  readonly [Kind in keyof Kinds]: (question: Kinds[Kind]['ask']) => Kinds[Kind]['answer'];
};

export interface QuestionHandler {
  /** Throws the error that rejects the asker's promise. */
  answer(kind: string, question: unknown): unknown;
  close(): void;
  /** Encodes the room's own errors; see `WorkerClientOptions.errors`. */
  readonly errors?: ErrorCodec;
  /** Buffers of an answer that move to the main thread. They are detached here afterwards. */
  readonly transferOf?: (answer: unknown) => readonly ArrayBuffer[];
}

export function answerQuestions(
  handler: QuestionHandler,
  post: Post<AnswerMessage>,
): WorkerHandler<undefined, QuestionMessage> {
  return {
    opened: undefined,
    receive: ({ id, kind, question }) => {
      let value: unknown;
      try {
        value = handler.answer(kind, question);
      } catch (error) {
        post({ kind: 'failure', id, failure: failureOf(error, handler.errors) });
        return;
      }
      post({ kind: 'answer', id, value }, handler.transferOf?.(value));
    },
    close: () => handler.close(),
  };
}

export function answerFrom<Kinds extends QuestionKinds<Kinds>>(
  table: AnswerTable<Kinds>,
  kind: string,
  question: unknown,
): unknown {
  assert(Object.hasOwn(table, kind), `there is a question of kind ${kind}`);
  // Safe: `WorkerClient.ask` pairs the kind of a question with its type.
  const answer = table[kind as keyof Kinds] as (question: unknown) => unknown;
  return answer(question);
}
