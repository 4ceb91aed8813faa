/**
 * Predicts every reply: the naive twin applies the same commands in the same order, and a list
 * keeps what was applied. Invariant: it relies on nothing that the exchange reports; what survives
 * a crash is read from the simulated disk. Bound: the list has one entry for each change.
 */
import { strict as assert } from 'node:assert';
import {
  type Bounds,
  type Command,
  type Engine,
  type EngineEvent,
  type EngineNames,
  type Input,
  isChange,
} from '../../engine/index.ts';
import type { Applied } from '../../persistence/index.ts';
import type { StoredCommand } from '../../persistence/journal/reader.ts';
import type { SequencerOptions } from '../../persistence/sequencer.ts';
import { type EngineFace, makeNaive } from '../engine/engines.ts';
import { compareEvents, compareStates } from '../engine/random/twins.ts';

/** What the sequencer needs of an engine. */
export type AppliedEngine = SequencerOptions['engine'];

interface AppliedCommand {
  readonly seq: number;
  readonly timeMs: number;
  readonly command: Command;
  readonly events: readonly EngineEvent[];
}

export class Auditor {
  readonly #bounds: Partial<Bounds>;
  #twin: EngineFace;
  /** Every change since the first command, durable or not. */
  #changes: AppliedCommand[] = [];
  #timeMs = 0;
  /** The expected answers to commands that were applied, even if they changed nothing. */
  readonly #expected = new Map<Command, Applied>();
  /** What each input was made of. */
  readonly #commandOf = new WeakMap<Input, Command>();
  /** The last command, while orders that are due at its time wait for the next steps. */
  #unfinished: Command | undefined;
  /** The highest seq that clients were shown, by an answer or a stream. */
  shownSeq = 0;

  constructor(bounds: Partial<Bounds>) {
    this.#bounds = bounds;
    this.#twin = makeNaive(bounds);
  }

  get lastSeq(): number {
    return this.#changes.length;
  }

  /**
   * Wraps the engine for the sequencer: each result is compared with the twin's. What is due has
   * been worked off in steps when a command comes.
   */
  watch(engine: AppliedEngine): AppliedEngine {
    return {
      inputOf: (command) => {
        const input = engine.inputOf(command);
        this.#commandOf.set(input, command);
        return input;
      },
      names: engine.names,
      get digest() {
        return engine.digest;
      },
      apply: (seq, timeMs, input) => {
        const command = this.#commandOf.get(input)!;
        assert.equal(seq, this.lastSeq + 1, 'seqs have no gap');
        assert.ok(timeMs >= this.#timeMs, 'time never goes back');
        this.#timeMs = timeMs;
        const isStep = command.kind === 'advance_time';
        assert.ok(isStep || !this.#twin.isBehind(timeMs), 'no command finds anything due');
        const expected = this.#twin.apply(seq, timeMs, this.#twin.inputOf(command));
        const events = engine.apply(seq, timeMs, input);
        compareEvents(expected, events);
        if (expected.some(isChange)) this.#changes.push({ seq, timeMs, command, events });
        this.#expect(command, { seq: this.lastSeq, timeMs, events: expected });
        return events;
      },
      findRedemptions: () => engine.findRedemptions(),
      isBehind: (timeMs) => {
        const isBehind = engine.isBehind(timeMs);
        assert.equal(isBehind, this.#twin.isBehind(timeMs), 'the same backlog');
        return isBehind;
      },
      nextDueMs: () => {
        const dueMs = engine.nextDueMs();
        assert.equal(dueMs, this.#twin.nextDueMs(), 'the same next due time');
        return dueMs;
      },
    };
  }

  /** Notes the answer to a command, or its next step. */
  #expect(command: Command, applied: Applied): void {
    const first = this.#unfinished ?? command;
    const before = this.#unfinished && this.#expected.get(first);
    const answer = before ? { ...before, steps: [...stepsOf(before), applied] } : applied;
    this.#expected.set(first, answer);
    this.#unfinished = this.#twin.isBehind(answer.timeMs) ? first : undefined;
  }

  /** The expected answer to a command; undefined if it was not applied. */
  takeExpected(command: Command): Applied | undefined {
    const expected = this.#expected.get(command);
    this.#expected.delete(command);
    return expected;
  }

  /** Checks that an answer is the predicted one, and that what it shows is durable. */
  checkAnswer(expected: Applied, answer: Applied, durableSeq: number): void {
    assert.equal(answer.seq, expected.seq, 'an answer names the seq of its state');
    assert.equal(answer.timeMs, expected.timeMs);
    const [expectedSteps, steps] = [stepsOf(expected), stepsOf(answer)];
    assert.equal(steps.length, expectedSteps.length, 'an answer has all its steps');
    for (const [index, { events }] of expectedSteps.entries()) {
      const answered = steps[index]?.events ?? [];
      // Only an order and a move of the clock have the events of further steps.
      if (index === 0 || answered.length > 0) compareEvents(events, answered);
    }
    this.show(answer.seq, durableSeq);
  }

  /** Notes that clients see the state after a command, which must be durable. */
  show(seq: number, durableSeq: number): void {
    assert.ok(seq <= durableSeq, `seq ${seq} is shown, but only ${durableSeq} is on the disk`);
    this.shownSeq = Math.max(this.shownSeq, seq);
  }

  /** Rolls back to what the disk had at a crash. Later changes must not have been shown. */
  crashed(durableSeq: number): void {
    assert.ok(this.shownSeq <= durableSeq, `seq ${this.shownSeq} was shown and is lost`);
    assert.ok(durableSeq <= this.lastSeq, 'the disk has nothing that was never applied');
    this.#expected.clear();
    this.#unfinished = undefined;
    const timeMs = this.#changes[durableSeq - 1]?.timeMs ?? 0;
    // The twin must forget the time of later commands that changed nothing, too.
    if (durableSeq === this.lastSeq && timeMs === this.#timeMs) return;
    this.#changes = this.#changes.slice(0, durableSeq);
    this.#twin = makeNaive(this.#bounds);
    for (const { seq, timeMs, command } of this.#changes) {
      this.#twin.apply(seq, timeMs, this.#twin.inputOf(command));
    }
    this.#timeMs = timeMs;
  }

  /** Checks that the recovered state equals the twin's. */
  checkRecovered(engine: Engine): void {
    compareStates(this.#twin.state(), engine.state());
    engine.validate();
  }

  /** Checks that the journal has exactly the applied commands. */
  checkJournal(stored: readonly StoredCommand[], names: EngineNames): void {
    assert.equal(stored.length, this.lastSeq);
    for (const [index, one] of stored.entries()) {
      const { seq, timeMs } = one;
      const command = one.command(names);
      const change = this.#changes[index];
      assert.deepEqual([seq, timeMs], [change?.seq, change?.timeMs]);
      // Compared after a JSON round trip; the order of fields does not matter.
      assert.deepEqual(command, JSON.parse(JSON.stringify(change?.command)));
    }
  }

  get state(): ReturnType<EngineFace['state']> {
    return this.#twin.state();
  }
}

function stepsOf(applied: Applied): readonly Omit<Applied, 'steps'>[] {
  return applied.steps ?? [applied];
}
