/**
 * A simulation from one seed: clients send commands of every kind over connections that delay
 * commands and lose answers, subscribers listen, the disk is slow or fails, the clock is set, the
 * exchange crashes and starts again, and an auditor predicts every answer. Invariant: the same
 * options give the same steps and the same end. Bound: `commands`.
 */
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { BOUNDS, type Command, isChange, stateHash } from '../../engine/index.ts';
import { Random } from '../../http/codec/random.ts';
import type { DurableCommand } from '../../persistence/index.ts';
import { StoreError } from '../../persistence/index.ts';
import { RandomCommands } from '../engine/random/commands.ts';
import { EventObserver } from '../engine/random/event-observer.ts';
import { smallBounds } from '../persistence/store-fixture.ts';
import { Auditor } from './auditor.ts';
import type { Bug } from './bugs.ts';
import { SimClock } from './sim-clock.ts';
import { SimDisk } from './sim-disk.ts';
import { SimExchange } from './sim-exchange.ts';
import { damageSnapshots } from './sim-follower.ts';
import { AccountSubscriber, MarketSubscriber } from './sim-subscribers.ts';
import type { World } from './world.ts';

const CONNECTIONS = 5;
const MAX_UNANSWERED = 200;
const MARKET_SUBSCRIBERS = 4;
const ACCOUNT_SUBSCRIBERS = 3;
/** The most steps until everything must be at rest. */
const MAX_STEPS_TO_REST = 200_000;

export interface SimOptions {
  readonly seed: number;
  readonly commands: number;
  readonly bug?: Bug;
  /** Called with a sentence for each notable step. */
  readonly trace?: (line: string) => void;
}

export interface SimReport {
  readonly counts: ReadonlyMap<string, number>;
  /** The hash of all answers in order and of the final state. */
  readonly hash: string;
}

/** How often things go wrong, drawn once for each simulation. */
interface Habits {
  readonly crashPerMille: number;
  readonly stopPerMille: number;
  readonly breakPercent: number;
  readonly lossPercent: number;
  readonly jumpPerMille: number;
  readonly latencyMs: number;
  readonly restEvery: number;
}

function drawHabits(random: Random): Habits {
  return {
    crashPerMille: random.pick([0, 2, 5, 15]),
    stopPerMille: random.pick([0, 1, 4]),
    breakPercent: random.pick([0, 2, 8]),
    lossPercent: random.pick([0, 5, 20]),
    jumpPerMille: random.pick([0, 0, 1]),
    latencyMs: random.pick([1, 10, 60]),
    restEvery: random.pick([60, 150, 400]),
  };
}

export class Simulation {
  readonly #options: SimOptions;
  readonly #random: Random;
  readonly #habits: Habits;
  readonly #world: World;
  readonly #seen = new EventObserver();
  readonly #source: RandomCommands;
  readonly #counts = new Map<string, number>();
  readonly #hash = createHash('sha256');
  /** When the last command of each connection arrives. */
  readonly #arrivals: number[] = Array.from({ length: CONNECTIONS }, () => 0);
  #exchange: SimExchange;
  #fatal: Error | undefined;
  #lives = 0;
  /** The last command that the source of random commands has seen. */
  #seenSeq = 0;
  /** Commands that were sent and not answered yet. */
  readonly #inFlight = new Set<Command>();
  /** Commands whose answer was lost, to be sent again. */
  readonly #unanswered: Command[] = [];
  #arrivalCount = 0;
  /** The place in the order of arrival of each owner's last applied command. */
  readonly #lastPlaces = new Map<string, number>();
  readonly #failures: unknown[] = [];
  readonly #books: MarketSubscriber[] = [];
  readonly #accounts: AccountSubscriber[] = [];

