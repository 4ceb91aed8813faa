/**
 * The main thread's side of a kept thread that is asked and answers: each question is answered
 * once, in the order asked, or refused. Invariant: what the thread had not answered when it died is
 * refused with `downCode`. Bound: `waitingLimit` questions; excess: `overloaded`.
 */

import { CatalogRefusal } from '../catalog/model/index.ts';
import {
  CatalogImportError,
  type ImportErrorKind,
  type ImportRefusal,
  RefusalList,
} from '../catalog/records/index.ts';
import { StoreError, type StoreErrorCode } from '../shared/index.ts';
import type { AnswerMessage, QuestionMessage, ThreadFailure } from './answer-questions.ts';
import { SupervisedWorker } from './supervised-worker.ts';

export interface WorkerClientOptions {
  readonly entry: URL;
  readonly name: string;
  readonly data: unknown;
  readonly downCode: StoreErrorCode;
  readonly waitingLimit: number;
  /** The thread is down; it is started again by itself. */
  readonly onDown: (error: Error) => void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class WorkerClient {
  readonly #options: WorkerClientOptions;
  readonly #thread: SupervisedWorker<QuestionMessage, undefined, AnswerMessage>;
  /** By request id. */
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor(options: WorkerClientOptions) {
    const { entry, name, data, onDown } = options;
    const down = (error: Error): void => {
      this.#refuseAll(error.message);
      onDown(error);
    };
    this.#options = options;
    this.#thread = new SupervisedWorker({
      entry,
      name,
      data,
      onOpen: () => undefined,
      onMessage: (message) => this.#answered(message),
      onDown: down,
      onRefused: down,
    });
  }

  get isUp(): boolean {
    return this.#thread.isUp;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** Throws what the thread refuses with. */
  start(): Promise<void> {
    return this.#thread.start();
  }

  /** The answer's type is what the work gives for the kind: its typed side is the caller. */
  async ask(kind: string, ask: unknown): Promise<unknown> {
    const { waitingLimit, name } = this.#options;
    if (this.#waiting.size >= waitingLimit) {
      throw new StoreError('overloaded', `${this.#waiting.size} requests wait for ${name}`);
    }
    if (!this.#thread.isUp) throw this.#unavailable('it is being started again');
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#thread.post({ id, kind, ask });
    });
  }

  async stop(): Promise<void> {
    await this.#thread.stop().finally(() => this.#refuseAll('the exchange is stopping'));
  }

  #answered(message: AnswerMessage): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    this.#thread.noteProgress();
    if (message.kind === 'answer') waiting?.resolve(message.value);
    else waiting?.reject(this.#errorOf(message.failure));
  }

  #refuseAll(why: string): void {
    for (const waiting of this.#waiting.values()) waiting.reject(this.#unavailable(why));
    this.#waiting.clear();
  }

  #unavailable(why: string): StoreError {
    return new StoreError(this.#options.downCode, `${this.#options.name} is not there: ${why}`);
  }

  #errorOf(failure: ThreadFailure): Error {
    switch (failure.kind) {
      case 'import':
        return importError(failure.of, failure.refusals, failure.count);
      case 'refusal':
        return new CatalogRefusal(failure.code, failure);
      case 'store':
        return new StoreError(failure.code, failure.message);
      case 'database':
        return this.#unavailable(failure.message);
      case 'mistake':
        return new Error(failure.message);
    }
  }
}

function importError(
  kind: ImportErrorKind,
  refusals: readonly ImportRefusal[],
  count: number,
): CatalogImportError {
  const list = new RefusalList();
  list.listed.push(...refusals);
  list.count = count;
  return new CatalogImportError(list, kind);
}
