/**
 * A simulated cluster: several nodes that run the real protocol of the log over a store and a
 * network whose faults are drawn from a seed. Invariant: the same seed gives the same simulation.
 * Bound: the simulated time of a run, and of its end.
 */
import { strict as assert } from 'node:assert';
import { LogKeys } from '../../../cluster/log/log-keys.ts';
import { Random } from '../../../http/codec/random.ts';
import { SimClock } from '../sim-clock.ts';
import { LogAuditor } from './log-auditor.ts';
import { PLANTS, type PlantName } from './plants.ts';
import { SimClient } from './sim-client.ts';
import { type ClusterWorld, SimNode } from './sim-node.ts';
import { readAllTheTime } from './sim-reader.ts';
import { SimStore } from './sim-store.ts';

const PREFIX = '/sim/';
const CLIENTS = 4;
/** So long that the entries that a paused node lacks are pruned if it is not registered. */
const LONG_MS = 25_000;
/** After the last fault, a cluster must be at rest within this time. */
const PATIENCE_MS = 60_000;

export interface ClusterSimOptions {
  readonly seed: number;
  /** How long faults go on. */
  readonly simulatedMs: number;
  /** A bug that is planted to see it found. */
  readonly plant?: PlantName;
  readonly trace?: (line: string) => void;
}

export interface ClusterSimReport {
  readonly counts: ReadonlyMap<string, number>;
  /** Of the log at the end. */
  readonly hash: string;
}

/** How often what goes wrong, drawn once for each simulation; in faults a minute. */
interface FaultHabits {
  readonly crash: number;
  readonly stop: number;
  readonly pause: number;
  readonly cut: number;
  readonly outage: number;
  readonly clockJump: number;
  /** The operator ends the registration of a node, which comes back all the same. */
  readonly forget: number;
}

export class ClusterSimulation {
  readonly #options: ClusterSimOptions;
  readonly #random: Random;
  readonly #clock = new SimClock();
  readonly #counts = new Map<string, number>();
  readonly #world: ClusterWorld;
  readonly #clients: SimClient[] = [];
  readonly #habits: FaultHabits;
  #error: unknown;
  #hasFaults = true;

