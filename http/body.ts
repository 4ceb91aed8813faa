/**
 * Collects a request's body.
 *
 * Invariant: the bytes are handed over once, and are valid only during that call: the socket
 * library takes its memory back afterwards, and a body of one chunk is not copied.
 * Bound: the route's; of a longer body nothing is kept, and the rest of it is ignored.
 */
import type { HttpResponse } from './socket-library.ts';

/** Gets the bytes, or undefined as soon as they are more than the bound. */
type BodyHandler = (body: Uint8Array | undefined) => void;

export const readBody = (response: HttpResponse, boundBytes: number, done: BodyHandler): void => {
  let chunks: Buffer[] = [];
  let received = 0;
  response.onData((data, isLast) => {
    received += data.byteLength;
    if (received > boundBytes) {
      chunks = [];
      // The answer ends the response, and the library hands over nothing more of its request.
      done(undefined);
      return;
    }
    const chunk = Buffer.from(data);
    if (!isLast) chunks.push(Buffer.from(chunk));
    else done(chunks.length === 0 ? chunk : Buffer.concat([...chunks, chunk]));
  });
};
