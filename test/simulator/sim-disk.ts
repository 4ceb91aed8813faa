/**
 * The disk of a simulation: the real journal in its own folder. How long commits take and which of
 * them fail is drawn at random; at a crash, a commit underway is stored completely or not at all.
 * Invariant: `durableSeq` is the last command that a start would find. Bound: one commit at a time,
 * which the sequencer guarantees.
 */
import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Random } from '../../http/codec/random.ts';
import type { JournalBatch } from '../../persistence/journal/batch.ts';
import { checkDurableMark, writeDurableMark } from '../../persistence/journal/durable-mark.ts';
import { type JournalEnd, prepareJournal } from '../../persistence/journal/schema.ts';
import { JournalWriter, openJournal } from '../../persistence/journal/writer.ts';
import type { Bug } from './bugs.ts';
import type { SimClock } from './sim-clock.ts';

export interface DiskUser {
  committed(seq: number): void;
  failed(error: Error): void;
}

/** How often commits fail or are slow, and the longest slow commit. */
export interface DiskHabits {
  readonly failPercent: number;
  readonly slowPercent: number;
  readonly slowMs: number;
  /** A bug planted on purpose (bugs.ts). */
  readonly bug: Bug | undefined;
}

interface Underway {
  readonly batch: JournalBatch;
}

export class SimDisk {
  readonly folder = mkdtempSync(join(tmpdir(), 'exchange-sim-'));
  readonly #clock: SimClock;
  readonly #random: Random;
  readonly #habits: DiskHabits;
  #database: Database | undefined;
  #writer: JournalWriter | undefined;
  #underway: Underway | undefined;
  durableSeq = 0;
  commits = 0;
  failures = 0;

  constructor(clock: SimClock, random: Random, habits: DiskHabits) {
    this.#clock = clock;
    this.#random = random;
    this.#habits = habits;
  }

  get journalPath(): string {
    return join(this.folder, 'journal.db');
  }

  get #markPath(): string {
    return join(this.folder, 'durable.seq');
  }

  get isIdle(): boolean {
    return this.#underway === undefined;
  }

  open(): JournalEnd {
    this.#database = openJournal(this.journalPath, true);
    const end = prepareJournal(this.#database, { funding: 'paper' }, (lastSeq) =>
      checkDurableMark(this.#markPath, () => lastSeq),
    );
    assert.equal(end.lastSeq, this.durableSeq, 'the journal has what was committed');
    this.#writer = new JournalWriter(this.#database);
    return end;
  }

  /** Starts a commit. */
  write(batch: JournalBatch, user: DiskUser): void {
    assert.ok(this.isIdle, 'one commit at a time');
    const underway = { batch };
    this.#underway = underway;
    const { failPercent, slowPercent, slowMs } = this.#habits;
    const isSlow = this.#random.chance(slowPercent);
    const ms = isSlow ? this.#random.below(slowMs) : this.#random.below(4);
    this.#clock.after(ms, () => {
      if (this.#underway !== underway) return;
      this.#underway = undefined;
      if (this.#random.below(10_000) < failPercent * 100) this.#fail(batch, user);
      else user.committed(this.#commit(batch));
    });
  }

  /** Reports a failed commit. Half of them are on the disk all the same, as at the next start. */
  #fail(batch: JournalBatch, user: DiskUser): void {
    this.failures += 1;
    if (this.#random.chance(50)) this.#commit(batch);
    user.failed(new Error('a simulated input/output error'));
  }

  #commit(batch: JournalBatch): number {
    assert.ok(this.#writer !== undefined);
    this.#writer.write(this.#written(batch));
    this.commits += 1;
    this.durableSeq = batch.firstSeq + batch.payloads.length - 1;
    // The side file is written after one commit in five.
    if (this.#random.chance(20)) writeDurableMark(this.#markPath, this.durableSeq);
    return this.durableSeq;
  }

  /** The batch unchanged, unless a bug is planted. */
  #written(batch: JournalBatch): JournalBatch {
    const { kinds, payloads } = batch;
    if (this.#habits.bug !== 'swap_two_commands' || payloads.length < 2) return batch;
    const swapped = <Item>([first, second, ...rest]: readonly Item[]): Item[] =>
      [second, first, ...rest].filter((item) => item !== undefined);
    return { ...batch, kinds: swapped(kinds), payloads: swapped(payloads) };
  }

  /** Loses power: a commit underway is stored completely or not at all. */
  crash(): void {
    const underway = this.#underway;
    this.#underway = undefined;
    if (underway !== undefined && this.#random.chance(50)) this.#commit(underway.batch);
    this.#plant();
    this.close();
  }

  #plant(): void {
    const { bug } = this.#habits;
    if (bug === 'lose_a_fill') this.#database?.exec('DELETE FROM fills WHERE seq % 2 = 0');
    if (bug !== 'lying_disk' || this.durableSeq === 0) return;
    this.#database?.prepare('DELETE FROM commands WHERE seq = ?').run(this.durableSeq);
    this.durableSeq -= 1;
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  remove(): void {
    this.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
