/**
 * `npm run bench -- streams`: level changes of one market to its subscribers by the market channel,
 * beside a bare uWebSockets.js publish of the same bytes (design 10). Rounds are taken in turn.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { type CreateMarket, lots, micros, ticks } from '../engine/index.ts';
import { createLog } from '../http/log.ts';
import { Server } from '../http/server.ts';
import type { Services } from '../http/services.ts';
import { addSocketPath, createApp, listenOn, portOf } from '../http/socket-library.ts';
import { Streams } from '../http/streams/streams.ts';
import { BookViews } from '../http/views/books.ts';
import { Registry } from '../http/views/registry.ts';
import type { DurableCommand } from '../persistence/index.ts';
import { fixed, printLine, printProgress, printTable, whole } from './print.ts';
import { machine, recordResult } from './results.ts';
import { type Spread, spreadOf } from './statistics.ts';

/** Both sides' sockets are open at once, in one process. */
const SUBSCRIBERS = [1_000];
/** Batches in a round; each is one message to everybody. */
const BATCHES = 100;
const LEVELS_A_BATCH = 3;
/** Levels a side of the book, each of which has orders. */
const LEVELS = 40;
const ROUNDS = 9;
const BUDGET = 0.8;
const TOPIC = 'market';

const CAVEATS = [
  'One market, a batch a turn of the event loop, three levels that change in each. Ours takes the',
  'durable batch from its views to the socket, two hashes of the book and the ring for those who',
  'come back included; bare publishes texts that were made before. The clients are a process on',
  'the same processors and count frames. Processor time is of the publishing process alone.',
];

const MARKET: CreateMarket = {
  kind: 'create_market',
  conditionId: `0x${'ab'.repeat(32)}`,
  tokenIds: ['1'.repeat(77), '2'.repeat(77)],
  tickTicks: ticks(100),
  minimumLots: lots(500),
  minimumBudgetMicros: micros(1_000_000),
  negRisk: false,
  eventId: '1',
  selfTrade: 'cancel_maker',
};
const { conditionId } = MARKET;

/** Something that can say the next thing to all its subscribers. */
interface Publisher {
  readonly port: number;
  publishNext(): void;
}

interface Round {
  readonly perSecond: number;
  /** Processor time of a delivery in microseconds. */
  readonly micros: number;
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
    // As many clients as are wanted from one address, and no books: the clock has a say in those.
    const bounds = { socketsPerAddress: 1e6, bookIntervalMs: 1e9, messagesPerSecond: 1e9 };
    this.#streams = new Streams({ registry, books, now, monotonicMs, bounds });
    const log = createLog('silent');
    this.#server = new Server({ routes: [], cors: false, log, sockets: this.#streams });
  }

  async start(): Promise<void> {
    this.port = await this.#server.listen('127.0.0.1', 0);
    this.#streams.open({ streamId: 'bench', catalog: { marketByCondition: () => undefined } });
    // Safe: there are no routes, so nobody reads of it.
    this.#server.open({} as Services);
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

  stop(): Promise<void> {
    return this.#server.close();
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
      message: ignore,
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
    this.#app.publish(TOPIC, this.#texts[this.#next % this.#texts.length] ?? '');
    this.#next += 1;
  }

  stop(): void {
    this.#app.close();
  }
}

/** The texts of some of our own messages, as one client gets them. */
async function recordTexts(ours: Ours): Promise<string[]> {
  const texts: string[] = [];
  const socket = new WebSocket(`ws://127.0.0.1:${ours.port}/ws/market`);
  socket.onmessage = ({ data }) => texts.push(String(data));
  await once(socket, 'open');
  socket.send(JSON.stringify({ markets: [conditionId], initial_dump: false }));
  // Its answer comes when it has subscribed.
  socket.send('PING');
  while (!texts.includes('PONG')) await once(socket, 'message');
  texts.length = 0;
  for (let count = 0; count < BATCHES; count += 1) ours.publishNext();
  while (texts.length < BATCHES) await once(socket, 'message');
  socket.close();
  return texts;
}

