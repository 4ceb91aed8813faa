/**
 * One process of a node, from its start until it crashes, is deposed or fails. It follows the log
 * in the store, takes over when the log is silent, and then leads with the real sequencer and
 * engine. Invariant: its disk gets an entry only after the log has committed it.
 */
import { strict as assert } from 'node:assert';
import type {
  EntryHead,
  LogEntry,
  LogEvent,
  LogPosition,
  LogView,
} from '../../../cluster/log/index.ts';
import { LogNode, NoAnswerError } from '../../../cluster/log/index.ts';
import { type Command, Engine, stateHash } from '../../../engine/index.ts';
import type { Random } from '../../../http/codec/random.ts';
import type { JournalBatch } from '../../../persistence/journal/batch.ts';
import { jsonCommand } from '../../../persistence/rows/payload.ts';
import { Sequencer } from '../../../persistence/sequencer.ts';
import { type Applied, StoreError } from '../../../persistence/shared/index.ts';
import type { SimClock } from '../sim-clock.ts';
import { jsonOf, type LogAuditor } from './log-auditor.ts';
import type { PlantName } from './plants.ts';
import type { SimNodeDisk } from './sim-node-disk.ts';
import type { SimStoreLine } from './sim-store.ts';

const LOOK_MS = 250;
const SILENCE_MS = 1_500;
const FRESH_MS = 1_000;
const MASTER_SECRET = Buffer.alloc(32, 7);

/** What a process sees of the simulation. */
export interface LifeWorld {
  readonly clock: SimClock;
  readonly random: Random;
  readonly auditor: LogAuditor;
  readonly prefix: string;
  readonly slowDiskMs: number;
  readonly plant: PlantName | undefined;
  readonly count: (name: string) => void;
  /** A step failed: the simulation ends with this error. */
  readonly fail: (error: unknown) => void;
}

/** The node whose process it is. */
export interface LifeHost {
  readonly name: string;
  readonly disk: SimNodeDisk;
  readonly line: SimStoreLine;
  readonly wallMs: number;
  crash(): void;
  /** Takes what the node has that is furthest, and starts again with it. */
  takeSnapshot(): void;
}

function cancelled(clock: SimClock, delayMs: number, call: () => void): () => void {
  const timer = clock.after(delayMs, call);
  return () => clock.clear(timer);
}

export class NodeLife {
  readonly #node: LifeHost;
  readonly #world: LifeWorld;
  readonly #engine: Engine;
  readonly #log: LogNode;
  #known: LogPosition;
  #seq = 0;
  #timeMs = 0;
  #sequencer: Sequencer | undefined;
  /** The batch that the log is committing. */
  #appending: JournalBatch | undefined;
  #freshUntilMs = Number.NEGATIVE_INFINITY;
  #isOver = false;
  /** Entries that are applied and not on the disk yet. */
  readonly #unsynced: LogEntry[] = [];
  #isSyncing = false;

