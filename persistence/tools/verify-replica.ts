/**
 * Compares the journal with that of another node of the same cluster. The state follows from the
 * commands and their rules, so two nodes with the same commands have the same state. Invariant: it
 * changes nothing, and nodes may run meanwhile: commands that one of them lacks are no fault.
 * Bound: one step of both journals in memory.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredCommand } from '../journal/part.ts';
import { JournalReader } from '../journal/reader.ts';
import { STORE_BOUNDS } from '../shared/index.ts';
import type { ToolOptions } from './compaction-limit.ts';
import { type Findings, faultSentence } from './findings.ts';

/** Compares all commands that both folders have. Adds the first difference, or a note. */
export async function compareReplica(
  { dataDir, onProgress }: ToolOptions,
  replica: string,
  findings: Findings,
): Promise<void> {
  const path = join(replica, 'journal.db');
  if (!existsSync(path)) {
    findings.add('replica', replica, `${path} is missing: this is not the data folder of a node`);
    return;
  }
  const journals: JournalReader[] = [];
  try {
    const ours = new JournalReader(join(dataDir, 'journal.db'));
    journals.push(ours);
    const theirs = new JournalReader(path);
    journals.push(theirs);
    const lastSeq = Math.min(ours.lastSeq, theirs.lastSeq);
    const difference =
      logDifference(ours, theirs) ??
      rulesDifference(ours, theirs, lastSeq) ??
      (await commandDifference(ours, theirs, (done) =>
        onProgress?.({ what: 'commands of the replica compared', done, total: lastSeq }),
      ));
    if (difference !== undefined) findings.add('replica', replica, `${replica}: ${difference}`);
    else findings.note(`${replica} has the same commands up to seq ${lastSeq}`);
  } catch (error) {
    findings.add('replica', replica, faultSentence(path, error));
  } finally {
    for (const journal of journals) journal.close();
  }
}

function logDifference(ours: JournalReader, theirs: JournalReader): string | undefined {
  const [here, there] = [ours, theirs].map((journal) => journal.end().place?.logId ?? 'none');
  if (here === there && here !== 'none') return undefined;
  const logs = `it follows the log ${there}, and this folder the log ${here}`;
  return `${logs}: only nodes of one cluster can be compared`;
}

function rulesDifference(
  ours: JournalReader,
  theirs: JournalReader,
  lastSeq: number,
): string | undefined {
  const [here, there] = [ours, theirs].map((journal) =>
    journal
      .rulesBorders()
      .filter(({ fromSeq }) => fromSeq <= lastSeq)
      .map(({ fromSeq, version }) => `rules ${version} from seq ${fromSeq} on`)
      .join(', '),
  );
  return here === there ? undefined : `it has ${there}, and this folder ${here}`;
}

async function commandDifference(
  ours: JournalReader,
  theirs: JournalReader,
  onProgress: (seq: number) => void,
): Promise<string | undefined> {
  const lastSeq = Math.min(ours.lastSeq, theirs.lastSeq);
  for (let seq = Math.max(ours.firstSeq, theirs.firstSeq) - 1; seq < lastSeq; ) {
    const toSeq = Math.min(seq + STORE_BOUNDS.replayCommands, lastSeq);
    const others = theirs.commands(seq, toSeq);
    const differing = ours.commands(seq, toSeq).find((one, index) => !isSame(one, others[index]));
    if (differing !== undefined) return `its command ${differing.seq} is another one`;
    seq = toSeq;
    onProgress(seq);
    await nextTurn();
  }
  return undefined;
}

/** The checksum is that of all that a row has, but two rows may have the same one. */
function isSame(one: StoredCommand, other: StoredCommand | undefined): boolean {
  return (
    one.checksum === other?.checksum &&
    one.timeMs === other.timeMs &&
    one.kind === other.kind &&
    Buffer.from(one.payload).equals(Buffer.from(other.payload))
  );
}
