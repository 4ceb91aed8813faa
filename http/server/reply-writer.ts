/**
 * Writes replies, and keeps the part of a reply that a client has not read yet.
 *
 * Only the library's `tryEnd` reports how much a socket took, and only if there is a byte to write.
 * `end` would buffer without bound for a client that never reads, even on a closing connection. So
 * replies are written by `tryEnd` alone. The last reply of a connection is never ended: `tryEnd`
 * gets a larger total size, so that the response stays open until this class closes it, and a
 * further request closes the connection.
 *
 * Invariant: nothing is written to a response that was aborted or answered; the caller writes once
 * and reports aborts. A connection gets no reply while its client has not read the previous one.
 * Bound: for a connection, one reply here and 16 KB in the library; for all, `unreadBytes` of
 * bodies: beyond it the clients that have read nothing for the longest time are disconnected.
 */
import { STATUS_CODES } from 'node:http';
import { HTTP_BOUNDS } from '../bounds/sizes.ts';
import type { HeaderList } from '../codec/index.ts';
import type { HttpResponse } from '../socket/socket-library.ts';
import type { Reply } from './reply.ts';

export interface ReplyContext {
  readonly requestId: string;
  /** Whether pages of any origin may read the reply. */
  readonly cors: boolean;
  readonly isHead: boolean;
  /** Whether the connection is closed after it. */
  readonly isLast: boolean;
  /** Headers besides the reply's own: rate limits, ignored parameters. */
  readonly further: HeaderList;
}

/** A reply that its client has not read whole. */
interface Unread {
  readonly bytes: Uint8Array;
  /** The memory of the bytes, if it is freed after writing. */
  readonly memory: readonly ArrayBuffer[];
  readonly isLast: boolean;
  /** How much of the body the library took. */
  offset: number;
}

const STATUS_LINES = new Map<number, string>(
  Object.entries(STATUS_CODES).map(([status, words]) => [Number(status), `${status} ${words}`]),
);

export class ReplyWriter {
  readonly #unreadLimit: number;
  /** Called when no reply waits any more. */
  readonly #onIdle: () => void;
  /** The client that has read nothing for the longest time comes first. */
  readonly #unread = new Map<HttpResponse, Unread>();
  /** Connections between their last reply and their close. */
  readonly #lingering = new Map<HttpResponse, NodeJS.Timeout>();
  /** How many unread replies share each body, such as a document that is in memory once. */
  readonly #holders = new Map<Uint8Array, number>();
  #unreadBytes = 0;
  #cut = 0;

  constructor(unreadLimit: number, onIdle: () => void = () => {}) {
    this.#unreadLimit = unreadLimit;
    this.#onIdle = onIdle;
  }

  /** Whether all clients have read their replies. */
  get isIdle(): boolean {
    return this.#unread.size === 0;
  }

  /** Bytes of the bodies that clients have not read whole; a shared body counts once. */
  get unreadBytes(): number {
    return this.#unreadBytes;
  }

  /** Clients that were disconnected to make room. */
  get cutCount(): number {
    return this.#cut;
  }

  /** Writes the reply at once, or as the client reads it. */
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
      free(reply.memory);
      if (isHead) this.#linger(response);
    }
  }

  /** The connection is gone. Returns whether a reply waited for its client. */
  drop(response: HttpResponse): boolean {
    clearTimeout(this.#lingering.get(response));
    this.#lingering.delete(response);
    const unread = this.#unread.get(response);
    if (unread === undefined) return false;
    this.#unread.delete(response);
    this.#hold(unread.bytes, -1);
    free(unread.memory);
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
    free(memory.filter((part) => part !== bytes.buffer));
    const own = memory.filter((part) => part === bytes.buffer);
    const unread = { bytes, memory: own, isLast, offset: response.getWriteOffset() };
    this.#unread.set(response, unread);
    this.#hold(bytes, 1);
    response.onWritable((offset) => this.#writeOn(response, unread, offset));
    if (isLast) this.#writeOn(response, unread, 0);
    this.#makeRoom();
  }

  /** Returns whether the socket took all that it was given, as the library requires. */
  #writeOn(response: HttpResponse, unread: Unread, offset: number): boolean {
    if (!this.#unread.has(response)) return true; // Its last reply is written.
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

  /** Writes the last byte alone: when the socket takes it, all before it was sent. */
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

  /** Disconnects the idlest clients. The newest stays: its request may still use the response. */
  #makeRoom(): void {
    for (const [idlest] of this.#unread) {
      if (this.#unreadBytes <= this.#unreadLimit || this.#unread.size === 1) return;
      this.#cut += 1;
      idlest.close();
      this.drop(idlest);
    }
  }
}

function writeHead(response: HttpResponse, reply: Reply, context: ReplyContext): void {
  const { status, contentType = 'application/json', headers = [] } = reply;
  // The library writes 200 by default, and each call of the library is costly.
  if (status !== 200) response.writeStatus(STATUS_LINES.get(status) ?? String(status));
  response.writeHeader('content-type', contentType);
  response.writeHeader('x-request-id', context.requestId);
  if (context.isHead || context.isLast) response.writeHeader('connection', 'close');
  if (context.cors) {
    response.writeHeader('access-control-allow-origin', '*');
    // Exposing all headers is safe: no answer depends on credentials that a browser adds by itself.
    response.writeHeader('access-control-expose-headers', '*');
  }
  for (const [name, value] of context.further) response.writeHeader(name, value);
  for (const [name, value] of headers) response.writeHeader(name, value);
}

/**
 * Frees memory that the library has written or copied. If the garbage collector had to free it,
 * this thread would stop for milliseconds after every few dozen large answers.
 */
function free(memory: readonly ArrayBuffer[] = []): void {
  for (const part of memory) part.transfer(0);
}
