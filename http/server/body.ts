/**
 * Collects the bodies of requests.
 *
 * Invariant: the bytes are handed over once, and are valid only during that call: the socket
 * library takes its memory back afterwards, and a body of one chunk is not copied.
 * Bound: the route's limit; a longer body is dropped and the rest of it ignored. All bodies that
 * have arrived in part share `HTTP_BOUNDS.partialBodyBytes`, because their senders are not
 * authenticated yet. A body that arrives in one piece does not count. Each piece counts for at
 * least `PIECE_BYTES`: a client may send single bytes.
 */
import { ApiError, overloadedBy } from '../errors/index.ts';
import type { HttpResponse } from '../socket/socket-library.ts';
import type { Framing } from './framing.ts';

/** Memory of a piece besides its bytes: its buffer, and a part of the memory that it is in. */
const PIECE_BYTES = 256;

export interface BodyHandlers {
  readonly done: (body: Uint8Array) => void;
  /** Called with `body_too_large` or `overloaded`, as the last call. */
  readonly refused: (error: ApiError) => void;
}

export class BodyReader {
  readonly #partialBytes: number;
  #keptBytes = 0;

  constructor(partialBytes: number) {
    this.#partialBytes = partialBytes;
  }

  /** Returns a function that frees a body that will not arrive completely. */
  read(response: HttpResponse, limit: number, { done, refused }: BodyHandlers): () => void {
    let chunks: Buffer[] = [];
    let received = 0;
    let kept = 0;
    const release = (): void => {
      this.#keptBytes -= kept;
      kept = 0;
      chunks = [];
    };
    let isRefused = false;
    const refuse = (error: ApiError): void => {
      isRefused = true;
      release();
      refused(error);
    };
    response.onData((data, isLast) => {
      if (isRefused) return;
      received += data.byteLength;
      if (received > limit) return refuse(new ApiError('body_too_large', { field: 'body', limit }));
      const chunk = Buffer.from(data);
      if (isLast) {
        const body = chunks.length === 0 ? chunk : Buffer.concat([...chunks, chunk]);
        release();
        return done(body);
      }
      const needed = PIECE_BYTES + chunk.length;
      if (this.#keptBytes + needed > this.#partialBytes) {
        return refuse(overloadedBy('partialBodyBytes', this.#partialBytes, this.#keptBytes));
      }
      this.#keptBytes += needed;
      kept += needed;
      chunks.push(Buffer.from(chunk));
    });
    return release;
  }
}

interface Arrived {
  readonly framing: Framing;
  readonly response: Pick<HttpResponse, 'pause'>;
  /** Whether it was answered, or its connection is gone. */
  readonly isOver: boolean;
}

/**
 * Handles a body: one in chunks once nothing can follow it. The library reports its end before the
 * last line, and answers by itself what it can't read there, such as a trailer. So what arrived
 * together with the end is read first, and nothing after that. These bodies are never the library's
 * memory.
 */
export function whenComplete(request: Arrived, handle: () => void): void {
  if (request.framing !== 'chunked') {
    handle();
    return;
  }
  request.response.pause();
  setImmediate(() => {
    if (!request.isOver) handle();
  });
}
