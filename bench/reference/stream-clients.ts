/**
 * Many WebSocket clients in a process of their own, over bare sockets: they subscribe, and count
 * the frames that come or measure how late they are. The parent asks, and is told when all have
 * come.
 *
 * Bound: a frame is shorter than 65,536 bytes, else the run fails.
 */
import { connect, type Socket } from 'node:net';
import { percentilesOf } from '../harness/statistics.ts';
import {
  type ClientsWish,
  type ConnectWish,
  type Lateness,
  levelKey,
  type MeasureWish,
} from '../reads/stream-wishes.ts';

interface PriceChange {
  readonly timestamp: string;
  readonly price_changes: readonly {
    readonly asset_id: string;
    readonly price: string;
    readonly size: string;
  }[];
}

const SHORT_HEAD_BYTES = 2;
const LONG_HEAD_BYTES = 4;
const TEXT_FRAME = 0x81;
const PING_FRAME = 0x89;
const PONG_FRAME = 0x8a;
const MASKED = 0x80;
const LONG = 126;
const PONG = Buffer.from('PONG');
const PRICE_CHANGE = Buffer.from('{"event_type":"price_change"');
const AT_ONCE = 100;
/** Fewer than an exchange allows one address; they come as if through a proxy of this machine. */
const CLIENTS_PER_ADDRESS = 1_500;

/** What is waited for: so many frames, or so many changes of levels with their lateness. */
interface Wait {
  left: number;
  readonly measures: boolean;
  readonly wallOffsetMs: number;
  readonly dueMs: Readonly<Record<string, number>> | undefined;
  readonly acceptedMs: Float64Array;
  readonly sinceDueMs: Float64Array;
  readonly done: () => void;
}

let pongs = 0;
let early = 0;
let wait: Wait | undefined;
/** The price change that came last, and when its orders were accepted and due. */
let last:
  | { text: Buffer; readonly acceptedMs: number; readonly dueMs: readonly number[] }
  | undefined;

/** Adds to `performance.now()` what makes it the wall clock, to some microseconds. */
function wallOffset(): number {
  const before = Date.now();
  let now = before;
  while (now === before) now = Date.now();
  return now - performance.now();
}

function readChange(text: Buffer, { dueMs }: Wait): NonNullable<typeof last> {
  // The market channel's own message.
  const { timestamp, price_changes } = JSON.parse(text.toString()) as PriceChange;
  const [first] = price_changes;
  const own = price_changes.filter((change) => change.asset_id === first?.asset_id);
  const dues = own.map(({ price, size }) => {
    if (dueMs === undefined) return 0;
    const due = dueMs[levelKey(Number(price), Number(size))];
    if (due === undefined) throw new Error(`nobody ordered ${size} at ${price}`);
    return due;
  });
  return { text: Buffer.from(text), acceptedMs: Number(timestamp), dueMs: dues };
}

function measureFrame(text: Buffer, waiting: Wait): void {
  if (!text.subarray(0, PRICE_CHANGE.length).equals(PRICE_CHANGE)) return;
  const nowMs = waiting.wallOffsetMs + performance.now();
  // All clients get the same bytes, one after the other: most are not parsed.
  if (last === undefined || !last.text.equals(text)) last = readChange(text, waiting);
  for (const dueMs of last.dueMs) {
    waiting.left -= 1;
    waiting.acceptedMs[waiting.left] = Math.max(0, nowMs - last.acceptedMs);
    waiting.sinceDueMs[waiting.left] = Math.max(0, nowMs - dueMs);
  }
}

function takeFrame(socket: Socket, kind: number, text: Buffer): void {
  if (kind === PING_FRAME) {
    socket.write(Uint8Array.from([PONG_FRAME, MASKED, 0, 0, 0, 0]));
  } else if (kind !== TEXT_FRAME) {
    throw new Error(`a client got a frame ${kind.toString(16)}: ${text.toString('latin1', 2)}`);
  } else if (text.equals(PONG)) pongs += 1;
  else if (wait === undefined) early += 1;
  else if (wait.measures) measureFrame(text, wait);
  else wait.left -= 1;
}

