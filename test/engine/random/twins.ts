/**
 * Gives the naive engine and the real one the same random commands. At the first difference it
 * throws an error with the seed and the number of commands that repeat it. Like the sequencer, it
 * advances the seq only for commands that changed something.
 */
import { strict as assert } from 'node:assert';
import type { Bounds, Command, EngineEvent, StateView } from '../../../engine/index.ts';
import { BOUNDS, isChange, stateHash, stateLines } from '../../../engine/index.ts';
import type { EngineFace, MakeEngine } from '../engines.ts';
import type { TimedCommand } from './commands.ts';
import { firstSeq, RandomCommands } from './commands.ts';
import { EventObserver } from './event-observer.ts';
import { MoneyObserver } from './money-observer.ts';
import type { JournalEntry } from './run.ts';
import type { RandomScene } from './scene.ts';
import { CROWD, FEW } from './scene.ts';

interface TwinOptions {
  readonly seed: number;
  readonly commands: number;
  /** The naive engine and the engine under test. */
  readonly engines: readonly [MakeEngine, MakeEngine];
  /** How many commands pass between two comparisons of the whole state. */
  readonly stateEvery: number;
  /** How many commands pass between two checks of all invariants; 1 by default. */
  readonly validateEvery?: number;
  /** FEW by default. */
  readonly scene?: RandomScene;
  /** Called for each command that changed something. */
  readonly onChange?: (entry: JournalEntry) => void;
  readonly onProgress?: (done: number) => void;
}

interface TwinReport {
  readonly bounds: Partial<Bounds>;
  /** How often each event and special case occurred. */
  readonly counts: ReadonlyMap<string, number>;
  /** The sizes at the end, including ended markets. */
  readonly sizes: Readonly<Record<'owners' | 'accounts' | 'markets' | 'events', number>>;
  readonly hash: string;
}

export function runTwins(options: TwinOptions): TwinReport {
  const run = new TwinRun(options);
  for (let index = 0; index < options.commands; index += 1) {
    run.step(index);
    if (options.onProgress !== undefined && index % 1_000 === 999) options.onProgress(index + 1);
  }
  return run.finish();
}

class TwinRun {
  readonly #options: TwinOptions;
  readonly #bounds: Partial<Bounds>;
  readonly #seen = new EventObserver();
  readonly #money = new MoneyObserver(this.#seen);
  readonly #source: RandomCommands;
  readonly #twin: EngineFace;
  readonly #tested: EngineFace;
  readonly #counts = new Map<string, number>();
  #lastSeq: number;

