/** Many subscribers of the market channel, in their own process. They count what comes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openClients } from '../harness/socket-client.ts';

const PONG = Buffer.from('PONG');
/** Fewer than an exchange allows one address. */
const CLIENTS_PER_ADDRESS = 1_500;

let pongs = 0;
/** Frames that are still awaited; below 0 for frames that came before they were awaited. */
let left = 0;
let onDone: (() => void) | undefined;

function take(text: Buffer): void {
  if (text.equals(PONG)) pongs += 1;
  else left -= 1;
}

function endIfDone(): void {
  if (onDone === undefined || left > 0) return;
  if (left < 0) throw new Error(`the clients got ${-left} messages more than were sent`);
  onDone();
  onDone = undefined;
}

/** Opens `count` clients and waits until all are subscribed with `message`. */
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

/** Resolves when `frames` more frames have arrived. */
export function countFrames(frames: number): Promise<void> {
  return new Promise((resolve) => {
    left += frames;
    onDone = resolve;
    endIfDone();
  });
}
