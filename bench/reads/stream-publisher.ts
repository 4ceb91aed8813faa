/**
 * A publisher of the streams benchmark, in its own process so that it does not hold the
 * clients' sockets: the market channel of the exchange, or a bare uWebSockets.js app that publishes
 * texts made beforehand.
 */
import { setImmediate } from 'node:timers/promises';
import { lots, micros, ticks } from '../../engine/index.ts';
import { createLog } from '../../http/runtime/log.ts';
import { Server } from '../../http/server/server.ts';
import { addSocketPath, createApp, listenOn, portOf } from '../../http/socket/socket-library.ts';
import { Streams } from '../../http/streams/streams.ts';
import { BookViews } from '../../http/views/books.ts';
import { Registry } from '../../http/views/registry.ts';
import type { DurableCommand } from '../../persistence/index.ts';
import { NO_CATALOG } from '../../test/http/streams/no-catalog.ts';
import { createMarket } from '../harness/commands.ts';

const HOST = '127.0.0.1';
const LEVELS_A_BATCH = 3;
/** Bid levels of the book; each has orders. */
const LEVELS = 40;
const TOPIC = 'market';

export const CONDITION_ID = `0x${'ab'.repeat(32)}`;
const conditionId = CONDITION_ID;
const MARKET = createMarket({
  conditionId,
  tokenIds: ['1'.repeat(77), '2'.repeat(77)],
  minimumLots: lots(500),
  minimumBudgetMicros: micros(1_000_000),
  eventId: '1',
});

/** Publishes the message of this number, from 0 on. */
type PublishNext = (number: number) => void;
let publishNext: PublishNext | undefined;
let published = 0;

/** Starts the channel of the exchange, which gets batches as after a commit. Returns the port. */
export async function startOurs(): Promise<number> {
  const registry = new Registry();
  const books = new BookViews();
  const streams = new Streams({
    registry,
    books,
    now: Date.now,
    monotonicMs: () => performance.now(),
    // No periodic books and no heartbeats: their number depends on the clock.
    bounds: { bookIntervalMs: 1e9, heartbeatMs: 1e9 },
  });
  const log = createLog('silent');
  const trustedProxies = [HOST];
  const server = new Server({ routes: [], cors: false, log, sockets: streams, trustedProxies });
  const port = await server.listen(HOST, 0);
  streams.open({ streamId: 'bench', catalog: NO_CATALOG });
  server.open({
    services: {},
    authentication: { callerOf: () => undefined, claimedOwner: () => '' },
    clock: { shownMs: Date.now, offsetMs: 0 },
  });
  let seq = 0;
  const consume = (command: DurableCommand['command'], events: DurableCommand['events']): void => {
    seq += 1;
    const batch = [{ seq, timeMs: Date.now(), command, events }];
    for (const consumer of [registry, books, streams]) consumer.consume(batch);
  };
  const change = (price: number, count: number): void => {
    const events = Array.from({ length: count }, (_, index) => ({
      kind: 'level_changed' as const,
      conditionId,
      side: 'bid' as const,
      priceTicks: ticks(100 * (1 + ((price + index) % LEVELS))),
      lots: lots(500 + seq),
    }));
    consume({ kind: 'advance_time' }, events);
  };
  consume(MARKET, [{ kind: 'market_created', conditionId }]);
  for (let price = 1; price <= LEVELS; price += 1) change(price, 1);
  publishNext = (number) => change(1 + (number % LEVELS), LEVELS_A_BATCH);
  return port;
}

/** Starts a bare app that publishes these texts again and again. Returns the port. */
export async function startBare(texts: readonly string[]): Promise<number> {
  const app = createApp();
  const ignore = (): void => {};
  addSocketPath(app, '/ws/market', {
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
  const listener = await listenOn(app, HOST, 0);
  if (listener === undefined) throw new Error('no port is free');
  publishNext = (number) => app.publish(TOPIC, texts[number % texts.length]!);
  return portOf(listener);
}

/** Publishes batches, one in each turn of the event loop. */
export async function publish(batches: number): Promise<void> {
  if (publishNext === undefined) throw new Error('the publisher is not started');
  for (let batch = 0; batch < batches; batch += 1) {
    publishNext(published);
    published += 1;
    await setImmediate();
  }
}