async function connectClients(publisher: Publisher, count: number): Promise<ChildProcess> {
  const file = new URL('./reference/stream-clients.ts', import.meta.url);
  const clients = fork(file, [], { execArgv: ['--no-warnings'] });
  const message = JSON.stringify({ markets: [conditionId], initial_dump: false });
  clients.send({ port: publisher.port, count, message });
  await once(clients, 'message');
  return clients;
}

async function runRound(
  publisher: Publisher,
  clients: ChildProcess,
  count: number,
): Promise<Round> {
  const deliveries = count * BATCHES;
  const before = process.cpuUsage();
  const startMs = performance.now();
  const there = once(clients, 'message');
  clients.send(deliveries);
  for (let batch = 0; batch < BATCHES; batch += 1) {
    publisher.publishNext();
    await setImmediate();
  }
  await there;
  const seconds = (performance.now() - startMs) / 1_000;
  const { user, system } = process.cpuUsage(before);
  return { perSecond: deliveries / seconds, micros: (user + system) / deliveries };
}

interface Row {
  readonly subscribers: number;
  readonly bytes: number;
  readonly ours: Spread;
  readonly bare: Spread;
  readonly ratio: Spread;
  /** Processor time of a delivery, bare over ours. */
  readonly work: Spread;
}

async function measure(subscribers: number): Promise<Row> {
  const ours = new Ours();
  await ours.start();
  const texts = await recordTexts(ours);
  const bare = new Bare(texts);
  await bare.start();
  const ourClients = await connectClients(ours, subscribers);
  const bareClients = await connectClients(bare, subscribers);
  const runOurs = (): Promise<Round> => runRound(ours, ourClients, subscribers);
  const runBare = (): Promise<Round> => runRound(bare, bareClients, subscribers);
  await runOurs();
  await runBare();
  const rounds: { readonly ours: Round; readonly bare: Round }[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    printProgress(`streams: ${subscribers} subscribers: round ${round}`);
    // The first of a pair changes, so that neither always meets a machine warmed by the other.
    const isOursFirst = round % 2 === 0;
    const one = await (isOursFirst ? runOurs() : runBare());
    const other = await (isOursFirst ? runBare() : runOurs());
    rounds.push(isOursFirst ? { ours: one, bare: other } : { ours: other, bare: one });
  }
  for (const clients of [ourClients, bareClients]) clients.kill();
  await ours.stop();
  bare.stop();
  const spread = (of: (round: (typeof rounds)[number]) => number): Spread =>
    spreadOf(rounds.map(of));
  return {
    subscribers,
    bytes: Buffer.byteLength(texts[0] ?? ''),
    ours: spread((round) => round.ours.perSecond),
    bare: spread((round) => round.bare.perSecond),
    ratio: spread((round) => round.ours.perSecond / round.bare.perSecond),
    work: spread((round) => round.bare.micros / round.ours.micros),
  };
}

function print(rows: readonly Row[]): void {
  const ratio = ({ median, lowest, highest }: Spread): string =>
    `${fixed(median, 2)} (${fixed(lowest, 2)}..${fixed(highest, 2)})`;
  printLine(`market channel beside a bare uWebSockets.js publish of the same bytes (${machine()})`);
  printLine();
  printTable([
    ['subscribers', 'bytes', 'ours/s', 'bare/s', 'ratio', 'processor time', 'budget'],
    ...rows.map((row) => [
      whole(row.subscribers),
      whole(row.bytes),
      whole(row.ours.median),
      whole(row.bare.median),
      ratio(row.ratio),
      ratio(row.work),
      `${BUDGET} ${row.ratio.median >= BUDGET ? 'met' : 'not met'}`,
    ]),
  ]);
  printLine();
  for (const line of CAVEATS) printLine(`  ${line}`);
}

export async function benchStreams(): Promise<void> {
  const rows: Row[] = [];
  for (const subscribers of SUBSCRIBERS) rows.push(await measure(subscribers));
  print(rows);
  recordResult('streams', { batches: BATCHES, levels: LEVELS, rows });
}
