/**
 * Many subscribers of the market channel, in their own process. They count the frames that
 * come, or measure how late these are.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openClients, wallClockOffset } from '../harness/socket-client.ts';
import { percentilesOf } from '../harness/statistics.ts';

interface PriceChange {
  readonly timestamp: string;
  readonly price_changes: readonly {
    readonly asset_id: string;
    readonly price: string;
    readonly size: string;
  }[];
}

const PONG = Buffer.from('PONG');
const PRICE_CHANGE = Buffer.from('{"event_type":"price_change"');
/** Fewer than an exchange allows one address. */
const CLIENTS_PER_ADDRESS = 1_500;

/** What is awaited: so many frames, or so many changes of levels with their lateness. */
interface Wait {
  left: number;
  /** Left out: frames are counted only. */
  readonly onFrame?: (text: Buffer) => void;
  readonly done: () => void;
}

let pongs = 0;
/** Frames that came before they were counted. */
let early = 0;
let wait: Wait | undefined;

/** Identifies an order by its level and the size there after it. */
export function levelKey(price: number, size: number): string {
  return `${price} ${size}`;
}

function take(text: Buffer): void {
  if (text.equals(PONG)) pongs += 1;
  else if (wait === undefined) early += 1;
  else if (wait.onFrame === undefined) wait.left -= 1;
  else wait.onFrame(text);
}

function endIfDone(): void {
  if (wait === undefined || wait.left > 0) return;
  const { left, done } = wait;
  wait = undefined;
  if (left < 0) throw new Error(`the clients got ${-left} messages more than were sent`);
  done();
}

/** Subscribes so many clients. */
export async function subscribe(port: number, count: number, message: string): Promise<void> {
  const clients = Array.from({ length: count }, (_, index) => ({
    port,
    path: '/ws/market',
    forwardedFor: `10.0.0.${Math.floor(index / CLIENTS_PER_ADDRESS)}`,
    // The answer to PING comes when the subscription is made.
    messages: [message, 'PING'],
    onText: take,
    onPart: endIfDone,
    onClosed: (reason: string) => {
      throw new Error(`client ${index} was closed: ${reason}`);
    },
  }));
  await openClients(clients);
  while (pongs < count) await sleep(10);
}

/** Resolves when so many frames have come. */
export function countFrames(frames: number): Promise<void> {
  return new Promise((done) => {
    wait = { left: frames - early, done };
    early = 0;
    endIfDone();
  });
}

/**
 * How late so many changes of a level come, each of which is one order: from the message's own
 * `timestamp`, and from `dueMs`, when the order was due, in ms since the epoch by `levelKey`.
 */
export async function measureLateness(changes: number, dueMs?: Readonly<Record<string, number>>) {
  const acceptedMs = new Float64Array(changes);
  const sinceDueMs = new Float64Array(changes);
  const offsetMs = wallClockOffset();
  // All clients get the same bytes, one after the other, so most of them are not parsed.
  let last = { text: Buffer.alloc(0), acceptedMs: 0, dueMs: [] as readonly number[] };
  const readChange = (text: Buffer): typeof last => {
    // The market channel's own message.
    const { timestamp, price_changes } = JSON.parse(text.toString()) as PriceChange;
    const own = price_changes.filter(({ asset_id }) => asset_id === price_changes[0]?.asset_id);
    const dues = own.map(({ price, size }) => {
      const due = dueMs === undefined ? 0 : dueMs[levelKey(Number(price), Number(size))];
      if (due === undefined) throw new Error(`there is no order of ${size} at ${price}`);
      return due;
    });
    return { text: Buffer.from(text), acceptedMs: Number(timestamp), dueMs: dues };
  };
  await new Promise<void>((done) => {
    const waiting: Wait = {
      left: changes,
      done,
      onFrame: (text) => {
        if (!text.subarray(0, PRICE_CHANGE.length).equals(PRICE_CHANGE)) return;
        const nowMs = offsetMs + performance.now();
        if (!last.text.equals(text)) last = readChange(text);
        for (const due of last.dueMs) {
          waiting.left -= 1;
          acceptedMs[waiting.left] = Math.max(0, nowMs - last.acceptedMs);
          sinceDueMs[waiting.left] = Math.max(0, nowMs - due);
        }
      },
    };
    wait = waiting;
  });
  return { accepted: percentilesOf([acceptedMs]), due: percentilesOf([sinceDueMs]) };
}
