/**
 * One life of the exchange in a simulation, from a start to a crash or a stop: the real sequencer,
 * engine, journal, recovery, views and streams, on the simulation's disk, network and clock.
 * Invariant: views and streams get only commands that the disk has. Bound: one life at a time.
 */
import { strict as assert } from 'node:assert';
import { type Command, Engine } from '../../engine/index.ts';
import { KeyRing } from '../../http/auth/key-ring.ts';
import { OwnerQueues } from '../../http/orders/owner-queue.ts';
import { Streams } from '../../http/streams/streams.ts';
import { BookViews } from '../../http/views/books.ts';
import { Registry } from '../../http/views/registry.ts';
import type { DurableCommand } from '../../persistence/index.ts';
import type { JournalBatch } from '../../persistence/journal/batch.ts';
import { JournalReader } from '../../persistence/journal/reader.ts';
import { recover } from '../../persistence/recovery/recovery.ts';
import { Sequencer } from '../../persistence/sequencer.ts';
import { restoredState } from '../../persistence/shared/shown-facts.ts';
import { NO_CATALOG } from '../http/streams/no-catalog.ts';
import type { AppliedEngine, Auditor } from './auditor.ts';
import type { Bug } from './bugs.ts';
import type { SimClock } from './sim-clock.ts';
import type { SimDisk } from './sim-disk.ts';
import { restoreFrom, SimFollower } from './sim-follower.ts';
import { SimApp } from './sim-network.ts';
import type { World } from './world.ts';

const MASTER_SECRET = Buffer.alloc(32, 7);
/** So small that some resumes are refused, because their messages are gone from the ring. */
const RING_BYTES = 20_000;

/** What one run of the exchange reports to the simulation. */
export interface LifeEvents {
  /** Commands in order of seq, once they are on the disk. */
  durable(commands: readonly DurableCommand[]): void;
  /** The exchange must end now. */
  fatal(error: Error): void;
}

export class SimExchange {
  readonly registry = new Registry();
  readonly books = new BookViews();
  readonly keyRing = new KeyRing(MASTER_SECRET, this.registry);
  readonly queues = new OwnerQueues();
  readonly streamId: string;
  readonly app: SimApp;
  readonly streams: Streams;
  readonly #world: World;
  readonly #clock: SimClock;
  readonly #disk: SimDisk;
  readonly #auditor: Auditor;
  readonly #events: LifeEvents;
  #engine: Engine;
  #sequencer: Sequencer | undefined;
  #follower: SimFollower | undefined;
  #isOver = false;

