/**
 * Faults of the journal's disk and thread, injected into that thread, under a real exchange with
 * load. The process must stop and acknowledge nothing that failed. After the cause is gone, all
 * that clients were shown must be there.
 */
import { strict as assert } from 'node:assert';
import { fileURLToPath } from 'node:url';
import { type DiskFault, faultyDisk } from '../persistence/journal/test-disk.ts';
import { assertStopped } from './assert-ended.ts';
import type { Campaign, LoadFigures } from './campaign.ts';

const PROGRAM = fileURLToPath(new URL('./faulty-exchange.ts', import.meta.url));
/** Slow commits, so that each has commands of several clients. */
const JOURNAL_DELAY_MS = 40;

export interface JournalCase {
  readonly name: string;
  readonly fault: DiskFault;
  readonly says: RegExp;
  /** Whether unacknowledged commands may be in the journal. */
  readonly mayBeThere: boolean;
}

export const JOURNAL_CASES: readonly JournalCase[] = [
  {
    name: 'a disk that is full',
    fault: { kind: 'full', pages: 20 },
    says: /could not be written: database or disk is full/,
    mayBeThere: false,
  },
  {
    name: 'a write that fails',
    fault: { kind: 'write', commit: 9 },
    says: /could not be written: injected: the write fails/,
    mayBeThere: false,
  },
  {
    name: 'a sync that fails, though everything is on the disk',
    fault: { kind: 'sync', commit: 9 },
    says: /could not be written: injected: the sync fails/,
    mayBeThere: true,
  },
  {
    name: 'an error in the thread',
    fault: { kind: 'throw', commit: 9 },
    says: /the journal's thread died: injected: the thread ends/,
    mayBeThere: false,
  },
  {
    name: 'an end of the thread',
    fault: { kind: 'exit', commit: 9 },
    says: /the journal's thread died: the journal's thread ended/,
    mayBeThere: false,
  },
];

/** Runs one fault on a campaign. The caller starts it before, and after one or several faults. */
export async function runJournalCase(
  campaign: Campaign,
  { name, fault, says, mayBeThere }: JournalCase,
  seed: number,
): Promise<LoadFigures> {
  const { dataDir } = campaign;
  const journalDisk = faultyDisk(fault, JOURNAL_DELAY_MS);
  const settings = { dataDir, journalDisk, funding: 'ledger' };
  const child = await campaign.startUnder({ program: [PROGRAM, JSON.stringify(settings)] });
  const figures = await campaign.load(child, seed, () => assertStopped(child));
  assert.match(child.log, says, name);
  const isClean = mayBeThere || figures.doneUntold === 0;
  assert.ok(isClean, `${name}: ${JSON.stringify(figures)}`);
  return figures;
}
