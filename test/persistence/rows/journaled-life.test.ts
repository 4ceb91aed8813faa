// A random life replays from packed rows as it ran.
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { Engine, type EngineEvent, SnapshotLoader, stateHash } from '../../../engine/index.ts';
import type { DurableCommand } from '../../../persistence/index.ts';
import { BatchBuilder } from '../../../persistence/journal/batch.ts';
import { JournalReader } from '../../../persistence/journal/reader.ts';
import { prepareJournal } from '../../../persistence/journal/schema.ts';
import { JournalWriter, openJournal } from '../../../persistence/journal/writer.ts';
import { replayStep } from '../../../persistence/recovery/recovery.ts';
import { times } from '../../long-set.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';
import { randomStream } from '../store-fixture.ts';

const COMMANDS = 4_000;
/** More than a batch has of random commands. */
const BATCH = 37;

function evidenceOf({ seq, command }: DurableCommand): unknown {
  if (command.kind === 'place_order') return ['order11', `${seq}`, `0x${'ab'.repeat(65)}`, null];
  return seq % 2 === 0 ? { by: 'somebody', reason: '"' } : undefined;
}

/** A journal of a life, as this program writes it. */
function packedJournal(scope: Scope, durable: readonly DurableCommand[]): string {
  const path = join(temporaryFolder(scope), 'journal.db');
  const database = openJournal(path, true);
  prepareJournal(database, { funding: 'paper' }, () => {});
  const writer = new JournalWriter(database);
  const engine = new Engine();
  for (let from = 0; from < durable.length; from += BATCH) {
    const builder = new BatchBuilder(from + 1);
    for (const applied of durable.slice(from, from + BATCH)) {
      const { seq, timeMs, command } = applied;
      const input = engine.inputOf(command);
      engine.apply(seq, timeMs, input);
      builder.add(applied, evidenceOf(applied), input);
    }
    writer.write(structuredClone(builder.build()));
  }
  database.close();
  return path;
}

interface Replay {
  readonly hash: string;
  readonly events: readonly (readonly EngineEvent[])[];
  readonly commands: readonly unknown[];
  readonly evidence: readonly unknown[];
}

/** Replays what follows `fromSeq`, the state of the engine. The reader compares the fills. */
function replayFrom(path: string, engine: Engine, fromSeq: number): Replay {
  const journal = new JournalReader(path);
  const { lastSeq } = journal;
  const replayed: DurableCommand[] = [];
  const evidence: unknown[] = [];
  for (let seq = fromSeq; seq < lastSeq; ) {
    const toSeq = journal.stepEnd(seq, lastSeq);
    replayed.push(...replayStep(engine, journal, seq, toSeq));
    evidence.push(...journal.commands(seq, toSeq).map((stored) => stored.evidence));
    seq = toSeq;
  }
  journal.close();
  return {
    hash: stateHash(engine.state()),
    events: replayed.map(({ events }) => events),
    commands: replayed.map(({ command }) => command),
    evidence,
  };
}

/** The engine after `seq`, from its snapshot: the numbers must be the same as in the first life. */
function restoredAt(durable: readonly DurableCommand[], seq: number): Engine {
  const engine = new Engine();
  for (const { seq: at, timeMs, command } of durable.slice(0, seq)) {
    engine.apply(at, timeMs, engine.inputOf(command));
  }
  const loader = new SnapshotLoader();
  for (const part of engine.snapshot()) loader.take(part);
  return loader.finish();
}

for (let seed = 1; seed <= times(2, 20); seed += 1) {
  t.test(`a random life of seed ${seed} replays from packed rows as it ran`, async (t) => {
    const { durable, engine } = randomStream(seed, COMMANDS);
    const path = packedJournal(t, durable);
    const packed = replayFrom(path, new Engine(), 0);
    t.equal(packed.hash, stateHash(engine.state()));
    t.strictSame(
      packed.events,
      durable.map(({ events }) => events),
    );
    // As JSON has them: without fields that are undefined.
    const asked = JSON.parse(JSON.stringify(durable.map(({ command }) => command)));
    t.strictSame(JSON.parse(JSON.stringify(packed.commands)), asked);
    t.strictSame(packed.evidence, durable.map(evidenceOf));

    const middle = Math.floor(durable.length / 2);
    const later = replayFrom(path, restoredAt(durable, middle), middle);
    t.equal(later.hash, packed.hash, 'a snapshot keeps the numbers');
    t.strictSame(later.commands, packed.commands.slice(middle));

    const journal = new SqliteDatabase(path);
    t.teardown(() => journal.close());
    const packedCount = journal
      .prepare("SELECT count(*) FROM commands WHERE typeof(payload) = 'blob'")
      .pluck()
      .get();
    t.ok(
      Number(packedCount) > durable.length / 4,
      `${packedCount} of ${durable.length} are packed`,
    );
  });
}
