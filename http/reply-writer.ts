/**
 * Writes replies: always JSON, always with a request id, in one piece; and keeps what a client has
 * not taken yet.
 *
 * Invariant: nothing is written to a response that was aborted or answered; the caller sees to the
 * first writing and tells of aborts. While a reply waits for its client, its connection gets no
 * other: the library closes one on which a further request comes.
 * Bound: of a connection, one reply that waits here and a piece (16 KB) that waits in the library;
 * of all, `unreadBytes` of bodies: beyond it the clients that have waited longest are cut.
 */
import { STATUS_CODES } from 'node:http';
import type { Reply } from './reply.ts';
import type { LimitHeaders } from './server-hooks.ts';
import type { HttpResponse } from './socket-library.ts';

export interface ReplyContext {
  readonly requestId: string;
  /** Whether pages of any origin may read the reply. */
  readonly cors: boolean;
  /** Whether the client asked for the head of the reply alone. */
  readonly isHead: boolean;
  /** Whether the connection is closed after it. */
  readonly isLast: boolean;
  /** Where the client stands with its rate limits. */
  readonly limits: LimitHeaders;
}

/** What waits for its client. */
interface Unread {
  readonly reply: Reply;
  readonly byteLength: number;
}

/** The status line of every status, made once. */
const STATUS_LINES = new Map<number, string>(
  Object.entries(STATUS_CODES).map(([status, words]) => [Number(status), `${status} ${words}`]),
);

export class ReplyWriter {
  readonly #unreadLimit: number;
  /** The one that has waited longest first. */
  readonly #unread = new Map<HttpResponse, Unread>();
  #unreadBytes = 0;
  #cut = 0;

  constructor(unreadLimit: number) {
    this.#unreadLimit = unreadLimit;
  }

  /** Bytes of bodies that their clients have not taken yet. */
  get unreadBytes(): number {
    return this.#unreadBytes;
  }

  /** Clients that were cut since the start, to make room. */
  get cutCount(): number {
    return this.#cut;
  }

  /** Ends a response, at once or as its client takes it. */
  write(response: HttpResponse, reply: Reply, context: ReplyContext): void {
    let isTaken = true;
    response.cork(() => {
      writeHead(response, reply, context);
      isTaken = writeBody(response, reply.body, context);
    });
    if (isTaken) giveBack(reply);
    else this.#keep(response, reply);
  }

  /** The connection is gone. Says whether anything waited for its client. */
  drop(response: HttpResponse): boolean {
    const unread = this.#unread.get(response);
    if (unread === undefined) return false;
    this.#unread.delete(response);
    this.#unreadBytes -= unread.byteLength;
    giveBack(unread.reply);
    return true;
  }

  #keep(response: HttpResponse, reply: Reply): void {
    const bytes = bytesOf(reply.body);
    this.#unread.set(response, { reply, byteLength: bytes.byteLength });
    this.#unreadBytes += bytes.byteLength;
    response.onWritable((offset) => {
      const [isWritten, isTaken] = response.tryEnd(bytes.subarray(offset), bytes.byteLength);
      if (isTaken) this.drop(response);
      return isWritten;
    });
    this.#makeRoom();
  }

  /** What came last stays, for it may not be closed while its request is at work. */
  #makeRoom(): void {
    for (const [oldest] of this.#unread) {
      if (this.#unreadBytes <= this.#unreadLimit || this.#unread.size === 1) return;
      this.#cut += 1;
      oldest.close(); // who is told of its end drops it
      this.drop(oldest);
    }
  }
}

const bytesOf = (body: string | Uint8Array): Uint8Array =>
  typeof body === 'string' ? Buffer.from(body) : body;

const writeHead = (response: HttpResponse, reply: Reply, context: ReplyContext): void => {
  const { status, contentType = 'application/json', headers = [] } = reply;
  // The library says 200 by itself, and each call to it costs as much as some of our own checks.
  if (status !== 200) response.writeStatus(STATUS_LINES.get(status) ?? String(status));
  response.writeHeader('content-type', contentType);
  response.writeHeader('x-request-id', context.requestId);
  if (context.cors) {
    response.writeHeader('access-control-allow-origin', '*');
    // All of them: no answer depends on credentials that a browser adds by itself.
    response.writeHeader('access-control-expose-headers', '*');
  }
  for (const [name, value] of context.limits) response.writeHeader(name, value);
  for (const [name, value] of headers) response.writeHeader(name, value);
};

/**
 * Says whether all was taken. That a socket takes no more the library tells by `tryEnd` alone,
 * and not where there is nothing to write; by `end` it keeps whatever a client asks for and never
 * reads. So a connection ends with the answer to a HEAD: the library, given a length, leaves the
 * response open, and closes at the next request.
 */
const writeBody = (
  response: HttpResponse,
  body: string | Uint8Array,
  { isHead, isLast }: ReplyContext,
): boolean => {
  if (!isHead && !isLast) return response.tryEnd(body, 0)[1];
  if (isLast) response.end(isHead ? '' : body, true);
  else response.writeHeader('connection', 'close').endWithoutBody(Buffer.byteLength(body));
  return true;
};

/**
 * The library has written or copied it. The collector counts such memory and, left to find it by
 * itself, would stop this thread for milliseconds after every few dozen large answers.
 */
const giveBack = ({ memory = [] }: Reply): void => {
  for (const part of memory) part.transfer(0);
};