function tellIfDone(): void {
  if (wait === undefined || wait.left > 0) return;
  const { left, done } = wait;
  wait = undefined;
  if (left < 0) throw new Error(`${-left} messages too many`);
  done();
}

/** Takes the frames of one socket as they become complete. */
function readFrames(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    while (start + SHORT_HEAD_BYTES <= bytes.length) {
      const short = bytes.readUInt8(start + 1);
      if (short > LONG) throw new Error('a frame is too long');
      const head = short === LONG ? LONG_HEAD_BYTES : SHORT_HEAD_BYTES;
      if (start + head > bytes.length) break;
      const end = start + head + (short === LONG ? bytes.readUInt16BE(start + 2) : short);
      if (end > bytes.length) break;
      takeFrame(socket, bytes.readUInt8(start), bytes.subarray(start + head, end));
      start = end;
    }
    rest = bytes.subarray(start);
    tellIfDone();
  });
}

function frameOf(text: string): Buffer {
  const body = Buffer.from(text);
  const head = [TEXT_FRAME, MASKED | LONG, body.length >> 8, body.length & 255, 0, 0, 0, 0];
  return Buffer.concat([Uint8Array.from(head), body]);
}

function subscribe(index: number, { port, message }: ConnectWish): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const proxied = `X-Forwarded-For: 10.0.0.${Math.floor(index / CLIENTS_PER_ADDRESS)}`;
    const key = 'Sec-WebSocket-Key: dGhpcyBpcyBhIGJlbmNoLg==\r\nSec-WebSocket-Version: 13';
    const upgrade = 'Upgrade: websocket\r\nConnection: Upgrade';
    const head = `GET /ws/market HTTP/1.1\r\nHost: bench\r\n${proxied}`;
    socket.write(`${head}\r\n${upgrade}\r\n${key}\r\n\r\n`);
    socket.once('data', (reply) => {
      const [line] = reply.toString('latin1').split('\r\n');
      if (!line?.includes(' 101 ')) throw new Error(`client ${index} was refused: ${line}`);
      readFrames(socket);
      socket.write(Buffer.concat([frameOf(message), frameOf('PING')]));
      resolve();
    });
    socket.on('close', () => {
      throw new Error(`client ${index} was cut off`);
    });
  });
}

/** A few at a time, for the listener's queue is short. */
async function subscribeAll(wish: ConnectWish): Promise<void> {
  for (let from = 0; from < wish.count; from += AT_ONCE) {
    const some = Math.min(AT_ONCE, wish.count - from);
    await Promise.all(Array.from({ length: some }, (_, index) => subscribe(from + index, wish)));
  }
  // Each is answered when it has subscribed.
  while (pongs < wish.count) await new Promise((resolve) => setTimeout(resolve, 10));
}

function countFrames(frames: number): Promise<void> {
  return new Promise((done) => {
    const none = new Float64Array(0);
    const shared = { wallOffsetMs: 0, dueMs: undefined, acceptedMs: none, sinceDueMs: none };
    wait = { left: frames - early, measures: false, done, ...shared };
    early = 0;
    tellIfDone();
  });
}

async function measure({ changes, dueMs }: MeasureWish): Promise<Lateness> {
  const acceptedMs = new Float64Array(changes);
  const sinceDueMs = new Float64Array(changes);
  const wallOffsetMs = wallOffset();
  await new Promise<void>((done) => {
    wait = { left: changes, measures: true, wallOffsetMs, dueMs, acceptedMs, sinceDueMs, done };
  });
  const accepted = percentilesOf([acceptedMs]);
  return dueMs === undefined ? { accepted } : { accepted, due: percentilesOf([sinceDueMs]) };
}

function answer(wish: ClientsWish): Promise<unknown> {
  if (wish.kind === 'connect') return subscribeAll(wish);
  if (wish.kind === 'count') return countFrames(wish.frames);
  return measure(wish);
}

function fail(error: unknown): void {
  process.send?.({ error: String(error) }, () => process.exit(1));
}

process.on('message', (wish: ClientsWish) => {
  answer(wish).then((value) => process.send?.({ value }), fail);
});
process.on('uncaughtException', fail);
process.on('disconnect', () => process.exit());
