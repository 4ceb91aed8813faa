/**
 * Many WebSocket clients in a process of their own, over bare sockets: they subscribe, and count
 * the frames that come. The parent says which port and what to subscribe to, then asks again and
 * again for so many frames more, and is told when they have come.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

interface Wishes {
  readonly port: number;
  readonly count: number;
  /** Sent by each once it is connected. */
  readonly message: string;
}

const MASKED = 0x80;
const TEXT_FRAME = 0x81;
const LONG = 126;
const HEAD_BYTES = 4;
const AT_ONCE = 100;

let frames = 0;
let wanted = Number.POSITIVE_INFINITY;

const tellParent = (): void => {
  if (frames < wanted) return;
  frames -= wanted;
  wanted = Number.POSITIVE_INFINITY;
  process.send?.('there');
};

/** Counts the frames of one socket; each is shorter than 65,536 bytes. */
const countFrames = (socket: Socket): void => {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    while (start + HEAD_BYTES <= bytes.length) {
      const short = bytes.readUInt8(start + 1);
      const length = short === LONG ? 4 + bytes.readUInt16BE(start + 2) : 2 + short;
      if (start + length > bytes.length) break;
      start += length;
      frames += 1;
    }
    rest = bytes.subarray(start);
    tellParent();
  });
};

const subscribe = async ({ port, message }: Wishes): Promise<void> => {
  const socket = connect(port, '127.0.0.1');
  const key = 'Sec-WebSocket-Key: dGhpcyBpcyBhIGJlbmNoLg==\r\nSec-WebSocket-Version: 13';
  const upgrade = 'Upgrade: websocket\r\nConnection: Upgrade';
  socket.write(`GET /ws/market HTTP/1.1\r\nHost: bench\r\n${upgrade}\r\n${key}\r\n\r\n`);
  await once(socket, 'data');
  countFrames(socket);
  const body = Buffer.from(message);
  const head = [TEXT_FRAME, MASKED | LONG, body.length >> 8, body.length & 255, 0, 0, 0, 0];
  socket.write(Buffer.concat([Uint8Array.from(head), body]));
};

/** A few at a time, for the listener's queue is short. */
const subscribeAll = async (wishes: Wishes): Promise<void> => {
  for (let count = 0; count < wishes.count; count += AT_ONCE) {
    const some = Math.min(AT_ONCE, wishes.count - count);
    await Promise.all(Array.from({ length: some }, () => subscribe(wishes)));
  }
};

process.on('message', (asked: Wishes | number) => {
  if (typeof asked === 'number') {
    wanted = asked;
    tellParent();
    return;
  }
  subscribeAll(asked).then(() => process.send?.('connected'));
});
