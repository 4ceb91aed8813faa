/**
 * A WebSocket client over a bare socket. It uses little processor time, because it shares the
 * processors with the server that it measures.
 *
 * Bound: a frame is shorter than 4 GiB, and nothing follows the server's answer to the upgrade
 * before the client has sent its first message.
 */
import { connect, type Socket } from 'node:net';

const TEXT_FRAME = 0x81;
const PING_FRAME = 0x89;
const CLOSE_FRAME = 0x88;
const MASKED = 0x80;
const LONG = 126;
const PONG = Uint8Array.from([0x8a, 0x80, 0, 0, 0, 0]);
const AT_ONCE = 50;

export interface ClientTerms {
  readonly port: number;
  readonly path: string;
  /** Sent once the socket is open. */
  readonly messages: readonly string[];
  /** The client address that X-Forwarded-For names, as a local proxy would. */
  readonly forwardedFor?: string;
  readonly onText: (text: Buffer) => void;
  /** Called after each chunk from the socket, when `onText` has got all its complete frames. */
  readonly onPart?: () => void;
  /** Called when the server has closed the socket, with the reason. */
  readonly onClosed: (reason: string) => void;
}

function frameOf(text: string): Buffer {
  const body = Buffer.from(text);
  const head = [TEXT_FRAME, MASKED | LONG, body.length >> 8, body.length & 255, 0, 0, 0, 0];
  return Buffer.concat([Uint8Array.from(head), body]);
}

function lengthOf(bytes: Buffer, start: number, short: number): number {
  if (short === LONG) return bytes.readUInt16BE(start + 2);
  return short > LONG ? bytes.readUInt32BE(start + 6) : short;
}

function readFrames(socket: Socket, { onText, onPart, onClosed }: ClientTerms): void {
  let rest: Buffer = Buffer.alloc(0);
  const take = (kind: number, text: Buffer): void => {
    if (kind === TEXT_FRAME) onText(text);
    else if (kind === PING_FRAME) socket.write(PONG);
    else if (kind === CLOSE_FRAME) onClosed(`${text.readUInt16BE(0)} ${text.toString('utf8', 2)}`);
    else onClosed(`a frame of kind ${kind}`);
  };
  socket.on('data', (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    while (start + 2 <= bytes.length) {
      const short = bytes.readUInt8(start + 1);
      const head = short < LONG ? 2 : short === LONG ? 4 : 10;
      if (start + head > bytes.length) break;
      const end = start + head + lengthOf(bytes, start, short);
      if (end > bytes.length) break;
      take(bytes.readUInt8(start), bytes.subarray(start + head, end));
      start = end;
    }
    rest = bytes.subarray(start);
    onPart?.();
  });
}

function openClient(terms: ClientTerms): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(terms.port, '127.0.0.1');
    const forwarded =
      terms.forwardedFor === undefined ? [] : [`X-Forwarded-For: ${terms.forwardedFor}`];
    const head = [
      `GET ${terms.path} HTTP/1.1`,
      'Host: bench',
      ...forwarded,
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Key: dGhpcyBpcyBhIGJlbmNoLg==',
      'Sec-WebSocket-Version: 13',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.once('data', (reply) => {
      const [line] = reply.toString('latin1').split('\r\n');
      if (!line?.includes(' 101 ')) reject(new Error(`a client was refused: ${line}`));
      readFrames(socket, terms);
      socket.write(Buffer.concat(terms.messages.map(frameOf)));
      resolve();
    });
    socket.on('error', reject);
    socket.on('close', () => terms.onClosed('cut off'));
  });
}

/** Opens clients, a few at a time, because the server's listening queue is short. */
export async function openClients(clients: readonly ClientTerms[]): Promise<void> {
  for (let from = 0; from < clients.length; from += AT_ONCE) {
    await Promise.all(clients.slice(from, from + AT_ONCE).map(openClient));
  }
}
