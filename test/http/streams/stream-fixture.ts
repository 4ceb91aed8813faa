// A listener with streams alone. The test provides durable commands, the bounds and the clock.
import type { Test } from 'tap';
import type { CreateMarket, EngineEvent } from '../../../engine/index.ts';
import { createLog } from '../../../http/runtime/log.ts';
import { Server } from '../../../http/server/server.ts';
import type { StreamBounds } from '../../../http/streams/delivery/bounds.ts';
import { NO_FAULTS, type StreamFaults } from '../../../http/streams/delivery/faults.ts';
import { Streams } from '../../../http/streams/streams.ts';
import { BookViews } from '../../../http/views/books.ts';
import { Registry } from '../../../http/views/registry.ts';
import type { DurableCommand } from '../../../persistence/index.ts';
import { bareParts } from '../bare-server.ts';
import { CREATED_MS, createMarket, happened, marketCreated } from '../durable-commands.ts';
import { NO_CATALOG } from './no-catalog.ts';
import { type Message, StreamClient } from './stream-client.ts';

export const STREAM_ID = 'stream 1';

export class StreamBench {
  readonly clock = { ms: 0 };
  readonly registry = new Registry();
  readonly books = new BookViews();
  readonly streams: Streams;
  readonly server: Server;
  port = 0;
  #seq = 0;

  constructor(
    bounds: Partial<StreamBounds> = {},
    trustedProxies: readonly string[] = [],
    faults: StreamFaults = NO_FAULTS,
  ) {
    const { registry, books, clock } = this;
    const now = (): number => CREATED_MS + clock.ms;
    const monotonicMs = (): number => clock.ms;
    this.streams = new Streams({ registry, books, now, monotonicMs, bounds, faults });
    this.server = new Server({
      routes: [],
      cors: true,
      log: createLog('silent'),
      sockets: this.streams,
      trustedProxies,
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  open(): void {
    this.streams.open({ streamId: STREAM_ID, catalog: NO_CATALOG });
    this.server.open(bareParts);
  }

  create(changes: Partial<CreateMarket> = {}): void {
    this.#seq += 1;
    this.#consume([marketCreated(createMarket(changes), this.#seq)]);
  }

  /** One durable batch of one command. */
  commit(...events: EngineEvent[]): void {
    this.#seq += 1;
    this.#consume([happened(this.#seq, CREATED_MS + this.clock.ms, events)]);
  }

  /** How often something was counted. */
  count(what: 'closed' | 'faults' | 'resumes', name: string): number {
    for (const [first, , count] of this.streams.metrics[what].all()) {
      if (first === name) return count;
    }
    return 0;
  }

  connect(): Promise<StreamClient> {
    return StreamClient.open(this.url);
  }

  /** A client that has received the whole answer to a message. */
  async subscribed(message: object): Promise<StreamClient> {
    const client = await this.connect();
    client.send(message);
    await client.settled();
    return client;
  }

  #consume(commands: readonly DurableCommand[]): void {
    this.registry.consume(commands);
    this.books.consume(commands);
    this.streams.consume(commands);
  }
}

/** An open listener with one market, which closes with the test. */
export async function startStreams(
  t: Pick<Test, 'teardown'>,
  bounds: Partial<StreamBounds> = {},
  trustedProxies: readonly string[] = [],
  faults: StreamFaults = NO_FAULTS,
): Promise<StreamBench> {
  const bench = new StreamBench(bounds, trustedProxies, faults);
  t.teardown(() => bench.server.close());
  bench.port = await bench.server.listen('127.0.0.1', 0);
  bench.create();
  bench.open();
  return bench;
}

/** The kind of each message. */
export function kindsOf(messages: readonly Message[]): (string | undefined)[] {
  return messages.map(({ event_type, type }) => event_type ?? type);
}
