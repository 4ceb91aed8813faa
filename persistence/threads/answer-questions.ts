/**
 * The inner side of a thread that is asked and answers: each message is one question and gets one
 * answer; one that throws is answered with why, and the next is taken as usual.
 */
import SqliteDatabase from 'better-sqlite3';
import {
  type CatalogFault,
  CatalogRefusal,
  type CatalogRefusalCode,
} from '../catalog/model/index.ts';
import {
  CatalogImportError,
  type ImportErrorKind,
  type ImportRefusal,
} from '../catalog/records/index.ts';
import { StoreError, type StoreErrorCode } from '../shared/index.ts';
import type { WorkerHandler } from './run-worker.ts';

export interface QuestionMessage {
  readonly id: number;
  readonly kind: string;
  readonly ask: unknown;
}

/** An error as it goes from thread to thread: what is thrown loses its class on the way. */
export type ThreadFailure =
  | {
      readonly kind: 'import';
      readonly of: ImportErrorKind;
      readonly refusals: readonly ImportRefusal[];
      readonly count: number;
    }
  | ({ readonly kind: 'refusal'; readonly code: CatalogRefusalCode } & CatalogFault)
  | { readonly kind: 'store'; readonly code: StoreErrorCode; readonly message: string }
  /** The file or its disk. */
  | { readonly kind: 'database'; readonly message: string }
  | { readonly kind: 'mistake'; readonly message: string };

export type AnswerMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: ThreadFailure };

export interface AskedWork {
  /** Throws what the asker is to be told. */
  answer(kind: string, ask: unknown): unknown;
  close(): void;
}

export function answerQuestions(
  work: AskedWork,
  post: (message: AnswerMessage) => void,
): WorkerHandler<undefined, QuestionMessage> {
  return {
    opened: undefined,
    receive: ({ id, kind, ask }) => {
      let answer: AnswerMessage;
      try {
        answer = { kind: 'answer', id, value: work.answer(kind, ask) };
      } catch (error) {
        answer = { kind: 'failure', id, failure: failureOf(error) };
      }
      post(answer);
    },
    close: () => work.close(),
  };
}

function failureOf(error: unknown): ThreadFailure {
  if (error instanceof CatalogImportError) {
    const { kind: of, refusals, count } = error;
    return { kind: 'import', of, refusals, count };
  }
  if (error instanceof CatalogRefusal) {
    const { code, field, limit, actual } = error;
    return { kind: 'refusal', code, field, limit, actual };
  }
  if (error instanceof StoreError) {
    return { kind: 'store', code: error.code, message: error.message };
  }
  const message = error instanceof Error ? error.message : `${error}`;
  const isDatabase = error instanceof SqliteDatabase.SqliteError;
  return { kind: isDatabase ? 'database' : 'mistake', message };
}
