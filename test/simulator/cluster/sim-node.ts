/**
 * A node of a simulated cluster: its disk, which survives, and one process after the other. A
 * process crashes at any moment and loses what its disk has not synced.
 */
import { SimProcess } from '../sim-clock.ts';
import { type LifeHost, type LifeWorld, NodeLife } from './node-life.ts';
import { SimNodeDisk } from './sim-node-disk.ts';
import { type SimStore, SimStoreLine } from './sim-store.ts';

/** What all nodes share. */
export interface ClusterWorld extends LifeWorld {
  readonly store: SimStore;
  readonly nodes: readonly SimNode[];
}

const RESTART_MS = 2_000;

export class SimNode implements LifeHost {
  readonly name: string;
  readonly disk = new SimNodeDisk();
  readonly #world: ClusterWorld;
  /** How far the node's wall clock is off. */
  wallOffsetMs = 0;
  #line: SimStoreLine;
  #process: SimProcess;
  #life: NodeLife | undefined;

  constructor(name: string, world: ClusterWorld) {
    this.name = name;
    this.#world = world;
    this.#process = new SimProcess(name);
    this.#line = new SimStoreLine(world.store, this.#process);
  }

  get life(): NodeLife | undefined {
    return this.#life;
  }

  get process(): SimProcess {
    return this.#process;
  }

  get line(): SimStoreLine {
    return this.#line;
  }

  get isPaused(): boolean {
    return this.#process.isPaused;
  }

  get wallMs(): number {
    return this.#world.clock.nowMs + this.wallOffsetMs;
  }

  start(): void {
    const { carriesRequests, carriesAnswers } = this.#line;
    this.#process = new SimProcess(this.name);
    this.#line = new SimStoreLine(this.#world.store, this.#process);
    Object.assign(this.#line, { carriesRequests, carriesAnswers });
    this.#world.clock.as(this.#process, () => {
      const life = new NodeLife(this, this.#world);
      this.#life = life;
      life.run().catch((error) => {
        if (this.#life === life) this.#world.fail(error);
      });
    });
  }

  /** Ends the process at once; it is started again a while later. */
  crash(): void {
    if (this.#life === undefined) return;
    this.#life.end();
    this.#life = undefined;
    this.#process.isGone = true;
    const { clock, random } = this.#world;
    clock.afterAs(undefined, random.below(RESTART_MS), () => {
      if (this.#life === undefined) this.start();
    });
  }

  /** Ends the process as SIGTERM does; it is started again a while later. */
  stop(): void {
    const life = this.#life;
    if (life === undefined) return;
    const { clock, fail } = this.#world;
    clock.as(this.#process, () => void life.stop().catch(fail));
  }

  /** Takes what the node has that is furthest, and starts again with it. */
  takeSnapshot(): void {
    const { nodes } = this.#world;
    const furthest = nodes.reduce((best, node) =>
      node.disk.position.number > best.disk.position.number ? node : best,
    );
    this.disk.copyFrom(furthest.disk);
    this.#world.count('snapshots');
    this.crash();
  }

  /** Cuts the way to the store, the way back, or both; also for the processes that follow. */
  cut(way: 'carriesRequests' | 'carriesAnswers' | 'both', forMs: number): void {
    const ways = way === 'both' ? (['carriesRequests', 'carriesAnswers'] as const) : [way];
    for (const one of ways) this.#line[one] = false;
    this.#world.clock.afterAs(undefined, forMs, () => {
      for (const one of ways) this.#line[one] = true;
    });
  }

  pause(forMs: number): void {
    const process = this.#process;
    process.pause();
    const { clock } = this.#world;
    clock.afterAs(undefined, forMs, () => clock.resume(process));
  }
}
