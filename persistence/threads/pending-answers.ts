/**
 * Questions that were posted to another thread and are not answered yet: a map of question number
 * to promise. Invariant: each promise settles once, with the answer, its failure, or `rejectAll`.
 */
import SqliteDatabase from 'better-sqlite3';
import { messageOf, StoreError, type StoreErrorCode } from '../shared/index.ts';

export interface QuestionMessage {
  readonly id: number;
  readonly kind: string;
  readonly question: unknown;
}

export type AnswerMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: WorkerFailure };

/** An error in a form that can be posted: a posted error loses its class and its own fields. */
export type WorkerFailure =
  | { readonly kind: 'encoded'; readonly error: unknown }
  | { readonly kind: 'store'; readonly code: StoreErrorCode; readonly message: string }
  /** SQLite failed: the database file or its disk. */
  | { readonly kind: 'database'; readonly message: string }
  | { readonly kind: 'mistake'; readonly message: string };

/** Turns the errors of one room into a value that can be posted, and back. */
export interface ErrorCodec {
  /** Returns undefined for an error that is not the room's own. */
  encode(error: unknown): unknown;
  decode(encoded: unknown): Error;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class PendingAnswers {
  /** By question number. */
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  get size(): number {
    return this.#waiting.size;
  }

  /** Calls `post` with the question's number and resolves with its answer. */
  ask(post: (id: number) => void): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      post(id);
    });
  }

  settle(message: AnswerMessage, errorOf: (failure: WorkerFailure) => Error): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === 'answer') waiting?.resolve(message.value);
    else waiting?.reject(errorOf(message.failure));
  }

  rejectAll(error: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

export function failureOf(error: unknown, codec?: ErrorCodec): WorkerFailure {
  const encoded = codec?.encode(error);
  if (encoded !== undefined) return { kind: 'encoded', error: encoded };
  if (error instanceof StoreError) {
    return { kind: 'store', code: error.code, message: error.message };
  }
  const message = messageOf(error);
  const isDatabase = error instanceof SqliteDatabase.SqliteError;
  return { kind: isDatabase ? 'database' : 'mistake', message };
}
