/**
 * Data folders made without an exchange, for tests of their files: a journal of given commands, a
 * projection with only a cursor, and snapshots. Snapshots are either complete, or empty but valid
 * for the journal, which is enough for a compaction.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { openCatalog } from '../../../catalog/catalog.ts';
import type { Command, SnapshotPart } from '../../../engine/index.ts';
import { Engine, isChange, RULES_VERSION, SNAPSHOT_FORMAT } from '../../../engine/index.ts';
import type { DurableCommand } from '../../../persistence/index.ts';
import { BatchBuilder } from '../../../persistence/journal/batch.ts';
import { JournalReader } from '../../../persistence/journal/reader.ts';
import { prepareJournal } from '../../../persistence/journal/schema.ts';
import { JournalWriter, openJournal } from '../../../persistence/journal/writer.ts';
import { prepareProjection } from '../../../persistence/projection/schema.ts';
import { ShownFacts } from '../../../persistence/shared/shown-facts.ts';
import { writeFacts, writeSteps } from '../../../persistence/snapshots/facts.ts';
import { SNAPSHOT_VERSION, type SnapshotHead } from '../../../persistence/snapshots/file.ts';
import { storeSnapshot } from '../../../persistence/snapshots/folder.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';

export interface FolderPlan {
  readonly durable: readonly DurableCommand[];
  /** The rules under which they ran; by default the newest. */
  readonly rules?: number;
  /** The seqs of its snapshots. */
  readonly snapshots?: readonly number[];
  /** The `seq` that its projection has reached; by default the journal's last. */
  readonly projectedSeq?: number;
}

export function journalOf(dataDir: string): string {
  return join(dataDir, 'journal.db');
}

export function makeFolder(scope: Scope, plan: FolderPlan): string {
  const dataDir = temporaryFolder(scope);
  openCatalog(join(dataDir, 'catalog.db')).close();
  makeJournal(dataDir, plan);
  const lastSeq = plan.durable.at(-1)?.seq ?? 0;
  const journal = new JournalReader(journalOf(dataDir));
  try {
    makeProjection(dataDir, plan.projectedSeq ?? lastSeq, journal);
    for (const seq of plan.snapshots ?? []) makeSnapshot(dataDir, seq, journal);
  } finally {
    journal.close();
  }
  return dataDir;
}

/** Applies commands to a new engine. Each of them must change something. */
export function durableOf(commands: readonly Command[], timeMs = 1_000): DurableCommand[] {
  const engine = new Engine();
  return commands.map((command, index) => {
    const seq = index + 1;
    const events = engine.apply(seq, timeMs, engine.inputOf(command));
    if (!events.some(isChange)) throw new Error(`command ${seq}, ${command.kind}, changes nothing`);
    return { seq, timeMs, command, events };
  });
}

export interface ClosedFolderPlan {
  /** The time of all its commands. */
  readonly timeMs?: number;
  /** The seqs of its snapshots, which a start can use. */
  readonly snapshots?: readonly number[];
}

/**
 * Makes the folder of an exchange that applied these commands and stopped, without what a start
 * makes again: projection, catalog and secrets. To start an exchange for it would take a second.
 */
export function makeClosedFolder(
  scope: Scope,
  commands: readonly Command[],
  { timeMs, snapshots = [] }: ClosedFolderPlan = {},
): string {
  const durable = durableOf(commands, timeMs);
  const dataDir = makeFolder(scope, { durable });
  rmSync(join(dataDir, 'analytics.db'));
  makeTrueSnapshots(dataDir, durable, snapshots);
  return dataDir;
}

/** Each command is a batch of its own, so the journal of fewer commands has the same first rows. */
function makeJournal(dataDir: string, { durable, rules = RULES_VERSION }: FolderPlan): void {
  const database = openJournal(journalOf(dataDir), true);
  prepareJournal(database, { funding: 'paper' }, () => {});
  const writer = new JournalWriter(database);
  // Rows have the numbers that an engine gave.
  const engine = new Engine();
  engine.rules = rules;
  for (const applied of durable) {
    const { seq, timeMs, command } = applied;
    const input = engine.inputOf(command);
    engine.apply(seq, timeMs, input);
    const builder = new BatchBuilder(seq);
    builder.add(applied, undefined, input);
    builder.digest = engine.digest;
    writer.write(builder.build());
  }
  writer.settle();
  database.close();
}

/** Snapshots that a start can use, in order of seq. */
export function makeTrueSnapshots(
  dataDir: string,
  durable: readonly DurableCommand[],
  seqs: readonly number[],
): void {
  const journal = new JournalReader(journalOf(dataDir));
  const engine = new Engine();
  engine.countSteps();
  const facts = new ShownFacts();
  for (const applied of durable) {
    engine.apply(applied.seq, applied.timeMs, engine.inputOf(applied.command));
    engine.endBatch();
    facts.consume([applied]);
    if (!seqs.includes(applied.seq)) continue;
    const head = headOf(applied.seq, applied.timeMs, journal);
    storeSnapshot(join(dataDir, 'snapshots'), head, partsOf(engine, facts));
  }
  journal.close();
}

function* partsOf(engine: Engine, facts: ShownFacts): Generator<SnapshotPart> {
  yield* engine.snapshot();
  yield* writeFacts(facts);
  if (engine.steps !== undefined) yield* writeSteps(engine.steps);
}

/** Makes a projection that is empty but for its cursor. */
function makeProjection(dataDir: string, seq: number, journal: JournalReader): void {
  const database = new SqliteDatabase(join(dataDir, 'analytics.db'));
  prepareProjection(database);
  const checksum = journal.checksumAt(seq) ?? 0;
  database.prepare('UPDATE progress SET seq = ?, checksum = ?').run(seq, checksum);
  database.close();
}

export function makeSnapshot(dataDir: string, seq: number, journal: JournalReader): void {
  const parts = [{ name: 'nothing', bytes: Buffer.from('nothing') }];
  storeSnapshot(join(dataDir, 'snapshots'), headOf(seq, 0, journal), parts);
}

function headOf(seq: number, timeMs: number, journal: JournalReader): SnapshotHead {
  return {
    snapshotVersion: SNAPSHOT_VERSION,
    imageVersion: SNAPSHOT_FORMAT,
    seq,
    timeMs,
    commandChecksum: journal.checksumAt(seq) ?? 0,
    digest: journal.digestAt(seq) ?? 0,
    funding: 'paper',
  };
}