  constructor(world: World, streamId: string, events: LifeEvents) {
    const { clock, disk, auditor, random, bounds } = world;
    this.#world = world;
    this.#clock = clock;
    this.#disk = disk;
    this.#auditor = auditor;
    this.#events = events;
    this.streamId = streamId;
    this.#engine = new Engine(bounds, { reserveOrders: 1, hashSeed: random.next() });
    this.app = new SimApp(
      clock,
      random,
      () => !(this.#isPlanted('skip_a_message') && random.chance(2)),
    );
    const { registry, books } = this;
    const now = (): number => clock.wallMs;
    const monotonicMs = (): number => clock.nowMs;
    const ringBytesPerMarket = RING_BYTES;
    const bounded = { ringBytesPerMarket, ringBytesPerOwner: RING_BYTES };
    this.streams = new Streams({ registry, books, now, monotonicMs, bounds: bounded });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get engine(): Engine {
    return this.#engine;
  }

  get sequencer(): Sequencer {
    assert.ok(this.#sequencer !== undefined);
    return this.#sequencer;
  }

  /** Recovers from snapshot and journal, then opens the streams to clients. */
  async start(): Promise<void> {
    const disk = this.#disk;
    const end = disk.open();
    const fromSeq = this.#beginFromSnapshot(end.lastSeq);
    await recover({
      journalPath: disk.journalPath,
      engine: this.#engine,
      fromSeq,
      lastSeq: end.lastSeq,
      onDurable: (commands) => {
        this.#consume(commands);
        this.#events.durable(commands);
      },
    });
    this.#auditor.checkRecovered(this.#engine);
    const sequencer = new Sequencer({
      ...end,
      engine: this.#auditor.watch(this.#watched()),
      now: () => this.#clock.wallMs,
      append: (batch) => this.#write(batch),
      path: {
        sealed: (commands) => {
          this.#engine.endBatch();
          this.streams.seal(commands, this.#engine);
          if (this.#isPlanted('publish_before_commit')) this.#consume(commands);
        },
        durable: (commands) => {
          if (!this.#isPlanted('publish_before_commit')) this.#consume(commands);
          this.#events.durable(commands);
        },
        failed: (error) => this.#events.fatal(error),
      },
    });
    this.#sequencer = sequencer;
    this.streams.attach(this.app.face, () => '192.0.2.1');
    const [engine, streamId] = [this.#engine, this.streamId];
    const store = {
      streamId,
      catalog: NO_CATALOG,
      get appliedSeq() {
        return sequencer.appliedSeq;
      },
      get durableSeq() {
        return sequencer.durableSeq;
      },
      state: engine,
    };
    this.streams.open(store, { store, keyRing: this.keyRing });
    this.#follower = new SimFollower(this.#world);
  }

  #consume(commands: readonly DurableCommand[]): void {
    const lastSeq = commands.at(-1)?.seq ?? 0;
    this.#auditor.show(lastSeq, this.#disk.durableSeq);
    this.registry.consume(commands);
    this.books.consume(commands);
    this.streams.consume(commands);
  }

  /** Restores the newest usable snapshot and returns its seq; 0 if there is none. */
  #beginFromSnapshot(lastSeq: number): number {
    const { disk, bounds, count } = this.#world;
    const journal = new JournalReader(disk.journalPath);
    try {
      const onUnusable = (): void => count('unusable snapshots');
      const restored = restoreFrom(disk.folder, journal, { bounds, lastSeq, onUnusable });
      if (restored === undefined) {
        this.#engine.countSteps();
        return 0;
      }
      count('starts from a snapshot');
      this.#engine = restored.engine;
      this.#engine.countSteps(restored.steps);
      const state = restoredState(restored.engine, restored.facts, restored.head);
      this.registry.restore(state);
      this.books.restore(state);
      this.streams.restore(state);
      return restored.head.seq;
    } finally {
      journal.close();
    }
  }

  #write(batch: JournalBatch): void {
    const user = {
      committed: (seq: number) => {
        if (!this.#isOver) this.#sequencer?.committed(seq);
      },
      failed: (error: Error) => {
        if (!this.#isOver) this.#sequencer?.fail(error);
      },
    };
    const isEarly = this.#isPlanted('answer_before_commit');
    this.#disk.write(batch, isEarly ? { ...user, committed: () => undefined } : user);
    const seq = batch.firstSeq + batch.payloads.length - 1;
    if (isEarly) this.#clock.after(0, () => user.committed(seq));
  }

  #watched(): AppliedEngine {
    const engine = this.#engine;
    if (!this.#isPlanted('apply_a_retry')) return engine;
    let command: Command;
    return {
      nextDueMs: () => engine.nextDueMs(),
      isBehind: (timeMs) => engine.isBehind(timeMs),
      findRedemptions: () => engine.findRedemptions(),
      inputOf: (given) => {
        command = given;
        return engine.inputOf(given);
      },
      names: engine.names,
      get digest() {
        return engine.digest;
      },
      apply: (seq, timeMs, input) => {
        const events = engine.apply(seq, timeMs, input);
        if (command.kind !== 'place_order') return events;
        if (!events.some(({ kind }) => kind === 'order_duplicate')) return events;
        const orderId = `${command.orderId.slice(0, -4)}${'beef'}`;
        return engine.apply(seq, timeMs, engine.inputOf({ ...command, orderId }));
      },
    };
  }

  #isPlanted(bug: Bug): boolean {
    return this.#world.bug === bug;
  }

  /** Completes the submitted commands, then ends, like a service that is asked to stop. */
  async stop(): Promise<void> {
    const draining = this.sequencer.drain();
    let isDrained = false;
    void draining.then(() => {
      isDrained = true;
    });
    while (!isDrained) assert.ok(await this.#clock.step(), 'a stop ends');
    this.end();
    this.#disk.close();
  }

  /** Ends its follower, connections and streams at once. */
  end(): void {
    this.#isOver = true;
    this.#follower?.end();
    this.app.breakAll();
    this.streams.close();
  }

  /** All commands of the journal, as a reader finds them. */
  storedCommands() {
    const journal = new JournalReader(this.#disk.journalPath);
    try {
      const all = [];
      for (let seq = 0; seq < this.#disk.durableSeq; ) {
        const toSeq = journal.stepEnd(seq, this.#disk.durableSeq);
        all.push(...journal.commands(seq, toSeq));
        seq = toSeq;
      }
      return all;
    } finally {
      journal.close();
    }
  }
}
