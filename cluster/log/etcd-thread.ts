/**
 * The thread of the log in etcd: it encodes, compresses and sends, so that this costs the matching
 * thread nothing. Invariant: after `deposed` or `failed` it appends nothing more.
 */
import '../../persistence/threads/node-version.ts';
import { strict as assert } from 'node:assert';
import { STORE_PACE, StoreError } from '../../persistence/shared/index.ts';
import {
  type AnswerMessage,
  failureOf,
  type Post,
  type QuestionMessage,
  runWorker,
  type WorkerFailure,
  type WorkerHandler,
} from '../../persistence/threads/index.ts';
import type { LogEvent, LogPart, LogPosition } from './command-log.ts';
import { checkReports, isReport, reportsOf } from './etcd-checks.ts';
import { EtcdHttp } from './etcd-http.ts';
import { EtcdStore } from './etcd-store.ts';
import { type LogClock, monotonicMs, NoAnswerError } from './key-value-store.ts';
import { LogNode } from './log-node.ts';
import type { EtcdStatus, LogTerms, LogTls, ReplicatedLogOptions } from './replicated-log.ts';
import { untilAnswered } from './retry.ts';

export type EtcdThreadData = Omit<ReplicatedLogOptions, 'onEvent' | 'terms'>;

export type EtcdRequest =
  | QuestionMessage
  | { readonly append: LogPart }
  /** The main thread is alive. */
  | { readonly pulse: true }
  | { readonly tls: LogTls };

export type EtcdMessage =
  | AnswerMessage
  | Exclude<LogEvent, { kind: 'failed' }>
  /** `failed` of the log: an error that is posted as it is loses its code. */
  | { readonly kind: 'ended'; readonly failure: WorkerFailure };

class EtcdWork implements WorkerHandler<undefined, EtcdRequest> {
  readonly opened = undefined;
  readonly #data: EtcdThreadData;
  readonly #post: Post<EtcdMessage>;
  readonly #http: EtcdHttp;
  #node: LogNode | undefined;
  #quotaBytes: number | undefined;
  #pulseMs = monotonicMs();
  #isClosed = false;

  constructor(data: EtcdThreadData, post: Post<EtcdMessage>) {
    this.#data = data;
    this.#post = post;
    this.#http = new EtcdHttp(data.tls);
  }

  receive(request: EtcdRequest): void {
    if ('pulse' in request) {
      this.#pulseMs = monotonicMs();
      return;
    }
    if ('tls' in request) {
      this.#http.renew(request.tls);
      return;
    }
    if ('append' in request) {
      this.#opened.append(request.append);
      return;
    }
    const { id, kind, question } = request;
    this.#answer(kind, question).then(
      (value) => this.#post({ kind: 'answer', id, value }),
      (error: unknown) => {
        this.#post({ kind: 'failure', id, failure: failureOf(withoutAnswer(error)) });
      },
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#node?.close();
    this.#http.close();
  }

  get #opened(): LogNode {
    assert(this.#node !== undefined, 'the log is opened first');
    return this.#node;
  }

  /** Safe, all casts: `EtcdLog` pairs each kind with the type of its question. */
  async #answer(kind: string, question: unknown): Promise<unknown> {
    switch (kind) {
      case 'open':
        return this.#open(question as LogTerms);
      case 'look':
        return this.#opened.look(question as LogPosition);
      case 'claim':
        return this.#opened.claim(question as LogPosition);
      case 'resign':
        return this.#opened.resign();
      case 'entries':
        return this.#opened.entries(question as LogPosition);
      case 'keepFor': {
        const { synced, isSought } = question as { synced: LogPosition; isSought: boolean };
        return this.#opened.keepFor(synced, isSought);
      }
      case 'registered':
        return this.#opened.registered();
      case 'forget':
        return this.#opened.forget(question as string);
      case 'status':
        return this.#status();
      default:
        throw new Error(`there is no question of kind ${kind}`);
    }
  }

  async #open(terms: LogTerms): Promise<string> {
    const { urls, prefix, node, feedAddress } = this.#data;
    const clock = { now: monotonicMs, after };
    const { reports, clusterId } = await this.#check(clock);
    const quotas = reports.filter(isReport).map(({ quotaBytes }) => quotaBytes);
    this.#quotaBytes = quotas.find((quota) => quota !== undefined);
    const isSilent = (url: string): boolean =>
      !reports.some((one) => one.url === url && isReport(one));
    this.#node = new LogNode({
      store: new EtcdStore({
        http: this.#http,
        // The first transaction asks one that answers.
        urls: urls.toSorted((one, other) => Number(isSilent(one)) - Number(isSilent(other))),
        clusterId,
      }),
      clock,
      prefix,
      node,
      feedAddress,
      onEvent: (event) =>
        this.#post(
          event.kind === 'failed' ? { kind: 'ended', failure: failureOf(event.error) } : event,
        ),
      mayBeat: () => monotonicMs() - this.#pulseMs < STORE_PACE.hangMs,
    });
    return this.#node.join(terms);
  }

  /** Waits until a node of etcd answers: hosts may start one after the other. */
  async #check(clock: LogClock) {
    const patience = {
      clock,
      isClosed: () => this.#isClosed,
      onOutage: ({ message }: NoAnswerError) => this.#post({ kind: 'outage', message }),
    };
    const { result } = await untilAnswered(patience, async () => {
      const reports = await reportsOf(this.#http, this.#data.urls, { withMetrics: true });
      return { reports, clusterId: checkReports(reports) };
    });
    return result;
  }

  async #status(): Promise<EtcdStatus> {
    const reports = await reportsOf(this.#http, this.#data.urls, { withMetrics: false });
    const sizes = reports.filter(isReport).map(({ sizeBytes }) => sizeBytes);
    return {
      endpoints: reports.map((one) => ({
        url: one.url,
        isAnswering: isReport(one),
        isLeader: isReport(one) && one.isLeader,
      })),
      sizeBytes: sizes.length === 0 ? undefined : Math.max(...sizes),
      quotaBytes: this.#quotaBytes,
    };
  }
}

function withoutAnswer(error: unknown): unknown {
  if (!(error instanceof NoAnswerError)) return error;
  return new StoreError('log_unavailable', `etcd does not answer: ${error.message}`);
}

function after(delayMs: number, call: () => void): () => void {
  const timer = setTimeout(call, delayMs);
  return () => clearTimeout(timer);
}

runWorker('etcd', (data: EtcdThreadData, post: Post<EtcdMessage>) => new EtcdWork(data, post));