  constructor(node: LifeHost, world: LifeWorld) {
    this.#node = node;
    this.#world = world;
    this.#engine = new Engine({}, { reserveOrders: 1, hashSeed: world.random.next() });
    const { clock, random, prefix } = world;
    this.#log = new LogNode({
      store: node.line,
      clock: { now: () => clock.nowMs, after: (delayMs, call) => cancelled(clock, delayMs, call) },
      prefix,
      node: node.name,
      feedAddress: `${node.name}:1`,
      makeId: () => random.hex(16),
      onEvent: (event) => {
        try {
          this.#receive(event);
        } catch (error) {
          world.fail(error);
        }
      },
    });
    this.#known = node.disk.position;
    for (const entry of node.disk.entries) this.#applyCommands(entry);
  }

  get isLeading(): boolean {
    return this.#sequencer !== undefined && !this.#isOver;
  }

  get position(): LogPosition {
    return this.#known;
  }

  get seq(): number {
    return this.#seq;
  }

  get stateHash(): string {
    return stateHash(this.#engine.state());
  }

  /** Resolves when it leads; rejects if the simulation must end. */
  async run(): Promise<void> {
    await this.#join();
    let lastHead = -1;
    let lastEpoch = -1;
    let sinceMs = this.#world.clock.nowMs;
    while (!this.#isOver) {
      const view = await this.#look();
      const nowMs = this.#world.clock.nowMs;
      const isNew = view === undefined || view.head.number !== lastHead;
      if (view?.holder.hasResigned === true) {
        if (await this.#takeOver()) return;
      } else if (isNew || view.holder.epoch !== lastEpoch) {
        lastHead = view?.head.number ?? -1;
        lastEpoch = view?.holder.epoch ?? -1;
        sinceMs = nowMs;
      } else if (nowMs - sinceMs >= SILENCE_MS) {
        if (await this.#takeOver()) return;
        sinceMs = this.#world.clock.nowMs;
      }
      await this.#rest(LOOK_MS);
    }
  }

  /** Looks at the log and catches up with it; undefined if the store did not answer. */
  async #look(): Promise<LogView | undefined> {
    try {
      const view = await this.#log.look(this.#known);
      while (this.#known.number < view.head.number && !this.#isOver) {
        this.#follow(await this.#log.entries(this.#known));
      }
      return view;
    } catch (error) {
      this.#expect(error);
      return undefined;
    }
  }

  async #takeOver(): Promise<boolean> {
    this.#world.count('claims');
    try {
      const claim = await this.#log.claim(this.#known);
      if (claim === undefined || this.#isOver) return false;
      this.#follow(claim.entries);
      while (this.#known.number < claim.head.number) {
        this.#follow(await this.#log.entries(this.#known));
      }
    } catch (error) {
      this.#expect(error);
      return false;
    }
    if (this.#isOver) return false;
    this.#world.count('takeovers');
    this.#lead();
    return true;
  }

  /** What a store that does not answer causes, or a log that was pruned, is part of life. */
  #expect(error: unknown): void {
    if (error instanceof NoAnswerError) return;
    const isPruned = error instanceof StoreError && error.code === 'log_pruned';
    if (!isPruned) throw error;
    // Another node gives a snapshot, which is on the disk before the process goes on.
    this.#node.takeSnapshot();
  }

  async #join(): Promise<void> {
    const { disk } = this.#node;
    const terms = {
      funding: 'paper',
      masterSecret: MASTER_SECRET,
      logId: disk.logId,
      lastSeq: this.#seq,
      lastChecksum: 0,
      mayCreate: true,
    } as const;
    while (disk.logId === undefined && !this.#isOver) {
      try {
        disk.logId = await this.#log.join(terms);
      } catch (error) {
        this.#expect(error);
        await this.#rest(LOOK_MS);
      }
    }
  }

  #rest(forMs: number): Promise<void> {
    return new Promise((resolve) => void this.#world.clock.after(forMs, resolve));
  }

  #lead(): void {
    this.#sequencer = new Sequencer({
      engine: this.#engine,
      lastSeq: this.#seq,
      lastTimeMs: this.#timeMs,
      now: () => this.#node.wallMs,
      isConfirmed: () => this.#world.clock.nowMs < this.#freshUntilMs,
      append: (batch) => {
        this.#appending = batch;
        this.#log.append({ ...batch, content: [] });
        if (this.#world.plant === 'disk_before_log') this.#keepEarly(batch);
      },
      path: {
        sealed: () => undefined,
        durable: (commands) => {
          this.#seq = commands.at(-1)!.seq;
        },
        failed: (error) => this.#world.fail(error),
      },
    });
  }

  #receive(event: LogEvent): void {
    if (this.#isOver) return;
    if (event.kind === 'committed' || event.kind === 'beat') {
      this.#committed(event);
    } else if (event.kind === 'deposed') {
      this.#world.count('deposed');
      this.#node.crash();
    } else if (event.kind === 'failed') {
      this.#world.fail(event.error);
    }
  }

  #committed(event: Extract<LogEvent, { kind: 'committed' | 'beat' }>): void {
    const { entry } = event;
    this.#has(entry);
    const isPlanted = this.#world.plant === 'fresh_since_answer';
    const sinceMs = isPlanted ? this.#world.clock.nowMs : entry.sentAtMs;
    this.#freshUntilMs = sinceMs + FRESH_MS;
    const batch = event.kind === 'committed' ? this.#appending : undefined;
    this.#keep({
      ...entry,
      previous: '',
      content: [],
      firstSeq: batch?.firstSeq ?? this.#seq + 1,
      timesMs: batch?.timesMs ?? [],
      kinds: batch?.kinds ?? [],
      payloads: batch?.payloads ?? [],
      digest: batch?.digest ?? null,
    });
    if (event.kind === 'committed') this.#sequencer?.committed(event.seq);
    this.#sequencer?.confirmed();
  }

  #has({ number, check }: EntryHead): void {
    this.#known = { number, check };
    this.#world.auditor.has(this.#node.name, this.#known);
  }

  #follow(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      if (this.#isOver) return;
      this.#has(entry);
      this.#applyCommands(entry);
      this.#keep(entry);
    }
  }

  #applyCommands({ firstSeq, kinds, payloads, timesMs, digest }: LogEntry): void {
    kinds.forEach((kind, index) => {
      const seq = firstSeq + index;
      const command = jsonCommand(kind, jsonOf(payloads[index]!));
      assert(seq === this.#seq + 1, 'an entry continues the commands');
      this.#seq = seq;
      this.#timeMs = timesMs[index]!;
      this.#engine.apply(seq, this.#timeMs, this.#engine.inputOf(command));
    });
    if (kinds.length > 0) assert.equal(this.#engine.digest, digest, 'the balances of the core');
  }

  #keepEarly(batch: JournalBatch): void {
    const number = this.#known.number + 1;
    this.#keep({ ...batch, number, check: '', previous: '', epoch: 0, content: [] });
  }

  /** Writes entries to the disk, behind the log. */
  #keep(entry: LogEntry): void {
    this.#unsynced.push(entry);
    if (this.#isSyncing) return;
    this.#isSyncing = true;
    const { clock, random, slowDiskMs } = this.#world;
    const delayMs = random.chance(3) ? random.below(slowDiskMs) : random.below(20);
    clock.after(delayMs, () => {
      this.#isSyncing = false;
      const { disk } = this.#node;
      disk.entries.push(...this.#unsynced.splice(0));
      this.#reportSynced(disk.position).catch((error) => this.#world.fail(error));
    });
  }

  async #reportSynced(synced: LogPosition): Promise<void> {
    if (this.#world.random.chance(80)) return;
    try {
      await this.#log.keepFor(synced);
    } catch (error) {
      this.#expect(error);
    }
  }

  /** Answers when the command is durable. Rejects if this node does not lead. */
  submit(command: Command): Promise<Applied> {
    if (this.#sequencer === undefined) return Promise.reject(new StoreError('no_core', 'none'));
    return this.#sequencer.submit(command, { by: 'simulation' });
  }

  /** The seq of the state that the node shows, once it may show it. Rejects if it does not lead. */
  read(): Promise<number> {
    const sequencer = this.#sequencer;
    if (sequencer === undefined) return Promise.reject(new StoreError('no_core', 'none'));
    return sequencer.read(() => sequencer.appliedSeq);
  }

  /** Answers what it has accepted, gives the log away if it holds it, and ends. */
  async stop(): Promise<void> {
    const sequencer = this.#sequencer;
    if (sequencer !== undefined) {
      if (this.#world.plant === 'resigns_before_drain') await this.#resign();
      await sequencer.drain();
      await this.#resign();
    }
    if (!this.#isOver) this.#node.crash();
  }

  async #resign(): Promise<void> {
    if (this.#isOver) return;
    this.#world.count('resignations');
    await this.#log.resign().catch((error: unknown) => this.#expect(error));
  }

  end(): void {
    this.#isOver = true;
    this.#log.close();
  }
}
