/**
 * Frames of the feed: four bytes of length, four of checksum (CRC-32), then the body, whose first
 * byte is its kind. Invariant: a body is handed on only if its checksum is right. Bound: the limit
 * of the reader.
 */

import { strict as assert } from 'node:assert';
import { crc32 } from 'node:zlib';
import { STORE_BOUNDS, StoreError } from '../../persistence/shared/index.ts';

/** The bounds and intervals of the feed, with what happens beyond each bound. */
export const FEED_BOUNDS = {
  /** Bytes of a frame before both sides have proved that they know the secret. */
  greetingBytes: 16 * 1024,
  /** Bytes of any other frame. Beyond it: the connection is closed as damaged. */
  frameBytes: 16 * 1024 * 1024,
  /** Connections that have not proved it yet. Beyond it: a new one is closed. */
  greetings: 64,
  /** Connected replicas. Beyond it: a new one is refused. */
  replicas: 64,
  /**
   * Bytes that wait in the socket of a replica. Beyond it nothing more is sent to it until they
   * have left, and it reads what it missed from the journal.
   */
  waitingBytes: 4 * 1024 * 1024,
  /** Bytes of the newest entries, which are kept for replicas that are a little behind. */
  recentBytes: 32 * 1024 * 1024,
  /** Requests of a replica that are not answered. Beyond it: `overloaded`. */
  waitingRequests: 20_000,
  /** Bytes of these requests. Beyond it: `overloaded`. */
  requestBytes: 16 * 1024 * 1024,
  /**
   * Commands, and bytes of them, in one part of the journal that is sent, or one larger command. A
   * part is encoded as an entry, and may be as long as before it was compressed.
   */
  historyCommands: 1_024,
  historyBytes: 256 * 1024,
} as const;

export const FEED_PACE = {
  /** How long two sides may take to prove that they know the secret. */
  greetingMs: 3_000,
  /** How long a connection may take to open. */
  connectMs: 2_000,
  /** The interval at which a replica asks whether the core is still the core. */
  pingMs: 250,
  /** A replica that has not been heard for so long is disconnected. */
  replicaSilenceMs: 10_000,
} as const;

assert(2 * FEED_BOUNDS.historyBytes <= STORE_BOUNDS.entryBytes, 'a part fits in an entry');
assert(FEED_BOUNDS.requestBytes <= FEED_BOUNDS.frameBytes, 'all requests fit in one frame');

/**
 * Requests of replicas and their answers as bytes. A request is its id, the length of its kind, its
 * kind and its body; an answer is the id, the newest entry at that time, and its body.
 */
const ID_BYTES = 4;
const KIND_AT = 5;
const ANSWER_HEAD_BYTES = 12;

export function requestHead(id: number, kind: string): Buffer {
  const head = Buffer.allocUnsafe(KIND_AT + kind.length);
  head.writeUInt32BE(id, 0);
  head.writeUInt8(kind.length, ID_BYTES);
  head.write(kind, KIND_AT, 'latin1');
  return head;
}

export function requestIn(frame: Buffer) {
  const bodyAt = KIND_AT + frame.readUInt8(ID_BYTES);
  return {
    id: frame.readUInt32BE(0),
    kind: frame.toString('latin1', KIND_AT, bodyAt),
    body: frame.subarray(bodyAt),
  };
}

export function answerHead(id: number, number: number): Buffer {
  const head = Buffer.allocUnsafe(ANSWER_HEAD_BYTES);
  head.writeUInt32BE(id, 0);
  head.writeBigUInt64BE(BigInt(number), ID_BYTES);
  return head;
}

export function answerIn(frame: Buffer) {
  return {
    id: frame.readUInt32BE(0),
    number: Number(frame.readBigUInt64BE(ID_BYTES)),
    body: frame.subarray(ANSWER_HEAD_BYTES),
  };
}

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
