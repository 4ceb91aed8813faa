/**
 * Writes replies: always with a request id, in one piece; and keeps what a client has not taken.
 *
 * What a socket does not take the library tells by `tryEnd` alone, and only where there is a byte
 * to write; by `end` it keeps all that is asked for by a client that never reads, also where it was
 * told to close. So nothing is ended but by `tryEnd`. The last reply of a connection is never ended
 * at all: the library is told of more than there is, so that the response stays ours to close, and
 * a further request closes the connection by itself.
 *
 * Invariant: nothing is written to a response that was aborted or answered; the caller sees to the
 * first writing and tells of aborts. A connection gets no reply while another waits for its client.
 * Bound: of a connection, one reply that waits here and a piece (16 KB) that waits in the library;
 * of all, `unreadBytes` of bodies: beyond it those clients are cut that have taken nothing for
 * longest.
 */
import { STATUS_CODES } from 'node:http';
import { HTTP_BOUNDS } from '../bounds/index.ts';
import type { HeaderList } from '../codec/index.ts';
import type { HttpResponse } from '../socket/index.ts';
import type { Reply } from './reply.ts';

export interface ReplyContext {
  readonly requestId: string;
  /** Whether pages of any origin may read the reply. */
  readonly cors: boolean;
  /** Whether the client asked for the head of the reply alone. */
  readonly isHead: boolean;
  /** Whether the connection is closed after it. */
  readonly isLast: boolean;
  /** Where the client stands with its rate limits. */
  readonly limits: HeaderList;
}

/** What waits for its client. */
interface Unread {
  readonly bytes: Uint8Array;
  /** That of the bytes, where it is given back. */
  readonly memory: readonly ArrayBuffer[];
  readonly isLast: boolean;
  /** Of the body, as far as the library took it. */
  offset: number;
}

/** The status line of every status, made once. */
const STATUS_LINES = new Map<number, string>(
  Object.entries(STATUS_CODES).map(([status, words]) => [Number(status), `${status} ${words}`]),
);

export class ReplyWriter {
  readonly #unreadLimit: number;
  /** Told when nothing waits any more. */
  readonly #onIdle: () => void;
  /** The one that has taken nothing for longest first. */
  readonly #unread = new Map<HttpResponse, Unread>();
  /** Those that have their last reply, until they are closed. */
  readonly #lingering = new Map<HttpResponse, NodeJS.Timeout>();
  /** How many wait for the same bytes: those of a document are kept once. */
  readonly #holders = new Map<Uint8Array, number>();
  #unreadBytes = 0;
  #cut = 0;

  constructor(unreadLimit: number, onIdle: () => void = () => {}) {
    this.#unreadLimit = unreadLimit;
    this.#onIdle = onIdle;
  }

  /** Whether all clients have taken their replies. */
  get isIdle(): boolean {
    return this.#unread.size === 0;
  }

  /** Bytes of the bodies that clients have not taken whole; of one for several, once. */
  get unreadBytes(): number {
    return this.#unreadBytes;
  }

  /** Clients that were cut since the start, to make room. */
  get cutCount(): number {
    return this.#cut;
  }

  /** Answers at once, or as the client takes it. */
  write(response: HttpResponse, reply: Reply, context: ReplyContext): void {
    const { isHead, isLast } = context;
    let isTaken = true;
    response.cork(() => {
      writeHead(response, reply, context);
      if (isHead) response.tryEnd('', Buffer.byteLength(reply.body));
      else if (isLast) isTaken = false;
      else isTaken = response.tryEnd(reply.body, 0)[1];
    });
    if (!isTaken) this.#keep(response, reply, isLast);
    else {
      giveBack(reply.memory);
      if (isHead) this.#linger(response);
    }
  }

