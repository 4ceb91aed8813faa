/**
 * How fast the market channel publishes to many subscribers, beside a bare uWebSockets.js publish
 * of the same bytes, in rounds taken in turn. Each publisher and its clients are two processes of
 * their own: no process holds more than one socket a subscriber.
 */
import { once } from 'node:events';
import { HelperProcess } from '../harness/helper-process.ts';
import { printProgress } from '../harness/print.ts';
import { processorSeconds } from '../harness/server-process.ts';
import { type Spread, spreadOf } from '../harness/statistics.ts';
import { BENCH_MARKET, type ClientsWish, type PublisherWish } from './stream-wishes.ts';

/** Messages to be delivered in a round: the more subscribers, the fewer batches. */
const DELIVERIES = 100_000;
/** Texts of ours that the bare publisher repeats. */
const TEXTS = 100;

function fileOf(name: string): URL {
  return new URL(`../reference/${name}.ts`, import.meta.url);
}

export function startClients(): HelperProcess<ClientsWish> {
  return new HelperProcess(fileOf('stream-clients'));
}

export function startPublisher(): HelperProcess<PublisherWish> {
  return new HelperProcess(fileOf('stream-publisher'));
}

export interface StreamRow {
  readonly subscribers: number;
  readonly bytes: number;
  /** Messages delivered a second. */
  readonly ours: Spread;
  readonly bare: Spread;
  readonly ratio: Spread;
  /** Processor time of a delivery, bare over ours. */
  readonly work: Spread;
}

interface Round {
  readonly perSecond: number;
  /** Processor time of a delivery in microseconds. */
  readonly micros: number;
}

const { conditionId } = BENCH_MARKET;
const SUBSCRIPTION = JSON.stringify({ markets: [conditionId], initial_dump: false });

/** One publisher with its clients. */
class Pair {
  readonly #publisher = startPublisher();
  readonly #clients = startClients();
  port = 0;

  async start(texts?: readonly string[]): Promise<void> {
    const wish = texts === undefined ? {} : { texts };
    this.port = await this.#publisher.ask<number>({ kind: 'start', ...wish });
  }

  connect(count: number): Promise<void> {
    return this.#clients.ask({ kind: 'connect', port: this.port, count, message: SUBSCRIPTION });
  }

  publish(batches: number): Promise<number> {
    return this.#publisher.ask({ kind: 'publish', batches });
  }

  /** Ends when each client has every message. */
  async runRound(subscribers: number): Promise<Round> {
    const batches = Math.ceil(DELIVERIES / subscribers);
    const frames = batches * subscribers;
    const before = processorSeconds(this.#publisher.pid);
    const startMs = performance.now();
    await Promise.all([this.#clients.ask({ kind: 'count', frames }), this.publish(batches)]);
    const seconds = (performance.now() - startMs) / 1_000;
    const micros = ((processorSeconds(this.#publisher.pid) - before) * 1e6) / frames;
    return { perSecond: frames / seconds, micros };
  }

  async stop(): Promise<void> {
    // The clients first: one that is cut off is an error.
    await this.#clients.stop();
    await this.#publisher.stop();
  }
}

/** The texts of some of our own messages, as one client gets them. */
async function recordTexts(ours: Pair): Promise<string[]> {
  const texts: string[] = [];
  const socket = new WebSocket(`ws://127.0.0.1:${ours.port}/ws/market`);
  socket.onmessage = ({ data }) => texts.push(String(data));
  await once(socket, 'open');
  socket.send(SUBSCRIPTION);
  // Its answer comes when it has subscribed.
  socket.send('PING');
  while (!texts.includes('PONG')) await once(socket, 'message');
  texts.length = 0;
  await ours.publish(TEXTS);
  while (texts.length < TEXTS) await once(socket, 'message');
  socket.close();
  return texts;
}

async function runRounds(ours: Pair, bare: Pair, subscribers: number, count: number) {
  const rounds: { readonly ours: Round; readonly bare: Round }[] = [];
  await ours.runRound(subscribers);
  await bare.runRound(subscribers);
  for (let round = 1; round <= count; round += 1) {
    printProgress(`streams: ${subscribers} subscribers: round ${round}`);
    // The first of a pair changes, so that neither always meets a machine warmed by the other.
    const isOursFirst = round % 2 === 0;
    const one = await (isOursFirst ? ours : bare).runRound(subscribers);
    const other = await (isOursFirst ? bare : ours).runRound(subscribers);
    rounds.push(isOursFirst ? { ours: one, bare: other } : { ours: other, bare: one });
  }
  return rounds;
}

export async function measureSpeed(subscribers: number, count: number): Promise<StreamRow> {
  const ours = new Pair();
  const bare = new Pair();
  await ours.start();
  const texts = await recordTexts(ours);
  await bare.start(texts);
  printProgress(`streams: ${subscribers} subscribers: connecting`);
  await ours.connect(subscribers);
  await bare.connect(subscribers);
  const rounds = await runRounds(ours, bare, subscribers, count);
  await ours.stop();
  await bare.stop();
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
