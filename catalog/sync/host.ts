/**
 * The main thread's side of the sync: starts its thread, passes its pages to the catalog, and logs
 * the report of each run.
 *
 * Invariant: no command waits for the sync. A thread that dies is started again and continues after
 * the last stored page. Bound: one page is in transit at a time.
 */

import type { Logger } from '../../http/runtime/log.ts';
import type { ExchangeCatalog } from '../../persistence/index.ts';
import {
  type AnswerMessage,
  failureOf,
  SupervisedWorker,
} from '../../persistence/threads/index.ts';
import type { SyncMessage, SyncQuestion, SyncReport, SyncThreadData } from './run.ts';

export interface SyncHostOptions {
  readonly data: SyncThreadData;
  readonly catalog: Pick<ExchangeCatalog, 'write'>;
  readonly log: Logger;
  /** Called after each run. */
  readonly onRan: (report: SyncReport) => Promise<void>;
}

const ENTRY = new URL('./thread.ts', import.meta.url);
const REFUSALS_LOGGED = 5;

export class SyncHost {
  readonly #options: SyncHostOptions;
  readonly #worker: SupervisedWorker<AnswerMessage, undefined, SyncMessage>;
  /** The report of the last run, for tests. */
  lastReport: SyncReport | undefined;

  constructor(options: SyncHostOptions) {
    const { data, log } = options;
    const onDown = (error: Error): void => log.error({ err: error }, 'the sync thread died');
    this.#options = options;
    this.#worker = new SupervisedWorker({
      entry: ENTRY,
      name: 'the sync thread',
      data,
      onOpen: () => undefined,
      onMessage: (message) => this.#receive(message),
      onDown,
      onRefused: onDown,
    });
  }

  start(): void {
    this.#worker.start().catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'the sync thread did not start');
    });
  }

  async stop(): Promise<void> {
    await this.#worker.stop().catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'the sync thread did not stop in time');
    });
  }

  #receive(message: SyncMessage): void {
    const { log } = this.#options;
    switch (message.kind) {
      case 'mark':
      case 'page':
        this.#answer(message);
        return;
      case 'retry':
        log.info({ why: message.sentence, waitMs: message.waitMs }, 'the sync retries a request');
        return;
      case 'ran':
        this.#report(message.report);
        return;
      case 'broke':
        log.error({ why: message.message }, 'a sync failed; the next run continues where it was');
        return;
    }
  }

  #answer(question: SyncQuestion): void {
    const { id } = question;
    const { write } = this.#options.catalog;
    const answer =
      question.kind === 'mark'
        ? write.syncMark({ source: question.source, kind: question.of })
        : write.putPage(question.page);
    answer.then(
      (value) => this.#worker.post({ kind: 'answer', id, value }),
      (error: unknown) => this.#worker.post({ kind: 'failure', id, failure: failureOf(error) }),
    );
  }

  #report(report: SyncReport): void {
    const { log, onRan } = this.#options;
    this.lastReport = report;
    this.#worker.noteProgress();
    const { refusals, notes, failure, ...figures } = report;
    const refused = refusals.slice(0, REFUSALS_LOGGED).map(({ sentence }) => sentence);
    const shown = { ...figures, refusals: refused, notes: notes.slice(0, REFUSALS_LOGGED) };
    if (failure === undefined) log.info(shown, 'synced');
    else log.warn({ ...shown, why: failure }, 'a sync stopped early; the next run continues');
    onRan(report).catch((error: unknown) => {
      log.error({ err: error }, 'markets of a sync could not be opened');
    });
  }
}
