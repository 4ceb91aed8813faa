// A client of a stream: what it was sent, in order, and a way to wait for more. A message that is
// not as its schema says ends the test.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { checkMessage } from './check-message.ts';

/** A received message. A test reads the fields that it expects, or fails. */
export interface Message {
  readonly event_type?: string;
  readonly type?: string;
  readonly market?: string;
  readonly asset_id?: string;
  readonly sequence?: number;
  readonly stream_id?: string;
  readonly code?: string;
  readonly [field: string]: unknown;
}

const WAIT_MS = 60_000;

export interface Closing {
  readonly code: number;
  readonly reason: string;
}

export class StreamClient {
  readonly messages: Message[] = [];
  /** Messages that are not JSON: PONG. */
  readonly words: string[] = [];
  /** Never settles if the socket is refused. */
  readonly opened: Promise<void>;
  readonly closed: Promise<Closing>;
  readonly #socket: WebSocket;
  readonly #waiters: (() => void)[] = [];

  constructor(url: string) {
    this.#socket = new WebSocket(url);
    this.#socket.onmessage = ({ data }) => {
      const text = String(data);
      if (text.startsWith('{')) {
        checkMessage(new URL(url).pathname, text);
        this.messages.push(JSON.parse(text));
      } else this.words.push(text);
      this.#wake();
    };
    this.opened = new Promise((resolve) => {
      this.#socket.onopen = () => resolve();
    });
    this.closed = new Promise((resolve) => {
      this.#socket.onclose = ({ code, reason }) => {
        resolve({ code, reason });
        this.#wake();
      };
    });
    // The close event has the reason.
    this.#socket.onerror = () => {};
  }

  static async open(url: string, path = '/ws/market'): Promise<StreamClient> {
    const client = new StreamClient(url.replace(/^http/, 'ws') + path);
    await once(client.#socket, 'open');
    return client;
  }

  send(message: unknown): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  sendBytes(bytes: Uint8Array<ArrayBuffer>): void {
    this.#socket.send(bytes);
  }

  /** Resolves when a condition holds; rejects when the socket closes before, or after WAIT_MS. */
  async until(holds: () => boolean): Promise<void> {
    const endMs = performance.now() + WAIT_MS;
    const timer = setTimeout(() => this.#wake(), WAIT_MS + 1);
    while (!holds()) {
      if (this.#socket.readyState === WebSocket.CLOSED) throw new Error('the socket is closed');
      if (performance.now() >= endMs) throw new Error(`waited ${WAIT_MS} ms for: ${holds}`);
      await new Promise<void>((resolve) => {
        this.#waiters.push(resolve);
      });
    }
    clearTimeout(timer);
  }

  /** Waits for at least `count` messages, then removes and returns all. */
  async take(count: number): Promise<Message[]> {
    await this.until(() => this.messages.length >= count);
    return this.messages.splice(0);
  }

  /** Waits until all that was sent is answered: the answer to a PING comes after it. */
  async settled(): Promise<void> {
    const wanted = this.words.length + 1;
    this.send('PING');
    await this.until(() => this.words.length >= wanted);
  }

  #wake(): void {
    for (const waiter of this.#waiters.splice(0)) waiter();
  }

  close(): void {
    this.#socket.close();
  }
}

const UPGRADE = [
  'Host: test',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Key: dGhpcyBpcyBhIHRlc3QuLg==',
  'Sec-WebSocket-Version: 13',
];
const TEXT_FRAME = 0x81;
const MASKED = 0x80;
const LONG = 126;
const FOUR_ZEROS = [0, 0, 0, 0];

/** One text frame of a client, masked by zeros. */
export function frameOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  const head = [TEXT_FRAME, MASKED | LONG, bytes.length >> 8, bytes.length & 255, ...FOUR_ZEROS];
  return Buffer.concat([Uint8Array.from(head), bytes]);
}

/** A frame of the server: of its text, or why it closes. */
export interface Frame {
  readonly message?: Message;
  readonly closing?: Closing;
}

const CLOSE_FRAME = 0x88;
const LONGER = 127;

/** All complete frames in some bytes. */
function framesIn(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let start = 0; start + 2 <= bytes.length; ) {
    const short = bytes.readUInt8(start + 1);
    let head = 2;
    let length = short;
    if (short === LONG) {
      length = bytes.readUInt16BE(start + head);
      head += 2;
    } else if (short === LONGER) {
      length = Number(bytes.readBigUInt64BE(start + head));
      head += 8;
    }
    const body = bytes.subarray(start + head, start + head + length);
    if (body.length < length) break;
    if (bytes.readUInt8(start) === CLOSE_FRAME) {
      frames.push({ closing: { code: body.readUInt16BE(0), reason: body.toString('utf8', 2) } });
    } else frames.push({ message: JSON.parse(body.toString()) });
    start += head + length;
  }
  return frames;
}

/** A client that reads its first book and then nothing, until `readAll`. */
export class DeafClient {
  readonly #socket: Socket;
  readonly #chunks: Buffer[] = [];

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('error', () => {});
    this.#socket.on('data', (chunk) => this.#chunks.push(chunk));
    this.#socket.write(`GET /ws/market HTTP/1.1\r\n${UPGRADE.join('\r\n')}\r\n\r\n`);
  }

  static async open(port: number, message: unknown): Promise<DeafClient> {
    const client = new DeafClient(port);
    await once(client.#socket, 'data');
    client.#socket.write(frameOf(JSON.stringify(message)));
    while (!Buffer.concat(client.#chunks).includes('"book"')) await once(client.#socket, 'data');
    client.#socket.pause();
    return client;
  }

  /** Everything that it was sent until its socket closed. */
  async readAll(): Promise<Frame[]> {
    this.#socket.resume();
    await once(this.#socket, 'close');
    const bytes = Buffer.concat(this.#chunks);
    const headEnd = '\r\n\r\n';
    return framesIn(bytes.subarray(bytes.indexOf(headEnd) + headEnd.length));
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

/** The status of the answer to a client that asks for a socket; `change` edits its headers. */
export async function upgradeStatus(
  port: number,
  path: string,
  change: (head: string) => string = (head) => head,
): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\n${change(UPGRADE.join('\r\n'))}\r\n\r\n`);
  const [bytes] = await once(socket, 'data');
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(String(bytes))?.[1]);
}