  constructor(options: TwinOptions) {
    this.#lastSeq = firstSeq(options.seed);
    this.#options = options;
    const { scene = FEW } = options;
    this.#bounds = scene.bounds(options.seed);
    const bounds = { ...BOUNDS, ...this.#bounds };
    this.#source = new RandomCommands(options.seed, bounds, this.#seen, scene);
    this.#twin = options.engines[0](this.#bounds);
    this.#tested = options.engines[1](this.#bounds);
  }

  step(index: number): void {
    const timed = this.#source.next(this.#lastSeq);
    try {
      this.#apply(timed, index);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const { seed, scene } = this.#options;
      const crowd = scene === CROWD ? ' --crowd' : '';
      const repeat = `npm run twins -- --seed ${seed} --commands ${index + 1}${crowd}`;
      const text = `command ${index} ${JSON.stringify(timed)}\n${reason}\nrepeat: ${repeat}`;
      throw new Error(text, { cause });
    }
  }

  finish(): TwinReport {
    compareStates(this.#twin.state(), this.#tested.state());
    const hash = stateHash(this.#tested.state());
    this.#counts.set('collateral emptied', this.#money.emptied);
    const { accounts, markets, events } = this.#seen;
    const owners = new Set([...accounts.values()].map(({ owner }) => owner)).size;
    const sizes = {
      owners,
      accounts: accounts.size,
      markets: markets.size,
      events: events.size,
    };
    return { bounds: this.#bounds, counts: this.#counts, sizes, hash };
  }

  #apply({ timeMs, command }: TimedCommand, index: number): void {
    const { stateEvery, validateEvery = 1 } = this.#options;
    const isSampled = index % stateEvery === 0;
    const before = isSampled ? stateHash(this.#tested.state()) : '';
    const seq = this.#lastSeq + 1;
    const expected = this.#twin.apply(seq, timeMs, this.#twin.inputOf(command));
    const events = this.#tested.apply(seq, timeMs, this.#tested.inputOf(command));
    compareEvents(expected, events);
    assert.equal(this.#tested.nextDueMs(), this.#twin.nextDueMs(), 'the same next due time');
    for (const ms of [timeMs, timeMs + 60_000]) {
      assert.equal(this.#tested.isBehind(ms), this.#twin.isBehind(ms), 'the same backlog');
    }
    this.#observe(command, events);
    const hasChanged = events.some(isChange);
    if (hasChanged) {
      this.#lastSeq = seq;
      this.#options.onChange?.({ seq, timeMs, command });
    }
    if (index % validateEvery === 0) for (const one of [this.#twin, this.#tested]) one.validate();
    if (!isSampled) return;
    compareStates(this.#twin.state(), this.#tested.state());
    this.#seen.compare(this.#tested.state());
    this.#money.compare(this.#twin.totals());
    this.#money.comparePlaces(this.#tested.state());
    if (!hasChanged) assert.equal(stateHash(this.#tested.state()), before, 'nothing changed');
  }

  /** The observers see every command. */
  #observe(command: Command, events: readonly EngineEvent[]): void {
    this.#seen.observe(command, events);
    this.#money.observe(events);
    this.#money.compare(this.#tested.totals());
    this.#count(command.kind);
    for (const event of events) this.#count(nameOf(command, event));
    for (const event of events) if ('fees' in event) this.#count('fill with fees');
  }

  #count(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}

function nameOf(command: Command, event: EngineEvent): string {
  if (event.kind === 'rejected') return `rejected ${event.code}`;
  if (event.kind === 'order_closed') return `order_closed ${event.reason}`;
  if (event.kind === 'fill') return `fill ${event.match}`;
  if (event.kind === 'market_changed' && command.kind !== 'change_market') return 'finer tick';
  if (event.kind === 'known') return `known ${event.command}`;
  return event.kind;
}

/** Throws at the first event that differs. */
export function compareEvents(
  expected: readonly EngineEvent[],
  events: readonly EngineEvent[],
): void {
  const length = Math.max(expected.length, events.length);
  for (let index = 0; index < length; index += 1) {
    const [one, other] = [expected[index], events[index]];
    if (one !== undefined && other !== undefined && isSame(one, other)) continue;
    const texts = [one, other].map((event) => JSON.stringify(event));
    throw new Error(`event ${index} differs\n  twin:   ${texts[0]}\n  engine: ${texts[1]}`);
  }
}

/** Compares the fields of an event that are objects: lists of ids, and the fees of a fill. */
function isSameRecord(one: unknown, other: unknown): boolean {
  return typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other);
}

function isSame(one: EngineEvent, other: EngineEvent): boolean {
  const entries = Object.entries(one);
  if (entries.length !== Object.keys(other).length) return false;
  const values = new Map<string, unknown>(Object.entries(other));
  return entries.every(([name, value]) => {
    const same = values.get(name);
    return values.has(name) && (Object.is(same, value) || isSameRecord(same, value));
  });
}

/** Throws at the first line of the state that differs. */
export function compareStates(expected: StateView, state: StateView): void {
  const [ones, others] = [[...stateLines(expected)], [...stateLines(state)]];
  const length = Math.max(ones.length, others.length);
  for (let line = 0; line < length; line += 1) {
    if (ones[line] === others[line]) continue;
    const texts = `\n  twin:   ${ones[line]}\n  engine: ${others[line]}`;
    throw new Error(`line ${line} of the state differs${texts}`);
  }
}
