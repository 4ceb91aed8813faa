/**
 * Answers requests: makes the reply of a handler's result or failure, writes it, and measures and
 * logs the request.
 *
 * Invariant: a request is answered once, or its connection is closed; a response that is over is
 * never touched again.
 */
import { ConnectionLost, RawReply, type RequestObserver } from '../api/index.ts';
import { ApiError, echo, toApiError } from '../errors/index.ts';
import type { Logger } from '../runtime/index.ts';
import type { Incoming } from './incoming.ts';
import { errorReply, jsonReply, type Reply } from './reply.ts';
import type { ReplyWriter } from './reply-writer.ts';

export interface AnswererOptions {
  readonly replies: ReplyWriter;
  readonly log: Logger;
  readonly cors: boolean;
  readonly observer: RequestObserver | undefined;
}

export class Answerer {
  readonly #options: AnswererOptions;
  /** Whether each request is logged. */
  readonly #logsRequests: boolean;

  constructor(options: AnswererOptions) {
    this.#options = options;
    this.#logsRequests = options.log.isLevelEnabled('debug');
  }

  /** Answers with what the handler returned. */
  succeed(incoming: Incoming, value: unknown): void {
    try {
      const status = incoming.route?.status ?? 200;
      this.reply(incoming, value instanceof RawReply ? value : jsonReply(status, value));
    } catch (failure) {
      this.fail(incoming, failure);
    }
  }

  /** Answers with a refusal, or with `internal_error` for any other failure, which is logged. */
  fail(incoming: Incoming, failure: unknown): void {
    if (failure instanceof ConnectionLost) {
      this.#cut(incoming);
      return;
    }
    const { requestId, method, path, route, dialect } = incoming;
    const known = toApiError(failure);
    if (known === undefined) {
      const asked = { requestId, method: echo(method), path: echo(path) };
      this.#options.log.error({ err: failure, ...asked }, 'a request failed');
    }
    const error = known ?? new ApiError('internal_error', { requestId });
    this.#options.observer?.refused(error.code);
    const { row, field } = error.details;
    if (error.code === 'too_many_requests') this.#options.observer?.limited(String(row));
    if (error.code === 'overloaded') this.#options.observer?.overloaded(String(field));
    this.reply(incoming, errorReply(error, dialect, route), error.code);
  }

  /** `code` is that of a failure, for the log. */
  reply(incoming: Incoming, reply: Reply, code = ''): void {
    if (incoming.framing === 'plain') this.#write(incoming, reply, code);
    // A request pipelined behind it then finds it unanswered, and closes the connection.
    else setImmediate(() => this.#write(incoming, reply, code));
  }

  #write(incoming: Incoming, reply: Reply, code: string): void {
    if (incoming.isOver) {
      incoming.trace?.unanswered();
      return;
    }
    incoming.isOver = true;
    const { response, requestId, method, further, route, framing } = incoming;
    const { replies, cors, observer } = this.#options;
    const startMs = performance.now();
    const [isHead, isLast] = [method === 'HEAD', framing !== 'plain'];
    replies.write(response, reply, { requestId, cors, isHead, isLast, further });
    const endMs = performance.now();
    observer?.answered(route, reply.status, endMs - incoming.arrivedMs, endMs - startMs);
    incoming.trace?.answered({ status: reply.status, code, startMs, endMs });
    if (!this.#logsRequests) return;
    const { status } = reply;
    this.#logRequest(incoming, 'a request', code === '' ? { status } : { status, code });
  }

  /** Logs a request without its query, which may contain private data. */
  #logRequest(incoming: Incoming, message: string, outcome: object): void {
    const { requestId, method, path, arrivedMs } = incoming;
    const durationMs = performance.now() - arrivedMs;
    const line = { requestId, method: echo(method), path: echo(path), ...outcome, durationMs };
    this.#options.log.debug(line, message);
  }

  /** The connection ended before the client had its whole answer. */
  aborted(incoming: Incoming): void {
    this.#options.observer?.aborted();
    incoming.trace?.left();
    if (this.#logsRequests) this.#logRequest(incoming, 'a request was aborted', {});
  }

  /** Closes the connection without an answer. */
  #cut(incoming: Incoming): void {
    if (incoming.isOver) return;
    incoming.isOver = true;
    incoming.response.close();
    incoming.trace?.unanswered();
    this.aborted(incoming);
  }
}
