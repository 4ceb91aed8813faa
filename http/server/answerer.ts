/**
 * Answers requests: makes the reply of a handler's result or failure, writes it, and measures and
 * logs the request.
 *
 * Invariant: a request is answered once, or its connection is closed; a response that is over is
 * never touched again.
 */

import { randomBytes } from 'node:crypto';
import {
  ConnectionLost,
  hostNameOf,
  isForeignPage,
  RawReply,
  type RequestObserver,
  type RouteDefinition,
} from '../api/index.ts';
import type { HeaderList } from '../codec/index.ts';
import { ApiError, echo, toApiError } from '../errors/index.ts';
import type { Logger } from '../runtime/log.ts';
import { isLoopbackHost } from '../socket/client-address.ts';
import type { Incoming } from './incoming.ts';
import { errorReply, jsonReply, type Reply } from './reply.ts';
import type { ReplyWriter } from './reply-writer.ts';
import { DATA_V2 } from './router.ts';

/**
 * Ids of requests, for their answers and the log: the client's `x-request-id` if it is well formed,
 * or a new one. Invariant: new ids are unique, also across restarts.
 */
const REQUEST_ID = /^[\w.-]{1,64}$/;

export class RequestIds {
  /** Differs from the prefix of earlier processes. */
  readonly #prefix = randomBytes(4).toString('hex');
  #count = 0;

  /** `given`: the header of the request, '' if it is absent. */
  of(given: string): string {
    if (given !== '' && REQUEST_ID.test(given)) return given;
    this.#count += 1;
    return `${this.#prefix}-${this.#count.toString(36)}`;
  }
}

// Keeps pages of other sites away from a listener that only its own pages may use.
//
// A browser adds no credentials of the operator by itself, so a foreign page could do nothing that
// needs the token even without these checks. They are here so that this does not depend on how the
// token is sent, and so that no other site can show the operator's page as its own: a name of that
// site may lead to this machine (DNS rebinding), and the page would then run in its origin.

interface Entrance {
  readonly header: (name: string) => string;
  /** Whether only this machine can reach the listener. */
  readonly isLocal: boolean;
}

/**
 * Throws `foreign_origin` for a request that a page of another origin makes, and `foreign_host` for
 * a page that is asked for by a name that is not this machine's. Requests with a token may use any
 * name, because no browser sends them for another site; so may probes of health.
 */
export function refuseForeignPage(
  { auth, whenStarting }: Pick<RouteDefinition, 'auth' | 'whenStarting'>,
  { header, isLocal }: Entrance,
): void {
  const [origin, host] = [header('origin'), header('host')];
  if (isForeignPage(origin, host)) {
    throw new ApiError('foreign_origin', {
      field: 'Origin',
      limit: echo(host),
      actual: echo(origin),
    });
  }
  const isPage = auth === 'none' && whenStarting === undefined;
  if (isPage && isLocal && !isLoopbackHost(hostNameOf(host))) {
    throw new ApiError('foreign_host', { field: 'Host', actual: echo(host) });
  }
}

export interface AnswererOptions {
  readonly replies: ReplyWriter;
  readonly log: Logger;
  readonly cors: boolean;
  readonly observer: RequestObserver | undefined;
}

/** What a browser sees while the exchange starts or stops. It asks again by itself. */
export const NOT_READY_PAGE = new RawReply(
  503,
  '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="1">' +
    '<meta name="viewport" content="width=device-width">' +
    '<meta name="color-scheme" content="light dark"><title>outcome-exchange</title>' +
    '<h1>outcome-exchange</h1><p>The exchange is not ready: it starts or stops. This page ' +
    'asks again every second.</p></html>',
  'text/html; charset=utf-8',
);

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
    const traceId = DATA_V2.test(path) ? requestId : undefined;
    this.reply(incoming, errorReply(error, { dialect, route, traceId }), error.code);
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
    const { response, requestId, method, path, route, framing } = incoming;
    const { replies, cors, observer } = this.#options;
    const startMs = performance.now();
    const further: HeaderList = DATA_V2.test(path)
      ? [...incoming.further, ['x-trace-id', requestId]]
      : incoming.further;
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
