/**
 * Frames of the feed: four bytes of length, four of checksum (CRC-32), then the body, whose first
 * byte is its kind. Invariant: a body is handed on only if its checksum is right. Bound: the limit
 * of the reader.
 */
import { crc32 } from 'node:zlib';
import { StoreError } from '../../persistence/shared/index.ts';

/** The kinds of frames; the numbers are part of the protocol. */
export const FRAME = {
  greeting: 1,
  challenge: 2,
  hello: 3,
  welcome: 4,
  /** The core's last word: `code` and `message` of a StoreError, in JSON. */
  refusal: 5,
  /** An entry of the log, as the log encodes it. */
  entry: 6,
  /** Commands from the journal. */
  history: 7,
  /** The replica has everything up to a position, after parts of the journal. */
  position: 8,
  synced: 9,
  ping: 10,
  pong: 11,
  request: 12,
  answer: 13,
  failure: 14,
  submits: 15,
  submitted: 16,
} as const;

export interface Frame {
  readonly kind: number;
  readonly body: Buffer;
}

const HEAD_BYTES = 9;
const LENGTH_BYTES = 4;
const CHECKED_FROM = 8;

export function encodeFrame(kind: number, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 1);
  const frame = Buffer.allocUnsafe(CHECKED_FROM + length);
  frame.writeUInt32BE(length, 0);
  frame.writeUInt8(kind, CHECKED_FROM);
  let at = HEAD_BYTES;
  for (const part of parts) {
    frame.set(part, at);
    at += part.length;
  }
  frame.writeUInt32BE(crc32(frame.subarray(CHECKED_FROM)), LENGTH_BYTES);
  return frame;
}

export function encodeJsonFrame(kind: number, value: unknown): Buffer {
  return encodeFrame(kind, Buffer.from(JSON.stringify(value)));
}

/** Cuts a stream of bytes into frames. */
export class FrameReader {
  /** The most bytes of a body. */
  limit: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** The length of the next frame with its head; 0 until its first four bytes are here. */
  #wanted = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Calls `take` for each frame that is complete. Throws StoreError `feed_refused`. */
  read(chunk: Buffer, take: (frame: Frame) => void): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes >= Math.max(this.#wanted, LENGTH_BYTES)) {
      const bytes = this.#joined();
      if (this.#wanted === 0) {
        this.#wanted = CHECKED_FROM + this.#lengthOf(bytes);
        continue;
      }
      const frame = bytes.subarray(0, this.#wanted);
      this.#chunks = bytes.length === this.#wanted ? [] : [bytes.subarray(this.#wanted)];
      this.#bytes = bytes.length - this.#wanted;
      this.#wanted = 0;
      take(checked(frame));
    }
  }

  #joined(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0]!;
  }

  #lengthOf(bytes: Buffer): number {
    const length = bytes.readUInt32BE(0);
    if (length >= 1 && length <= this.limit) return length;
    throw new StoreError(
      'feed_refused',
      `a frame of the feed has ${length} bytes, and 1 to ${this.limit} are allowed: the other ` +
        'side is no node of outcome-exchange, or the connection is damaged',
    );
  }
}

function checked(frame: Buffer): Frame {
  const body = frame.subarray(CHECKED_FROM);
  if (crc32(body) !== frame.readUInt32BE(LENGTH_BYTES)) {
    throw new StoreError(
      'feed_refused',
      'a frame of the feed does not match its checksum: the connection is damaged',
    );
  }
  return { kind: body.readUInt8(0), body: body.subarray(1) };
}
