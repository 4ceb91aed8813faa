/**
 * One connection of the feed, as both sides use it: frames in, frames out. Frames of one turn of
 * the event loop leave together. Invariant: nothing is handed on after the end, which is reported
 * once. Bound: the reader's limit; what is sent is bounded by the users (`waitingBytes`).
 */
import type { Socket } from 'node:net';
import { StoreError, toError } from '../../persistence/shared/index.ts';
import { encodeFrame, encodeJsonFrame, type Frame, FrameReader } from './frames.ts';

export interface ConnectionEvents {
  readonly onFrame: (frame: Frame) => void;
  readonly onEnd: (error: Error) => void;
  /** Everything that was sent has left this process. */
  readonly onDrain?: () => void;
}

export class FeedConnection {
  readonly #socket: Socket;
  readonly #transport: Socket | undefined;
  readonly #reader: FrameReader;
  #events: ConnectionEvents | undefined;
  /** Frames that came while nobody listened, during a handshake. */
  #held: Frame[] = [];
  #isCorked = false;
  #error: Error | undefined;
  #hasEnded = false;

  /** `transport`: the TCP connection, which below TLS is another socket; absent if unknown. */
  constructor(socket: Socket, limit: number, transport?: Socket) {
    this.#socket = socket;
    this.#transport = transport;
    this.#reader = new FrameReader(limit);
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('drain', () => this.#events?.onDrain?.());
    socket.on('error', (error) => this.#end(error));
    socket.on('close', () => this.#end(new Error('the other side closed the connection')));
  }

  get peer(): string {
    return `${this.#socket.remoteAddress ?? '?'}:${this.#socket.remotePort ?? '?'}`;
  }

  /** Bytes that were sent and have not left this process. */
  get waitingBytes(): number {
    return this.#socket.writableLength;
  }

  /** From now on frames have up to `limit` bytes. */
  allow(limit: number): void {
    this.#reader.limit = limit;
  }

  /** `undefined`: frames wait for the next call. */
  listen(events: ConnectionEvents | undefined): void {
    this.#events = events;
    if (events === undefined) {
      this.pause();
      return;
    }
    this.resume();
    const held = this.#held;
    this.#held = [];
    for (const frame of held) this.#hand(frame);
    if (this.#hasEnded) events.onEnd(this.#error ?? new Error('the connection has ended'));
  }

  send(kind: number, ...parts: readonly Uint8Array[]): void {
    this.sendFrame(encodeFrame(kind, ...parts));
  }

  sendJson(kind: number, value: unknown): void {
    this.sendFrame(encodeJsonFrame(kind, value));
  }

  sendFrame(frame: Uint8Array): void {
    if (this.#hasEnded) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#socket.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        this.#socket.uncork();
      });
    }
    this.#socket.write(frame);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Sends what waits and then ends the connection. */
  finish(error: Error): void {
    this.#socket.end();
    this.#end(error);
    this.#socket.destroySoon();
  }

  /** Ends the connection, and what waits in it is lost. */
  destroy(error: Error): void {
    this.#error ??= error;
    // What the system still holds must not arrive late either. TLS has no reset of its own.
    this.#transport?.resetAndDestroy();
    this.#socket.destroy();
    this.#end(error);
  }

  #read(chunk: Buffer): void {
    if (this.#hasEnded) return;
    try {
      this.#reader.read(chunk, (frame) => this.#hand(frame));
    } catch (error) {
      // The other side sent something that this program never sends.
      this.destroy(toError(error));
    }
  }

  #hand(frame: Frame): void {
    if (this.#hasEnded) return;
    if (this.#events === undefined) this.#held.push(frame);
    else this.#events.onFrame(frame);
  }

  #end(error: Error): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#error ??= error;
    this.#events?.onEnd(this.#error);
    if (!this.#socket.destroyed) this.#socket.destroySoon();
  }
}

/** Waits for the next frame of one of some kinds, for a limited time. */
export function nextFrame(connection: FeedConnection, withinMs: number, kinds: readonly number[]) {
  return new Promise<Frame>((resolve, reject) => {
    const late = new StoreError('no_core', `the feed did not answer within ${withinMs} ms`);
    const timer = setTimeout(() => connection.destroy(late), withinMs);
    connection.listen({
      onFrame: (frame) => {
        clearTimeout(timer);
        connection.listen(undefined);
        if (kinds.includes(frame.kind)) resolve(frame);
        else connection.destroy(new StoreError('feed_refused', `frame ${frame.kind} is not due`));
      },
      onEnd: (error) => {
        clearTimeout(timer);
        reject(error);
      },
    });
  });
}
