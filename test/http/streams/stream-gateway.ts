// The channels of a gateway without sockets: it applies batches in its own engine, as a replica
// does, and keeps the messages of what is followed.
import { strict as assert } from 'node:assert';
import { Engine, SnapshotLoader } from '../../../engine/index.ts';
import { NO_TEXTS } from '../../../http/format/index.ts';
import { STREAM_BOUNDS, type StreamBounds } from '../../../http/streams/delivery/bounds.ts';
import { type ChannelParts, ContentCache } from '../../../http/streams/delivery/context.ts';
import { NO_FAULTS } from '../../../http/streams/delivery/faults.ts';
import { StreamMetrics } from '../../../http/streams/delivery/metrics.ts';
import { MarketChannel } from '../../../http/streams/market/channel.ts';
import type { MarketFeed } from '../../../http/streams/market/feed.ts';
import { UserChannel } from '../../../http/streams/user/channel.ts';
import type { OwnerFeed } from '../../../http/streams/user/feed.ts';
import type { UserSession } from '../../../http/streams/user/session.ts';
import { BookViews } from '../../../http/views/books.ts';
import { Registry } from '../../../http/views/registry.ts';
import type { DurableCommand } from '../../../persistence/index.ts';
import { restoredState, ShownFacts } from '../../../persistence/shared/shown-facts.ts';
import { FactsReader, writeFacts, writeSteps } from '../../../persistence/snapshots/facts.ts';
import { NO_CATALOG } from './no-catalog.ts';

export const LOG_ID = 'the log';

/** Bounds under which no message is dropped. */
export const KEEPS_ALL = {
  ringBytesPerMarket: 1e9,
  ringBytes: 1e9,
  ringBytesPerOwner: 1e9,
  ownerRingBytes: 1e9,
};

/** A state as a follower writes it. */
export interface Saved {
  readonly engine: Engine;
  readonly facts: FactsReader;
  readonly seq: number;
  readonly timeMs: number;
}

/** Follows batches as the thread does that makes snapshots. */
export class SnapshotSource {
  readonly #engine = new Engine();
  readonly #facts = new ShownFacts();

  constructor() {
    this.#engine.countSteps();
  }

  take(batch: readonly DurableCommand[]): void {
    for (const { seq, timeMs, command } of batch)
      this.#engine.apply(seq, timeMs, this.#engine.inputOf(command));
    this.#engine.endBatch();
    this.#facts.consume(batch);
  }

  get canSave(): boolean {
    return !this.#engine.isUnfinished;
  }

  save({ seq, timeMs }: Pick<DurableCommand, 'seq' | 'timeMs'>): Saved {
    const loader = new SnapshotLoader();
    for (const part of this.#engine.snapshot()) loader.take(part);
    const facts = new FactsReader();
    for (const part of writeFacts(this.#facts)) facts.take(part);
    for (const part of writeSteps(this.#engine.steps!)) facts.take(part);
    return { engine: loader.finish(), facts, seq, timeMs };
  }
}

export class StreamGateway {
  readonly registry = new Registry();
  readonly market: MarketChannel;
  readonly user: UserChannel;
  readonly engine: Engine;
  /** The sequences with which markets and owners began to be followed. */
  readonly floors = new Map<string, number>();
  readonly #followed = new Map<string, OwnerFeed>();
  readonly #books = new BookViews();
  #seq = 0;

  constructor(saved?: Saved, bounds: Partial<StreamBounds> = {}) {
    const { registry } = this;
    const books = this.#books;
    const monotonicMs = (): number => 0;
    const hub = { hasListeners: () => false, publish: () => undefined };
    const parts = {
      // Safe: the channels use nothing else of the hub before they have sockets.
      hub: hub as unknown as ChannelParts['hub'],
      bounds: { ...STREAM_BOUNDS, ...bounds },
      metrics: new StreamMetrics(),
      registry,
      books,
      faults: NO_FAULTS,
      now: () => 0,
      monotonicMs,
      store: () => ({ streamId: LOG_ID, catalog: NO_CATALOG }),
    };
    const content = new ContentCache({ ...parts.bounds, monotonicMs, read: () => NO_TEXTS });
    this.market = new MarketChannel(parts);
    this.user = new UserChannel({ ...parts, content, takeFailure: () => true });
    this.engine = saved?.engine ?? new Engine();
    this.engine.countSteps(saved?.facts.steps);
    if (saved !== undefined) this.#restore(saved);
    const gateway = this;
    const store = {
      get appliedSeq() {
        return gateway.#seq;
      },
      get durableSeq() {
        return gateway.#seq;
      },
      state: this.engine,
    };
    this.user.source = { store, keyRing: { holderOf: () => undefined } };
  }

  /** Applies an entry of the log: a whole batch. */
  take(batch: readonly DurableCommand[]): void {
    const commands = batch.map(({ seq, timeMs, command }) => {
      return {
        seq,
        timeMs,
        command,
        events: this.engine.apply(seq, timeMs, this.engine.inputOf(command)),
      };
    });
    this.engine.endBatch();
    this.user.seal(commands, this.engine);
    this.#seq = commands.at(-1)!.seq;
    for (const view of [this.registry, this.#books, this.market, this.user]) view.consume(commands);
  }

  /** Begins to keep the messages of a market. */
  watch(conditionId: string): MarketFeed | undefined {
    const feed = this.market.market(conditionId);
    if (feed === undefined || feed.isWatched) return feed;
    feed.watch();
    this.floors.set(conditionId, feed.stamp.sequence);
    return feed;
  }

  /** Begins to keep the messages of an owner. */
  follow(owner: string): OwnerFeed {
    const before = this.#followed.get(owner);
    if (before !== undefined) return before;
    const apiKey = `key of ${owner}`;
    // Safe: before a session is sent anything, only its key is read.
    const feed = this.user.admit({ apiKey } as UserSession, owner);
    assert(feed !== undefined, 'it is the first socket of the owner');
    this.#followed.set(owner, feed);
    this.floors.set(owner, feed.sequence);
    return feed;
  }

  #restore({ engine, facts, seq, timeMs }: Saved): void {
    const state = restoredState(engine, facts, { seq, timeMs });
    for (const view of [this.registry, this.#books, this.market, this.user]) view.restore(state);
    this.#seq = seq;
  }
}
