// A listener with streams, a real engine and a real sequencer. The test decides when applied
// commands become durable.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Test } from 'tap';
import {
  type Command,
  Engine,
  lots,
  micros,
  type OwnedOrder,
  type PlaceOrder,
  ticks,
} from '../../../../engine/index.ts';
import type { KeyHolder } from '../../../../http/auth/key-ring.ts';
import { createLog } from '../../../../http/runtime/log.ts';
import { Server } from '../../../../http/server/server.ts';
import type { StreamBounds } from '../../../../http/streams/delivery/bounds.ts';
import { Streams } from '../../../../http/streams/streams.ts';
import { BookViews } from '../../../../http/views/books.ts';
import { Registry } from '../../../../http/views/registry.ts';
import type { JournalBatch } from '../../../../persistence/journal/batch.ts';
import { Sequencer } from '../../../../persistence/sequencer.ts';
import { bareParts } from '../../bare-server.ts';
import { CREATED_MS, createMarket, YES_TOKEN } from '../../durable-commands.ts';
import { NO_CATALOG } from '../no-catalog.ts';
import { StreamClient } from '../stream-client.ts';

export const STREAM_ID = 'stream 1';
export const OTHER_CONDITION = `0x${'cd'.repeat(32)}`;
export const OTHER_TOKENS: readonly [string, string] = ['61', '62'];

function ownerOf(name: string): string {
  return `0x${Buffer.from(name).toString('hex').padEnd(40, '0')}`;
}

class UserBench {
  readonly clock = { ms: 0 };
  readonly streams: Streams;
  readonly server: Server;
  readonly #registry = new Registry();
  readonly #engine = new Engine();
  readonly #sequencer: Sequencer;
  #batch: JournalBatch | undefined;
  #orders = 0;
  port = 0;

  constructor(bounds: Partial<StreamBounds>) {
    const [registry, engine, books] = [this.#registry, this.#engine, new BookViews()];
    const now = (): number => CREATED_MS + this.clock.ms;
    const monotonicMs = (): number => this.clock.ms;
    this.streams = new Streams({ registry, books, now, monotonicMs, bounds });
    this.server = new Server({
      routes: [],
      cors: true,
      log: createLog('silent'),
      sockets: this.streams,
    });
    engine.countSteps();
    this.#sequencer = new Sequencer({
      engine,
      lastSeq: 0,
      lastTimeMs: 0,
      now,
      append: (batch) => {
        this.#batch = batch;
      },
      path: {
        sealed: (commands) => {
          engine.endBatch();
          this.streams.seal(commands, engine);
        },
        durable: (commands) => {
          registry.consume(commands);
          books.consume(commands);
          this.streams.consume(commands);
        },
        failed: (error) => {
          throw error;
        },
      },
    });
  }

  /** Opens the listener to clients. An API key is the name of its owner. */
  open(): void {
    const [sequencer, engine] = [this.#sequencer, this.#engine];
    const holderOf = (name: string): KeyHolder => ({
      owner: ownerOf(name),
      credentials: { apiKey: name, secret: name, passphrase: name },
      purpose: 'trading',
    });
    const store = {
      get appliedSeq() {
        return sequencer.appliedSeq;
      },
      get durableSeq() {
        return sequencer.durableSeq;
      },
      state: engine,
    };
    this.streams.open(
      { streamId: STREAM_ID, catalog: NO_CATALOG },
      { store, keyRing: { holderOf } },
    );
    this.server.open(bareParts);
  }

  /** Applies commands at once. They are written in the next turn of the event loop. */
  apply(...commands: readonly Command[]): void {
    for (const command of commands) this.#sequencer.submit(command, undefined);
  }

  /** Makes the written commands durable; returns whether there were any. */
  async commit(): Promise<boolean> {
    await nextTurn();
    const batch = this.#batch;
    this.#batch = undefined;
    if (batch === undefined) return false;
    this.#sequencer.committed(batch.firstSeq + batch.payloads.length - 1);
    return true;
  }

  /** Applies commands and makes them durable. */
  async do(...commands: readonly Command[]): Promise<void> {
    this.apply(...commands);
    while (await this.commit());
  }

  /** A BUY at 0.4 that rests, unless the changes say otherwise. */
  order(name: string, changes: Partial<PlaceOrder> = {}): PlaceOrder {
    this.#orders += 1;
    const owner = ownerOf(name);
    return {
      kind: 'place_order',
      orderId: `0x${this.#orders.toString(16).padStart(64, '0')}`,
      account: owner,
      owner,
      tokenId: YES_TOKEN,
      side: 'BUY',
      type: 'GTC',
      postOnly: false,
      priceTicks: ticks(4_000),
      lots: lots(500),
      budgetMicros: micros(0),
      expiresAtMs: 0,
      minimumLeadMs: 0,
      earlyEndMs: 0,
      idCheckedSeq: this.#sequencer.appliedSeq,
      apiKey: name,
      opens: { wallet: 'eoa', paperMicros: micros(1_000_000_000_000) },
      ...changes,
    };
  }

  /** The engine's live orders of an owner. */
  liveOrders(name: string): readonly OwnedOrder[] {
    return this.#engine.owner(ownerOf(name)).orders;
  }

  cancel(name: string, orderId: string): Command {
    return { kind: 'cancel_orders', owner: ownerOf(name), orderIds: [orderId] };
  }

  deposit(name: string, key: string): Command {
    return { kind: 'deposit', account: ownerOf(name), amountMicros: micros(1_000_000), key };
  }

  /** Moves the clock, then does the work that is due. */
  pass(ms: number): void {
    this.clock.ms += ms;
    this.streams.sweep();
  }

  connect(): Promise<StreamClient> {
    return StreamClient.open(`http://127.0.0.1:${this.port}`, '/ws/user');
  }

  /** A client that has received the whole answer to its first message. */
  async subscribed(name: string, wishes: object = {}): Promise<StreamClient> {
    const client = await this.connect();
    const auth = { apikey: name, secret: name, passphrase: name };
    client.send({ auth, custom_feature_enabled: true, ...wishes });
    await client.settled();
    return client;
  }
}

/** An open listener with two markets, which closes with the test. */
export async function startUserBench(
  t: Pick<Test, 'teardown'>,
  bounds: Partial<StreamBounds> = {},
): Promise<UserBench> {
  const bench = new UserBench(bounds);
  t.teardown(() => bench.server.close());
  bench.port = await bench.server.listen('127.0.0.1', 0);
  const other = { conditionId: OTHER_CONDITION, tokenIds: OTHER_TOKENS };
  await bench.do(createMarket(), createMarket({ ...other, tokenIds: ['61', '62'] }));
  bench.open();
  return bench;
}
