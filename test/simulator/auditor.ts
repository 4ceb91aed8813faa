/**
 * Who knows what every reply must be: the naive twin, fed with the same commands in the same order,
 * and a list of what was applied. Invariant: it believes nothing that the exchange says of itself;
 * what survives a crash it takes from the simulated disk. Bound: the list, one entry a change.
 */
import { strict as assert } from 'node:assert';
import {
  type Bounds,
  type Command,
  type Engine,
  type EngineEvent,
  isChange,
} from '../../engine/index.ts';
import type { Applied } from '../../persistence/index.ts';
import type { StoredCommand } from '../../persistence/journal/reader.ts';
import { type EngineFace, makeNaive } from '../engine/engines.ts';
import { compareEvents, compareStates } from '../engine/random/twins.ts';

/** What the sequencer needs of an engine. */
export type AppliedEngine = Pick<Engine, 'apply' | 'nextDueMs'>;

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
  /** What the last command must be answered with, also one that changed nothing. */
  #expected: Applied | undefined;
  /** The highest seq that anybody was shown, by an answer or by a stream. */
  shownSeq = 0;

  constructor(bounds: Partial<Bounds>) {
    this.#bounds = bounds;
    this.#twin = makeNaive(bounds);
  }

  get lastSeq(): number {
    return this.#changes.length;
  }

  /** What the sequencer takes for the engine. */
  watch(engine: AppliedEngine): AppliedEngine {
    return {
      apply: (seq, timeMs, command) => {
        assert.equal(seq, this.lastSeq + 1, 'seqs have no gap');
        assert.ok(timeMs >= this.#timeMs, 'time never goes back');
        this.#timeMs = timeMs;
        const expected = this.#twin.apply(seq, timeMs, command);
        const events = engine.apply(seq, timeMs, command);
        compareEvents(expected, events);
        if (expected.some(isChange)) this.#changes.push({ seq, timeMs, command, events });
        this.#expected = { seq: this.lastSeq, timeMs, events: expected };
        return events;
      },
      nextDueMs: () => {
        const dueMs = engine.nextDueMs();
        assert.equal(dueMs, this.#twin.nextDueMs(), 'the same next due time');
        return dueMs;
      },
    };
  }

  /** What the answer to a command that was just submitted must be; none if it was refused. */
  takeExpected(): Applied | undefined {
    const expected = this.#expected;
    this.#expected = undefined;
    return expected;
  }

  /** An answer came: it is what was predicted, and a crash can't take back what it shows. */
  checkAnswer(expected: Applied, answer: Applied, durableSeq: number): void {
    assert.equal(answer.seq, expected.seq, 'an answer names the state it was judged in');
    assert.equal(answer.timeMs, expected.timeMs);
    compareEvents(expected.events, answer.events);
    this.show(answer.seq, durableSeq);
  }

  /** Somebody outside sees the state after a command. */
  show(seq: number, durableSeq: number): void {
    assert.ok(seq <= durableSeq, `seq ${seq} is shown, and only ${durableSeq} is on the disk`);
    this.shownSeq = Math.max(this.shownSeq, seq);
  }

  /** The exchange died when the disk had this much: what came after is gone, and was not shown. */
  crashed(durableSeq: number): void {
    assert.ok(this.shownSeq <= durableSeq, `seq ${this.shownSeq} was shown and is lost`);
    assert.ok(durableSeq <= this.lastSeq, 'the disk has nothing that was never applied');
    const timeMs = this.#changes[durableSeq - 1]?.timeMs ?? 0;
    // A command that changed nothing may have been judged later, and nothing of that is left.
    if (durableSeq === this.lastSeq && timeMs === this.#timeMs) return;
    this.#changes = this.#changes.slice(0, durableSeq);
    this.#twin = makeNaive(this.#bounds);
    for (const { seq, timeMs, command } of this.#changes) this.#twin.apply(seq, timeMs, command);
    this.#timeMs = timeMs;
  }

  /** The exchange recovered: nothing more, nothing less. */
  checkRecovered(engine: Engine): void {
    compareStates(this.#twin.state(), engine.state());
    engine.validate();
  }

  /** The journal holds what was applied, word for word. */
  checkJournal(stored: readonly StoredCommand[]): void {
    assert.equal(stored.length, this.lastSeq);
    for (const [index, { seq, timeMs, command }] of stored.entries()) {
      const change = this.#changes[index];
      assert.deepEqual([seq, timeMs], [change?.seq, change?.timeMs]);
      // As JSON brings it back: in what order its fields are says nothing.
      assert.deepEqual(command, JSON.parse(JSON.stringify(change?.command)));
    }
  }

  get state(): ReturnType<EngineFace['state']> {
    return this.#twin.state();
  }
}
