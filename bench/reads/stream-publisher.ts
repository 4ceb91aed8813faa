/**
 * A publisher of the streams benchmark, in its own process so that it does not hold the
 * clients' sockets: the market channel of the exchange, or a bare uWebSockets.js app that publishes
 * texts made beforehand.
 */
import { setImmediate, setTimeout } from 'node:timers/promises';
import { lots, micros, ticks } from '../../engine/index.ts';
import { createLog } from '../../http/runtime/log.ts';
import { Server } from '../../http/server/server.ts';
import { addSocketPath, createApp, listenOn, portOf } from '../../http/socket/socket-library.ts';
import { Streams } from '../../http/streams/streams.ts';
import { BookViews } from '../../http/views/books.ts';
import { Registry } from '../../http/views/registry.ts';
import type { DurableCommand } from '../../persistence/index.ts';
import { createMarket } from '../harness/commands.ts';

const LEVELS_A_BATCH = 3;
/** Levels a side of the book, each of which has orders. */
const LEVELS = 40;
const TOPIC = 'market';
const TIMESTAMP = /"timestamp":"\d+"/;

export const CONDITION_ID = `0x${'ab'.repeat(32)}`;
const conditionId = CONDITION_ID;
const MARKET = createMarket({
  conditionId,
  tokenIds: ['1'.repeat(77), '2'.repeat(77)],
  minimumLots: lots(500),
  minimumBudgetMicros: micros(1_000_000),
  eventId: '1',
});

interface Publisher {
  readonly port: number;
  publishNext(): void;
}

class Ours implements Publisher {
  readonly #registry = new Registry();
  readonly #books = new BookViews();
  readonly #streams: Streams;
  readonly #server: Server;
  port = 0;
  #seq = 0;

  constructor() {
    const [registry, books] = [this.#registry, this.#books];
    const now = Date.now;
    const monotonicMs = (): number => performance.now();
    // No periodic books and no heartbeats: their number depends on the clock.
    const bounds = { bookIntervalMs: 1e9, heartbeatMs: 1e9 };
    this.#streams = new Streams({ registry, books, now, monotonicMs, bounds });
    const log = createLog('silent');
    const trustedProxies = ['127.0.0.1'];
    this.#server = new Server({
      routes: [],
      cors: false,
      log,
      sockets: this.#streams,
      trustedProxies,
    });
  }

  async start(): Promise<void> {
    this.port = await this.#server.listen('127.0.0.1', 0);
    const lookup = { marketByCondition: () => undefined };
    this.#streams.open({ streamId: 'bench', catalog: { lookup } });
    this.#server.open({
      services: {},
      authentication: { callerOf: () => undefined, claimedOwner: () => '' },
      now: Date.now,
    });
    this.#consume(MARKET, [{ kind: 'market_created', conditionId }]);
    for (let price = 1; price <= LEVELS; price += 1) this.#change(price, 1);
  }

  publishNext(): void {
    this.#change(1 + (this.#seq % LEVELS), LEVELS_A_BATCH);
  }

  #change(price: number, count: number): void {
    const events = Array.from({ length: count }, (_, index) => ({
      kind: 'level_changed' as const,
      conditionId,
      side: 'bid' as const,
      priceTicks: ticks(100 * (1 + ((price + index) % LEVELS))),
      lots: lots(500 + this.#seq),
    }));
    this.#consume({ kind: 'advance_time' }, events);
  }

  #consume(command: DurableCommand['command'], events: DurableCommand['events']): void {
    this.#seq += 1;
    const batch = [{ seq: this.#seq, timeMs: Date.now(), command, events }];
    this.#registry.consume(batch);
    this.#books.consume(batch);
    this.#streams.consume(batch);
  }
}

class Bare implements Publisher {
  readonly #app = createApp();
  readonly #texts: readonly string[];
  port = 0;
  #next = 0;

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    const ignore = (): void => {};
    addSocketPath(this.#app, '/ws/market', {
      frameBytes: 65_536,
      waitingBytes: 16_777_216,
      idleSeconds: 60,
      gate: () => '',
      open: (socket) => socket.subscribe(TOPIC),
      message: (socket, bytes) => {
        if (bytes.byteLength === 'PING'.length) socket.send('PONG');
      },
      dropped: ignore,
      drained: ignore,
      closed: ignore,
    });
  }

  async start(): Promise<void> {
    const listener = await listenOn(this.#app, '127.0.0.1', 0);
    if (listener === undefined) throw new Error('no port is free');
    this.port = portOf(listener);
  }

  publishNext(): void {
    this.publishText(this.#texts[this.#next % this.#texts.length] ?? '');
    this.#next += 1;
  }

  publishText(text: string): void {
    this.#app.publish(TOPIC, text);
  }
}

let publisher: Publisher | undefined;

function started(): Publisher {
  if (publisher === undefined) throw new Error('the publisher is not started');
  return publisher;
}

/** Starts the bare publisher of these texts; without texts, ours. Returns the port. */
export async function start(texts?: readonly string[]): Promise<number> {
  const made = texts === undefined ? new Ours() : new Bare(texts);
  await made.start();
  publisher = made;
  return made.port;
}

/** Publishes a batch a turn of the event loop. */
export async function publish(batches: number): Promise<void> {
  for (let batch = 0; batch < batches; batch += 1) {
    started().publishNext();
    await setImmediate();
  }
}

/** Publishes one text at each of these times, with the time in place of its own. */
export async function pace(text: string, dueMs: readonly number[]): Promise<void> {
  const bare = started();
  if (!(bare instanceof Bare)) throw new Error('only the bare publisher takes texts');
  for (const atMs of dueMs) {
    await setTimeout(Math.max(0, atMs - Date.now()));
    bare.publishText(text.replace(TIMESTAMP, `"timestamp":"${Date.now()}"`));
  }
}