  /** The connection is gone. Says whether anything waited for its client. */
  drop(response: HttpResponse): boolean {
    clearTimeout(this.#lingering.get(response));
    this.#lingering.delete(response);
    const unread = this.#unread.get(response);
    if (unread === undefined) return false;
    this.#unread.delete(response);
    this.#hold(unread.bytes, -1);
    giveBack(unread.memory);
    if (this.isIdle) this.#onIdle();
    return true;
  }

  #hold(bytes: Uint8Array, change: 1 | -1): void {
    const before = this.#holders.get(bytes) ?? 0;
    const after = before + change;
    if (after === 0) this.#holders.delete(bytes);
    else this.#holders.set(bytes, after);
    if (before === 0) this.#unreadBytes += bytes.byteLength;
    else if (after === 0) this.#unreadBytes -= bytes.byteLength;
  }

  #keep(response: HttpResponse, { body, memory = [] }: Reply, isLast: boolean): void {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    giveBack(memory.filter((part) => part !== bytes.buffer));
    const own = memory.filter((part) => part === bytes.buffer);
    const unread = { bytes, memory: own, isLast, offset: response.getWriteOffset() };
    this.#unread.set(response, unread);
    this.#hold(bytes, 1);
    response.onWritable((offset) => this.#writeOn(response, unread, offset));
    if (isLast) this.#writeOn(response, unread, 0);
    this.#makeRoom();
  }

  /** Says whether the socket took what it was given, as the library wants to know. */
  #writeOn(response: HttpResponse, unread: Unread, offset: number): boolean {
    if (!this.#unread.has(response)) return true; // its last reply is there, and it lingers
    if (offset > unread.offset) {
      unread.offset = offset;
      this.#unread.delete(response);
      this.#unread.set(response, unread);
    }
    const { bytes, isLast } = unread;
    if (isLast) return this.#writeLast(response, bytes, offset);
    const [isWritten, isTaken] = response.tryEnd(bytes.subarray(offset), bytes.byteLength);
    if (isTaken) this.drop(response);
    return isWritten;
  }

  /** The last byte alone: all before it has left when the socket takes that. */
  #writeLast(response: HttpResponse, bytes: Uint8Array, offset: number): boolean {
    const end = bytes.byteLength - 1;
    let isWritten = offset === end && offset > 0;
    if (!isWritten) {
      response.cork(() => {
        [isWritten] = response.tryEnd(bytes.subarray(offset, end), bytes.byteLength);
      });
    }
    if (!isWritten) return false;
    response.cork(() => {
      [isWritten] = response.tryEnd(bytes.subarray(end), bytes.byteLength + 1);
    });
    if (!isWritten) return false;
    this.drop(response);
    this.#linger(response);
    return true;
  }

  #linger(response: HttpResponse): void {
    const timer = setTimeout(() => {
      this.#lingering.delete(response);
      response.close();
    }, HTTP_BOUNDS.lingerMs);
    this.#lingering.set(response, timer.unref());
  }

  /** What came last stays, for it may not be closed while its request is at work. */
  #makeRoom(): void {
    for (const [idlest] of this.#unread) {
      if (this.#unreadBytes <= this.#unreadLimit || this.#unread.size === 1) return;
      this.#cut += 1;
      idlest.close(); // who is told of its end drops it
      this.drop(idlest);
    }
  }
}

function writeHead(response: HttpResponse, reply: Reply, context: ReplyContext): void {
  const { status, contentType = 'application/json', headers = [] } = reply;
  // The library says 200 by itself, and each call to it costs as much as some of our own checks.
  if (status !== 200) response.writeStatus(STATUS_LINES.get(status) ?? String(status));
  response.writeHeader('content-type', contentType);
  response.writeHeader('x-request-id', context.requestId);
  if (context.isHead || context.isLast) response.writeHeader('connection', 'close');
  if (context.cors) {
    response.writeHeader('access-control-allow-origin', '*');
    // All of them: no answer depends on credentials that a browser adds by itself.
    response.writeHeader('access-control-expose-headers', '*');
  }
  for (const [name, value] of context.limits) response.writeHeader(name, value);
  for (const [name, value] of headers) response.writeHeader(name, value);
}

/**
 * The library has written or copied it. The collector counts such memory and, left to find it by
 * itself, would stop this thread for milliseconds after every few dozen large answers.
 */
function giveBack(memory: readonly ArrayBuffer[] = []): void {
  for (const part of memory) part.transfer(0);
}
