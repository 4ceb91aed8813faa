// A client of a stream: what it was sent, in order, and a way to wait for more.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A message as it came: each test reads what its messages should have, or fails. */
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

export interface Closing {
  readonly code: number;
  readonly reason: string;
}

export class StreamClient {
  readonly messages: Message[] = [];
  /** Texts that are no JSON: PONG. */
  readonly words: string[] = [];
  readonly closed: Promise<Closing>;
  readonly #socket: WebSocket;
  #wake: () => void = () => {};

  constructor(url: string) {
    this.#socket = new WebSocket(url);
    this.#socket.onmessage = ({ data }) => {
      const text = String(data);
      if (text.startsWith('{')) this.messages.push(JSON.parse(text));
      else this.words.push(text);
      this.#wake();
    };
    this.closed = new Promise((resolve) => {
      this.#socket.onclose = ({ code, reason }) => {
        resolve({ code, reason });
        this.#wake();
      };
    });
    // What it means is told when it closes.
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

  /** Resolves when a condition holds; rejects when the socket closes before. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.#socket.readyState === WebSocket.CLOSED) throw new Error('the socket is closed');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Takes all messages so far, once there are so many. */
  async take(count: number): Promise<Message[]> {
    await this.until(() => this.messages.length >= count);
    return this.messages.splice(0);
  }

  /** What was sent so far has been dealt with: the answer to a PING comes after all of it. */
  async settled(): Promise<void> {
    const wanted = this.words.length + 1;
    this.send('PING');
    await this.until(() => this.words.length >= wanted);
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
const frameOf = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  const head = [TEXT_FRAME, MASKED | LONG, bytes.length >> 8, bytes.length & 255, ...FOUR_ZEROS];
  return Buffer.concat([Uint8Array.from(head), bytes]);
};

/** A client that sends one message and then reads nothing until it is resumed. */
export const openDeafClient = async (port: number, message: unknown): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET /ws/market HTTP/1.1\r\n${UPGRADE.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  socket.pause();
  socket.on('error', () => {});
  socket.write(frameOf(JSON.stringify(message)));
  return socket;
};

/** The status of the answer to a client that asks for a socket. */
export const upgradeStatus = async (port: number, path: string): Promise<number> => {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\n${UPGRADE.join('\r\n')}\r\n\r\n`);
  const [bytes] = await once(socket, 'data');
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(String(bytes))?.[1]);
};
