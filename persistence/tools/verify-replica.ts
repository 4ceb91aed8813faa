/**
 * Compares the journal with that of another node of the same cluster, with the digests of balances
 * after each batch in it, and the heads of the other's snapshots. Invariant: it
 * changes nothing, and nodes may run meanwhile: commands that one of them lacks are no fault.
 * Bound: one step of both journals in memory.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredCommand } from '../journal/part.ts';
import { JournalReader } from '../journal/reader.ts';
import { STORE_BOUNDS } from '../shared/index.ts';
import { openSnapshot } from '../snapshots/file.ts';
import { listSnapshots } from '../snapshots/folder.ts';
import { checkHead } from '../snapshots/restore.ts';
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
    if (difference !== undefined) {
      findings.add('replica', replica, `${replica}: ${difference}`);
      return;
    }
    checkStates(replica, ours, lastSeq);
    findings.note(`${replica} has the same commands and balances up to seq ${lastSeq}`);
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
    for (const [index, one] of ours.commands(seq, toSeq).entries()) {
      const difference = differenceOf(one, others[index]);
      if (difference !== undefined) return difference;
    }
    seq = toSeq;
    onProgress(seq);
    await nextTurn();
  }
  return undefined;
}

/** By value: two rows that differ may have the same checksum. */
function differenceOf(one: StoredCommand, other: StoredCommand | undefined): string | undefined {
  const isSame =
    one.timeMs === other?.timeMs &&
    one.kind === other.kind &&
    one.endsBatch === other.endsBatch &&
    Buffer.from(one.payload).equals(Buffer.from(other.payload));
  if (!isSame) return `its command ${one.seq} is another one`;
  if (one.digest === other.digest) return undefined;
  return `the balances after its command ${one.seq} are other ones`;
}

/** What the snapshots of the replica say of the balances, which a start there would use. */
function checkStates(replica: string, ours: JournalReader, lastSeq: number): void {
  for (const place of listSnapshots(join(replica, 'snapshots'))) {
    if (place.seq > lastSeq) continue;
    const snapshot = openSnapshot(place.path);
    snapshot.close();
    checkHead(place, snapshot.head, ours);
  }
}
