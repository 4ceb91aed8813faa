/**
 * `npm run bench -- streams`: how many messages a second the market channel publishes to many
 * subscribers, beside a bare uWebSockets.js publish of the same bytes. Each publisher and its
 * clients are two processes, so that none holds more than one socket a subscriber. `--rounds N`
 * sets the number of rounds.
 */
import { once } from 'node:events';
import { printProgress, whole } from '../harness/print.ts';
import { Process } from '../harness/process.ts';
import { type BenchResult, socketLimit } from '../harness/results.ts';
import { comparePair, type Round } from '../harness/turns.ts';
import { rowsBesideBare } from './reads.ts';
import type * as Clients from './stream-clients.ts';
import type * as Publisher from './stream-publisher.ts';
import { CONDITION_ID } from './stream-publisher.ts';

const PUBLISHER = new URL('./stream-publisher.ts', import.meta.url);
const CLIENTS = new URL('./stream-clients.ts', import.meta.url);
const SUBSCRIBERS = [1_000, 10_000];
/** Messages that are delivered in a round: the more subscribers, the fewer batches. */
const DELIVERIES = 100_000;
/** Messages of ours that the bare publisher repeats. */
const TEXTS = 100;
const LIMIT_MS = 60_000;
const SUBSCRIPTION = JSON.stringify({ markets: [CONDITION_ID], initial_dump: false });

/** One publisher with its clients. */
class Pair {
  readonly publisher = new Process<typeof Publisher>(PUBLISHER, LIMIT_MS);
  readonly #clients = new Process<typeof Clients>(CLIENTS, LIMIT_MS);

  async connect(port: number, count: number): Promise<void> {
    await this.#clients.call('subscribe', port, count, SUBSCRIPTION);
  }

  /** Publishes the messages of a round and waits until every client has all of them. */
  async runRound(subscribers: number): Promise<Round> {
    const batches = Math.ceil(DELIVERIES / subscribers);
    const frames = batches * subscribers;
    const before = this.publisher.processorSeconds();
    const startMs = performance.now();
    await Promise.all([
      this.#clients.call('countFrames', frames),
      this.publisher.call('publish', batches),
    ]);
    const seconds = (performance.now() - startMs) / 1_000;
    const micros = ((this.publisher.processorSeconds() - before) * 1e6) / frames;
    return { perSecond: frames / seconds, micros };
  }

  async stop(): Promise<void> {
    // The clients first: a client that is cut off is an error.
    await this.#clients.stop();
    await this.publisher.stop();
  }
}

/** The texts of some of our own messages, as one client gets them. */
async function recordTexts(ours: Pair, port: number): Promise<string[]> {
  const texts: string[] = [];
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/market`);
  socket.onmessage = ({ data }) => texts.push(String(data));
  await once(socket, 'open');
  socket.send(SUBSCRIPTION);
  // The answer to PING comes when the subscription is made.
  socket.send('PING');
  while (!texts.includes('PONG')) await once(socket, 'message');
  texts.length = 0;
  await ours.publisher.call('publish', TEXTS);
  while (texts.length < TEXTS) await once(socket, 'message');
  socket.close();
  return texts;
}

async function measure(subscribers: number, rounds: number) {
  const [ours, bare] = [new Pair(), new Pair()];
  const ourPort = await ours.publisher.call('startOurs');
  const texts = await recordTexts(ours, ourPort);
  const barePort = await bare.publisher.call('startBare', texts);
  printProgress(`streams: ${subscribers} subscribers: connecting`);
  await ours.connect(ourPort, subscribers);
  await bare.connect(barePort, subscribers);
  const compared = await comparePair({
    what: `streams: ${subscribers} subscribers`,
    rounds,
    ours: () => ours.runRound(subscribers),
    bare: () => bare.runRound(subscribers),
  });
  await ours.stop();
  await bare.stop();
  return { subscribers, bytes: Buffer.byteLength(texts[0]!), ...compared };
}

export async function benchStreams({ rounds = 7 }): Promise<BenchResult> {
  const rows: Awaited<ReturnType<typeof measure>>[] = [];
  for (const subscribers of SUBSCRIBERS) {
    if (subscribers <= socketLimit()) rows.push(await measure(subscribers, rounds));
    else printProgress(`streams: ${subscribers} subscribers were skipped: ulimit -n is too low`);
  }
  const summary = rows.flatMap(({ subscribers, ...compared }) => {
    const what = `market stream, ${whole(subscribers)} subscribers, messages`;
    return rowsBesideBare(what, compared, 'at least 0.8');
  });
  return { figures: { rounds, rows }, rows: summary };
}
