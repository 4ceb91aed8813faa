/**
 * The main thread's side of the sync: starts its thread, hands what it brings to the catalog, and
 * logs what came of it.
 *
 * Invariant: nothing of the sync is on a command's way; a thread that died is started again after a
 * pause, and goes on where it was. Bound: one page is on its way at a time.
 */
import { Worker } from 'node:worker_threads';
import type { ExchangeCatalog } from '../../persistence/index.ts';
import type { Logger } from '../api/index.ts';
import {
  CLOSE,
  type SyncAnswer,
  type SyncAsk,
  type SyncMessage,
  type SyncThreadData,
} from './sync-protocol.ts';
import type { SyncReport } from './sync-run.ts';

export interface SyncHostOptions {
  readonly data: SyncThreadData;
  readonly catalog: Pick<ExchangeCatalog, 'write'>;
  readonly log: Logger;
  /** After each run that brought something. */
  readonly onRan: (report: SyncReport) => Promise<void>;
}

const ENTRY = new URL('./sync-thread.ts', import.meta.url);
const RESTART_MS = 10_000;
/** How long the thread may take to end when asked, before it is ended. */
const STOP_MS = 2_000;
const REFUSALS_LOGGED = 5;

export class SyncHost {
  readonly #options: SyncHostOptions;
  #worker: Worker | undefined;
  #exited: Promise<void> = Promise.resolve();
  #restart: NodeJS.Timeout | undefined;
  #isStopping = false;
  /** Of the last run; for tests and for whoever watches. */
  lastReport: SyncReport | undefined;

  constructor(options: SyncHostOptions) {
    this.#options = options;
  }

  start(): void {
    const { data, log } = this.#options;
    // No flags, as of the store's threads.
    const worker = new Worker(ENTRY, { workerData: data, execArgv: [] });
    this.#worker = worker;
    this.#exited = new Promise((done) => worker.once('exit', () => done()));
    worker.on('message', (message: SyncMessage) => this.#heard(message));
    worker.once('error', (error) => log.error({ err: error }, 'the thread that syncs died'));
    worker.once('exit', () => this.#exitedFrom(worker));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restart);
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.postMessage(CLOSE);
    const timer = setTimeout(() => worker.terminate(), STOP_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  #exitedFrom(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined;
    if (this.#isStopping) return;
    this.#restart = setTimeout(() => this.start(), RESTART_MS).unref();
  }

  #heard(message: SyncMessage): void {
    const { log } = this.#options;
    switch (message.kind) {
      case 'mark':
      case 'page':
        this.#answer(message);
        return;
      case 'retry':
        log.info({ why: message.sentence, waitMs: message.waitMs }, 'the sync asks again later');
        return;
      case 'ran':
        this.#ran(message.report);
        return;
      case 'broke':
        log.error({ why: message.message }, 'a sync broke off; the next goes on where it was');
        return;
    }
  }

  #answer(ask: SyncAsk): void {
    const { id } = ask;
    const post = (answer: SyncAnswer): void => this.#worker?.postMessage(answer);
    const { write } = this.#options.catalog;
    const asked =
      ask.kind === 'mark'
        ? write.syncMark({ source: ask.source, kind: ask.of })
        : write.putPage(ask.page);
    asked.then(
      (value) => post({ id, value }),
      (error: unknown) => post({ id, error: error instanceof Error ? error.message : `${error}` }),
    );
  }

  #ran(report: SyncReport): void {
    const { log, onRan } = this.#options;
    this.lastReport = report;
    const { refusals, notes, failure, ...figures } = report;
    const refused = refusals.slice(0, REFUSALS_LOGGED).map(({ sentence }) => sentence);
    const shown = { ...figures, refusals: refused, notes: notes.slice(0, REFUSALS_LOGGED) };
    if (failure === undefined) log.info(shown, 'synced');
    else log.warn({ ...shown, why: failure }, 'a sync ended before its end; the next goes on');
    onRan(report).catch((error: unknown) => {
      log.error({ err: error }, 'what a sync brought can not be traded');
    });
  }
}