  constructor(options: ClusterSimOptions) {
    this.#options = options;
    const random = new Random(options.seed);
    this.#random = random;
    const clock = this.#clock;
    const auditor = new LogAuditor(new LogKeys(PREFIX));
    this.#habits = {
      crash: random.pick([0, 2, 6]),
      stop: random.pick([0, 2, 6]),
      pause: random.pick([0, 2, 6]),
      cut: random.pick([0, 2, 6]),
      outage: random.pick([0, 1, 3]),
      clockJump: random.pick([0, 2]),
      forget: random.pick([0, 1, 6]),
    };
    const habits = {
      lossPercent: random.pick([0, 1, 5]),
      repeatPercent: random.pick([0, 5, 20]),
      slowPercent: random.pick([0, 3, 10]),
      slowMs: random.pick([300, 3_000, 20_000]),
      timeoutMs: 1_000,
    };
    const plant = options.plant === undefined ? undefined : PLANTS[options.plant];
    const store = new SimStore({
      clock,
      random,
      habits,
      plant,
      onChange: (change) => auditor.observe(change, clock.nowMs),
    });
    const nodes: SimNode[] = [];
    this.#world = {
      clock,
      random,
      store,
      auditor,
      nodes,
      prefix: PREFIX,
      plant: options.plant,
      slowDiskMs: random.pick([50, 500, 5_000]),
      count: (name) => this.#count(name),
      fail: (error) => {
        this.#error ??= error;
      },
    };
    for (const name of ['a', 'b', 'c']) nodes.push(new SimNode(name, this.#world));
  }

  async run(): Promise<ClusterSimReport> {
    const uninstall = this.#clock.install();
    try {
      for (const node of this.#world.nodes) node.start();
      for (let number = 1; number <= CLIENTS; number += 1) {
        this.#clients.push(new SimClient(this.#world, number));
      }
      readAllTheTime(this.#world);
      this.#planFault();
      await this.#runUntil(this.#clock.nowMs + this.#options.simulatedMs);
      await this.#finish();
      const { auditor, store } = this.#world;
      this.#count('entries', auditor.length);
      this.#count('commands', auditor.lastSeq);
      this.#count('epochs', auditor.epochs);
      this.#count('transactions', store.transactions);
      for (const { acknowledged } of this.#clients) this.#count('acknowledged', acknowledged);
      return { counts: this.#counts, hash: this.#world.nodes[0]!.life!.position.check };
    } finally {
      uninstall();
    }
  }

  async #runUntil(untilMs: number): Promise<void> {
    while (this.#clock.nowMs < untilMs) await this.#step();
  }

  async #step(): Promise<void> {
    const hasMore = await this.#clock.step();
    assert.ok(hasMore, 'clients and nodes always have a timer');
    if (this.#error !== undefined) throw this.#error;
  }

  /** No faults any more: the cluster must come to rest, and all nodes at the same state. */
  async #finish(): Promise<void> {
    this.#hasFaults = false;
    const { nodes, store, auditor } = this.#world;
    store.comeUp();
    for (const { line } of nodes)
      Object.assign(line, { carriesRequests: true, carriesAnswers: true });
    const acknowledged = this.#clients.map((client) => client.acknowledged);
    await this.#until('every client is acknowledged again', () =>
      this.#clients.every((client, index) => client.acknowledged > acknowledged[index]! + 2),
    );
    for (const client of this.#clients) client.stop();
    await this.#until('every client has its answer', () =>
      this.#clients.every(({ isIdle }) => isIdle),
    );
    await this.#until('every node has the whole log', () =>
      nodes.every(({ life }) => life !== undefined && life.seq === auditor.lastSeq),
    );
    const hashes = new Set(nodes.map(({ life }) => life!.stateHash));
    assert.equal(hashes.size, 1, 'all nodes have the same state');
  }

  async #until(what: string, isSo: () => boolean): Promise<void> {
    const lastMs = this.#clock.nowMs + PATIENCE_MS;
    while (!isSo()) {
      assert.ok(this.#clock.nowMs < lastMs, `it goes on after the last fault: ${what}`);
      await this.#step();
    }
  }

  #planFault(): void {
    this.#clock.afterAs(undefined, 100 + this.#random.below(900), () => {
      if (!this.#hasFaults) return;
      for (const kind of Object.keys(this.#habits) as (keyof FaultHabits)[]) {
        // A turn comes about every 500 ms: 120 a minute.
        if (this.#random.below(120) < this.#habits[kind]) this.#fault(kind);
      }
      this.#planFault();
    });
  }

  #fault(kind: keyof FaultHabits): void {
    const random = this.#random;
    const { nodes, store } = this.#world;
    const leader = nodes.find(({ life }) => life?.isLeading);
    const node = leader !== undefined && random.chance(60) ? leader : random.pick(nodes);
    const forMs = random.pick([100, 1_000, 4_000, 12_000]) + random.below(1_000);
    this.#count(`faults ${kind}`);
    this.#trace(`${kind} ${node.name} for ${forMs} ms`);
    if (kind === 'crash') node.crash();
    else if (kind === 'stop') node.stop();
    else if (kind === 'pause') node.pause(forMs);
    else if (kind === 'clockJump') node.wallOffsetMs += random.pick([-3_600_000, -500, 3_600_000]);
    else if (kind === 'forget') {
      store.remove(new LogKeys(PREFIX).replica(node.name));
      node.pause(LONG_MS);
    } else if (kind === 'outage') {
      store.goDown();
      this.#clock.afterAs(undefined, forMs, () => store.comeUp());
    } else {
      const way = random.pick(['carriesRequests', 'carriesAnswers', 'both'] as const);
      node.cut(way, forMs);
    }
  }

  #count(name: string, count = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  #trace(line: string): void {
    this.#options.trace?.(`${this.#clock.nowMs} ${line}`);
  }
}
