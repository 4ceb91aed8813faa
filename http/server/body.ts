/**
 * Collects the bodies of requests.
 *
 * Invariant: the bytes are handed over once, and are valid only during that call: the socket
 * library takes its memory back afterwards, and a body of one chunk is not copied.
 * Bound: the route's; of a longer body nothing is kept, and the rest of it is ignored. All bodies
 * that are there in part have `HTTP_BOUNDS.partialBodyBytes` together, whoever sends them: nobody
 * has proved yet who it is. A body that comes in one piece never waits and is not counted.
 */
import { ApiError, overloadedBy } from '../errors/index.ts';
import type { HttpResponse } from '../socket/index.ts';

export interface BodyHandlers {
  readonly done: (body: Uint8Array) => void;
  /** Gets `body_too_large` or `overloaded`; after it nothing is called any more. */
  readonly refused: (error: ApiError) => void;
}

export class BodyReader {
  readonly #partialBytes: number;
  #keptBytes = 0;

  constructor(partialBytes: number) {
    this.#partialBytes = partialBytes;
  }

  /** Gives what lets go of a body that will not come to its end. */
  read(response: HttpResponse, limit: number, { done, refused }: BodyHandlers): () => void {
    let chunks: Buffer[] = [];
    let received = 0;
    let kept = 0;
    const letGo = (): void => {
      this.#keptBytes -= kept;
      kept = 0;
      chunks = [];
    };
    /** The library hands the rest over all the same. */
    let isRefused = false;
    const refuse = (error: ApiError): void => {
      isRefused = true;
      letGo();
      refused(error);
    };
    response.onData((data, isLast) => {
      if (isRefused) return;
      received += data.byteLength;
      if (received > limit) return refuse(new ApiError('body_too_large', { field: 'body', limit }));
      const chunk = Buffer.from(data);
      if (isLast) {
        const body = chunks.length === 0 ? chunk : Buffer.concat([...chunks, chunk]);
        letGo();
        return done(body);
      }
      if (this.#keptBytes + chunk.length > this.#partialBytes) {
        return refuse(overloadedBy('partialBodyBytes', this.#partialBytes, this.#keptBytes));
      }
      this.#keptBytes += chunk.length;
      kept += chunk.length;
      chunks.push(Buffer.from(chunk));
    });
    return letGo;
  }
}
