/**
 * Writes a data folder as an exchange would have written it: an engine applies each command,
 * batches are journaled with synced commits, and snapshots are made of the engine's state.
 */
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Engine, type EngineEvent, isChange } from '../../engine/index.ts';
import type { DataFolder } from '../../persistence/folder/data-folder.ts';
import { BatchBuilder } from '../../persistence/journal/batch.ts';
import { JournalReader } from '../../persistence/journal/reader.ts';
import { prepareJournal } from '../../persistence/journal/schema.ts';
import { JournalWriter, openJournal } from '../../persistence/journal/writer.ts';
import {
  type ProjectorThreadData,
  ProjectorWork,
} from '../../persistence/projection/projector-work.ts';
import { STORE_BOUNDS } from '../../persistence/shared/store-bounds.ts';
import { SnapshotMaker } from '../../persistence/snapshots/maker.ts';
import { evidenceOf } from './commands.ts';
import { ownMicros } from './processor-time.ts';

const LOOK_MS = 20;

export class FolderWriter {
  readonly #folder: DataFolder;
  readonly #engine: Engine;
  readonly #writer: JournalWriter;
  readonly #maker: SnapshotMaker;
  readonly #closeJournal: () => void;
  #builder = new BatchBuilder(1);
  #batched = 0;
  #timeMs = 0;
  seq = 0;

  constructor(folder: DataFolder, reserveOrders = 0) {
    this.#folder = folder;
    this.#engine = new Engine({}, { reserveOrders });
    // A snapshot has the counts; the exchange goes on with them.
    this.#engine.countSteps();
    const database = openJournal(this.#folder.journal, true);
    prepareJournal(database, { funding: 'paper' }, () => undefined);
    this.#writer = new JournalWriter(database);
    const pace = { everyMs: 0 };
    this.#maker = new SnapshotMaker({ folder: this.#folder.snapshots, funding: 'paper', pace });
    this.#closeJournal = () => database.close();
  }

  /** A command that changes nothing is not journaled. */
  apply(timeMs: number, command: Command): readonly EngineEvent[] {
    const seq = this.seq + 1;
    const input = this.#engine.inputOf(command);
    const events = this.#engine.apply(seq, timeMs, input);
    if (!events.some(isChange)) return events;
    this.seq = seq;
    const durable = { seq, timeMs, command, events };
    const evidence = evidenceOf(command);
    this.#builder.add(durable, evidence, input);
    this.#maker.consume([durable]);
    this.#timeMs = timeMs;
    this.#batched += 1;
    if (this.#builder.eventCount >= STORE_BOUNDS.batchEvents) this.flush();
    return events;
  }

  /** Commits what is not committed yet. */
  flush(): void {
    this.#engine.endBatch();
    this.#builder.digest = this.#engine.digest;
    if (this.#batched > 0) this.#writer.write(this.#builder.build());
    this.#builder = new BatchBuilder(this.seq + 1);
    this.#batched = 0;
  }

  /** Makes a snapshot after the last command. */
  snapshot() {
    this.flush();
    const reader = new JournalReader(this.#folder.journal);
    const commandChecksum = reader.checksumAt(this.seq);
    reader.close();
    if (commandChecksum === undefined) throw new Error('the generator made no command');
    const details = { commandChecksum, deadlineMs: Number.POSITIVE_INFINITY };
    return this.#maker.make(this.#engine, { seq: this.seq, timeMs: this.#timeMs }, details);
  }

  /** What `projectUntil` needs. */
  get projectorData(): ProjectorThreadData {
    const { journal: journalPath, projection: projectionPath, snapshots } = this.#folder;
    return { journalPath, projectionPath, snapshots, temporary: false };
  }

  close(): void {
    this.flush();
    this.#closeJournal();
    this.#folder.release();
  }
}

/**
 * Projects the journal of a folder into analytics.db up to a command, also while another process
 * writes the journal. Measures what that took.
 */
export async function projectUntil(data: ProjectorThreadData, untilSeq: number) {
  const beganMs = performance.now();
  const began = ownMicros();
  const reader = new JournalReader(data.journalPath);
  const work = new ProjectorWork(data);
  while (work.projectedSeq < untilSeq) {
    const { lastSeq } = reader;
    while (work.step(lastSeq));
    if (lastSeq < untilSeq) await sleep(LOOK_MS);
  }
  const projectionMs = performance.now() - beganMs;
  const projectionWorkMs = (ownMicros() - began) / 1_000;
  work.close();
  reader.close();
  return { projectionMs, projectionWorkMs, bytes: statSync(data.projectionPath).size };
}