  constructor(options: SimOptions) {
    this.#options = options;
    const random = new Random(options.seed);
    this.#random = random;
    this.#habits = drawHabits(random);
    const bounds = smallBounds(options.seed);
    const clock = new SimClock();
    const habits = {
      failPercent: random.pick([0, 0.2, 1]),
      slowPercent: random.pick([0, 5, 30]),
      slowMs: random.pick([20, 300]),
      bug: options.bug,
    };
    const disk = new SimDisk(clock, random, habits);
    this.#world = {
      clock,
      disk,
      auditor: new Auditor(bounds),
      random,
      bounds,
      snapshotPercent: random.pick([0, 5, 30]),
      bug: options.bug,
      count: (name) => this.#count(name),
    };
    this.#source = new RandomCommands(random.next(), { ...BOUNDS, ...bounds }, this.#seen);
    this.#exchange = this.#newLife();
  }

  async run(): Promise<SimReport> {
    const uninstall = this.#world.clock.install();
    try {
      await this.#exchange.start();
      for (let index = 1; index <= this.#options.commands; index += 1) await this.#act(index);
      await this.#rest();
      await this.#crash();
      await this.#rest();
      await this.#exchange.stop();
      const { engine } = this.#exchange;
      this.#world.auditor.checkJournal(this.#exchange.storedCommands(), engine.names);
      this.#hash.update(stateHash(engine.state()));
      for (const { counts } of [...this.#books, ...this.#accounts]) {
        for (const [name, count] of Object.entries(counts)) this.#count(name, count);
      }
      return { counts: this.#counts, hash: this.#hash.digest('hex') };
    } finally {
      uninstall();
      this.#world.disk.remove();
    }
  }

  async #act(index: number): Promise<void> {
    const { clock } = this.#world;
    const random = this.#random;
    const habits = this.#habits;
    const { timeMs, command } = this.#source.next(this.#exchange.sequencer.durableSeq);
    this.#send(command);
    if (this.#unanswered.length > 0 && random.chance(30)) {
      this.#send(this.#unanswered.splice(random.below(this.#unanswered.length), 1)[0]!);
      this.#count('commands sent again');
    }
    this.#moveSubscribers();
    const untilMs = Math.min(timeMs, clock.nowMs + 1_000);
    do await this.#step();
    while (clock.nowMs < untilMs);
    if (random.below(1_000) < habits.jumpPerMille) this.#setClock();
    if (random.below(1_000) < habits.crashPerMille) await this.#crash();
    else if (random.below(1_000) < habits.stopPerMille) await this.#restart();
    if (index % habits.restEvery === 0) await this.#rest();
  }

  /** One step of the clock. Throws what failed in it, and crashes after a failed commit. */
  async #step(): Promise<void> {
    const hasMore = await this.#world.clock.step();
    assert.ok(hasMore, 'the streams always have a timer');
    if (this.#failures.length > 0) throw this.#failures[0];
    if (this.#fatal === undefined) return;
    const fatal = this.#fatal;
    if (!fatal.message.includes('simulated')) throw fatal;
    this.#count('failed commits');
    await this.#crash();
  }

  #newLife(): SimExchange {
    this.#lives += 1;
    this.#fatal = undefined;
    return new SimExchange(this.#world, `life ${this.#lives}`, {
      durable: (commands) => this.#sawDurable(commands),
      fatal: (error) => {
        this.#fatal = error;
      },
    });
  }

  /** Called live and again at each start, which may show commands that were never acknowledged. */
  #sawDurable(commands: readonly DurableCommand[]): void {
    for (const { seq, command, events } of commands) {
      if (seq <= this.#seenSeq) continue;
      assert.equal(seq, this.#seenSeq + 1, 'durable commands have no gap');
      this.#seenSeq = seq;
      this.#seen.observe(command, events);
    }
    this.#count('commits');
    this.#count('changes', commands.length);
  }

  /** Sends a command over some connection; what one connection carries arrives in order. */
  #send(command: Command): void {
    if (!hasFiniteNumbers(command)) return;
    const { clock } = this.#world;
    const line = this.#random.below(CONNECTIONS);
    const arriveMs = Math.max(
      this.#arrivals[line] ?? 0,
      clock.nowMs + this.#random.below(this.#habits.latencyMs + 1),
    );
    this.#arrivals[line] = arriveMs;
    this.#inFlight.add(command);
    const exchange = this.#exchange;
    clock.after(arriveMs - clock.nowMs, () => this.#arrive(command, exchange));
  }

  /**
   * An owner's commands wait in its queue, as in the HTTP routes: checking an order's signature
   * takes time, and later commands of its owner do not overtake it.
   */
  #arrive(command: Command, exchange: SimExchange): void {
    if (exchange.isOver) return;
    const owner = 'owner' in command ? command.owner : '';
    const isOrder = command.kind === 'place_order';
    const checkMs = isOrder ? this.#random.below(this.#habits.latencyMs + 1) : 0;
    const checked = new Promise<void>((done) => {
      if (checkMs === 0) done();
      else this.#world.clock.after(checkMs, done);
    });
    this.#arrivalCount += 1;
    const place = this.#arrivalCount;
    exchange.queues
      .enqueue({ owner }, checked, () => {
        assert.ok(place > (this.#lastPlaces.get(owner) ?? 0), 'commands of an owner stay in order');
        this.#lastPlaces.set(owner, place);
        return this.#submit(command, exchange);
      })
      .catch((error: unknown) => this.#failures.push(error));
  }

  async #submit(command: Command, exchange: SimExchange): Promise<void> {
    const { auditor, disk } = this.#world;
    // The same command may be in flight twice.
    const sent = { ...command };
    const answering = exchange.sequencer.submit(sent, { by: 'simulation' });
    const answer = await answering.catch((error: unknown) => {
      if (!(error instanceof StoreError)) throw error;
      this.#count(`refused ${error.code}`);
      return undefined;
    });
    if (exchange.isOver) return;
    this.#inFlight.delete(command);
    // A client that gets no result sends the command again.
    const isLost = this.#random.chance(this.#habits.lossPercent);
    if (answer === undefined || isLost) this.#askAgain(command);
    if (answer === undefined) return;
    const expected = auditor.takeExpected(sent);
    assert.ok(expected !== undefined, 'an answered command was applied');
    auditor.checkAnswer(expected, answer, disk.durableSeq);
    const what = answer.events.some(isChange) ? 'changed' : 'unchanged';
    this.#count(`answers ${what}`);
    this.#count(`commands ${command.kind}`);
    for (const event of answer.events) {
      this.#count(event.kind === 'rejected' ? `rejected ${event.code}` : event.kind);
    }
    this.#hash.update(JSON.stringify([answer.seq, answer.timeMs, answer.events]));
  }

  #askAgain(command: Command): void {
    if (this.#unanswered.length < MAX_UNANSWERED) this.#unanswered.push(command);
  }

  #moveSubscribers(): void {
    const random = this.#random;
    const exchange = this.#exchange;
    const markets = [...exchange.registry.markets()];
    if (this.#books.length < MARKET_SUBSCRIBERS && markets.length > 0) {
      const { tokenIds } = random.pick(markets);
      const choices = [tokenIds, [tokenIds[0]], [tokenIds[1]]];
      this.#books.push(new MarketSubscriber(random.pick(choices), random));
    }
    const owners = [...new Set([...this.#seen.accounts.values()].map(({ owner }) => owner))];
    if (this.#accounts.length < ACCOUNT_SUBSCRIBERS && owners.length > 0) {
      this.#accounts.push(new AccountSubscriber(random.pick(owners), random));
    }
    for (const subscriber of [...this.#books, ...this.#accounts]) {
      if (random.chance(this.#habits.breakPercent)) subscriber.break();
      else if (random.chance(40)) subscriber.connect(exchange);
    }
  }

  /** Sets the wall clock forward or back. */
  #setClock(): void {
    this.#world.clock.jumpMs += this.#random.pick([-7_200_000, -3_000, 5_000, 3_600_000]);
    this.#count('clock set');
  }

  async #crash(): Promise<void> {
    const { clock, disk, auditor } = this.#world;
    this.#count('crashes');
    this.#trace(`crash at seq ${auditor.lastSeq}`);
    this.#exchange.end();
    clock.forgetAll();
    disk.crash();
    const damage = damageSnapshots(disk.folder, this.#random);
    if (damage !== '') this.#count(damage);
    auditor.crashed(disk.durableSeq);
    await this.#begin();
  }

  async #restart(): Promise<void> {
    this.#count('stops');
    await this.#exchange.stop();
    this.#world.clock.forgetAll();
    this.#world.auditor.crashed(this.#world.disk.durableSeq);
    await this.#begin();
  }

  /** Starts the exchange again. Requests that were under way get no answer. */
  async #begin(): Promise<void> {
    for (const command of this.#inFlight) this.#askAgain(command);
    this.#inFlight.clear();
    this.#arrivals.fill(0);
    this.#exchange = this.#newLife();
    await this.#exchange.start();
  }

  /** Waits until everything is at rest, then compares exchange, subscribers and auditor. */
  async #rest(): Promise<void> {
    for (const one of [...this.#books, ...this.#accounts]) one.connect(this.#exchange);
    const { disk, auditor } = this.#world;
    let steps = 0;
    let quietMs = this.#world.clock.nowMs;
    // Quiet for 600 ms, so that messages that are sent with a delay have arrived.
    while (this.#world.clock.nowMs < quietMs + 600) {
      await this.#step();
      steps += 1;
      assert.ok(steps < MAX_STEPS_TO_REST, 'it comes to rest');
      const isQuiet = this.#inFlight.size === 0 && disk.isIdle && this.#exchange.app.isQuiet;
      if (!isQuiet) quietMs = this.#world.clock.nowMs;
    }
    const { state } = auditor;
    for (const book of this.#books) book.check(this.#exchange);
    for (const account of this.#accounts) account.check(state);
    auditor.checkRecovered(this.#exchange.engine);
    this.#count('rests');
    this.#trace(`at rest at seq ${auditor.lastSeq}`);
  }

  #count(name: string, count = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  #trace(line: string): void {
    this.#options.trace?.(`${this.#world.clock.nowMs} ${line}`);
  }
}

/** Whether JSON can store the command. The sequencer accepts no other. */
function hasFiniteNumbers(command: Command): boolean {
  return (
    JSON.stringify(command) ===
    JSON.stringify(command, (_, value) =>
      typeof value === 'number' && !Number.isFinite(value) ? 'none' : value,
    )
  );
}
