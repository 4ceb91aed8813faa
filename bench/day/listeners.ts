/**
 * Everybody who listens on a trading day, in a process of its own over bare sockets: how late
 * messages are, and whether any is missing.
 *
 * Bound: the first and the last message of each sequence, not the messages.
 */
import { connect, type Socket } from 'node:net';
import { printProgress } from '../harness/print.ts';
import { Latencies } from '../harness/statistics.ts';
import type { Heard, HeardFigures, ListenersWish, ListenWish } from './wishes.ts';

const HEAD_END = Buffer.from('\r\n\r\n');
const TEXT_FRAME = 0x81;
const PING_FRAME = 0x89;
const CLOSE_FRAME = 0x88;
const PONG = Uint8Array.from([0x8a, 0x80, 0, 0, 0, 0]);
const MASKED = 0x80;
const LONG = 126;
const LONGER = 127;
const PRICE_CHANGE = '{"event_type":"price_change"';
const OTHER_STEPS = ['{"event_type":"last_trade_price"', '{"event_type":"tick_size_change"'];
const AT_ONCE = 50;
const TIME_DIGITS = 13;

const market: Latencies[] = [];
const user = new Latencies();
const closed: string[] = [];
let gaps = 0;
let zeroMs = 0;
let isDone = false;

/** Adds to `performance.now()` what makes it the wall clock, to some microseconds. */
function wallOffset(): number {
  const before = Date.now();
  let now = before;
  while (now === before) now = Date.now();
  return now - performance.now();
}
const offsetMs = wallOffset();

/** The number that follows a name, from a place on. */
function numberAfter(text: string, name: string, from: number): number {
  const at = from < 0 ? text.lastIndexOf(name) : text.indexOf(name, from);
  return at < 0 ? 0 : Number.parseInt(text.slice(at + name.length, at + name.length + 20), 10);
}

/** The last sequence that a socket heard of, by market. */
type Heads = Map<string, number>;

function hearMarket(text: string, heads: Heads): void {
  const isChange = text.startsWith(PRICE_CHANGE);
  if (!isChange && !OTHER_STEPS.some((head) => text.startsWith(head))) return;
  const nowMs = offsetMs + performance.now();
  const at = text.indexOf('"market":"') + '"market":"'.length;
  const name = text.slice(at, at + 66);
  const sequence = numberAfter(text, '"sequence":', -1);
  const last = heads.get(name) ?? sequence;
  if (sequence !== last && sequence !== last + 1) gaps += 1;
  heads.set(name, sequence);
  if (!isChange) return;
  const timeAt = text.indexOf('"timestamp":"') + '"timestamp":"'.length;
  const timeMs = Number(text.slice(timeAt, timeAt + TIME_DIGITS));
  market[Math.floor((timeMs - zeroMs) / 60_000)]?.record(Math.max(0, nowMs - timeMs));
}

function hearUser(text: string, heads: Heads): void {
  const nowMs = offsetMs + performance.now();
  const sequence = numberAfter(text, '"sequence":', -1);
  const last = heads.get('');
  heads.set('', sequence);
  // Parts of a snapshot, and heartbeats, do not count.
  const isStep = !/"(snapshot|heartbeat)"/.test(text.slice(0, 60));
  if (last !== undefined && sequence !== (isStep ? last + 1 : last)) gaps += 1;
  const madeMs = numberAfter(text, '"server_ts_ms":', -1);
  if (isStep && madeMs >= zeroMs) user.record(Math.max(0, nowMs - madeMs));
}

function takeFrame(socket: Socket, kind: number, text: Buffer, hear: (text: string) => void) {
  if (kind === TEXT_FRAME) hear(text.toString('latin1'));
  else if (kind === PING_FRAME) socket.write(PONG);
  else if (kind === CLOSE_FRAME) closed.push(`${text.readUInt16BE(0)} ${text.toString('utf8', 2)}`);
}

/** Of the text of a frame whose head is there; `short` is what its second byte says. */
function lengthOf(bytes: Buffer, start: number, short: number): number {
  if (short === LONG) return bytes.readUInt16BE(start + 2);
  return short === LONGER ? bytes.readUInt32BE(start + 6) : short;
}

/** Takes the frames of one socket as they become complete. */
function readFrames(socket: Socket, hear: (text: string) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (;;) {
      if (start + 2 > bytes.length) break;
      const short = bytes.readUInt8(start + 1);
      const head = short === LONG ? 4 : short === LONGER ? 10 : 2;
      if (start + head > bytes.length) break;
      const end = start + head + lengthOf(bytes, start, short);
      if (end > bytes.length) break;
      takeFrame(socket, bytes.readUInt8(start), bytes.subarray(start + head, end), hear);
      start = end;
    }
    rest = bytes.subarray(start);
  });
}

function frameOf(text: string): Buffer {
  const body = Buffer.from(text);
  const head = [TEXT_FRAME, MASKED | LONG, body.length >> 8, body.length & 255, 0, 0, 0, 0];
  return Buffer.concat([Uint8Array.from(head), body]);
}

interface Ear {
  readonly path: string;
  readonly message: string;
}

function open(port: number, { path, message }: Ear): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const heads: Heads = new Map();
    const hear = path === '/ws/market' ? hearMarket : hearUser;
    const key = 'Sec-WebSocket-Key: dGhpcyBpcyBhIGJlbmNoLg==\r\nSec-WebSocket-Version: 13';
    const upgrade = 'Upgrade: websocket\r\nConnection: Upgrade';
    socket.write(`GET ${path} HTTP/1.1\r\nHost: day\r\n${upgrade}\r\n${key}\r\n\r\n`);
    socket.once('data', (reply) => {
      const [line] = reply.toString('latin1').split('\r\n');
      if (!line?.includes(' 101 ')) reject(new Error(`a listener was refused: ${line}`));
      if (!reply.subarray(-4).equals(HEAD_END)) reject(new Error('a frame came too early'));
      readFrames(socket, (text) => hear(text, heads));
      socket.write(frameOf(message));
      resolve();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      if (!isDone) closed.push('cut off');
    });
  });
}

async function listen(wish: ListenWish): Promise<void> {
  zeroMs = wish.zeroMs;
  while (market.length < wish.minutes) market.push(new Latencies());
  const ears = [
    ...wish.market.map((message) => ({ path: '/ws/market', message })),
    ...wish.user.map((message) => ({ path: '/ws/user', message })),
  ];
  // A few at a time, for the listener's queue is short.
  for (let from = 0; from < ears.length; from += AT_ONCE) {
    await Promise.all(ears.slice(from, from + AT_ONCE).map((ear) => open(wish.port, ear)));
  }
}

function figuresOf(latencies: Latencies): HeardFigures {
  return { ...latencies.percentiles, messages: latencies.count };
}

async function report(): Promise<Heard> {
  isDone = true;
  return { minutes: market.map(figuresOf), user: figuresOf(user), gaps, closed };
}

function fail(error: unknown): void {
  printProgress(String(error));
  process.send?.({ error: String(error) }, () => process.exit(1));
}

process.on('message', (wish: ListenersWish) => {
  const answer: Promise<unknown> = wish.kind === 'listen' ? listen(wish) : report();
  answer.then((value) => process.send?.({ value }), fail);
});
process.on('uncaughtException', fail);
process.on('disconnect', () => process.exit());
