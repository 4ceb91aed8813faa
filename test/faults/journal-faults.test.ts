// Faults of the journal's disk and thread, by a seam in that thread: the process stops, nobody is
// told of what failed, and all that anybody was told is there after the cause is gone.
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { JournalFault } from '../../persistence/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { assertStopped } from './assert-ended.ts';
import { Campaign } from './campaign.ts';

const PROGRAM = fileURLToPath(new URL('./faulty-exchange.ts', import.meta.url));

interface Case {
  readonly name: string;
  readonly fault: JournalFault;
  readonly says: RegExp;
  /** Whether what nobody was told of is there all the same. */
  readonly isThere: boolean;
}

const CASES: readonly Case[] = [
  {
    name: 'a disk that is full',
    fault: { kind: 'full', pages: 40 },
    says: /could not be written: database or disk is full/,
    isThere: false,
  },
  {
    name: 'a write that fails',
    fault: { kind: 'write', commit: 9 },
    says: /could not be written: a test fails the write/,
    isThere: false,
  },
  {
    name: 'a sync that fails, though everything is on the disk',
    fault: { kind: 'sync', commit: 9 },
    says: /could not be written: a test fails the sync/,
    isThere: true,
  },
  {
    name: 'an error in the thread',
    fault: { kind: 'throw', commit: 9 },
    says: /the journal's thread died: a test ends the thread/,
    isThere: false,
  },
  {
    name: 'an end of the thread',
    fault: { kind: 'exit', commit: 9 },
    says: /the journal's thread died: the journal's thread ended/,
    isThere: false,
  },
];

t.test('a journal that can not go on stops the exchange, and nothing told is lost', async (t) => {
  const campaign = new Campaign({ dataDir: temporaryFolder(t), funding: 'ledger' });
  await (await campaign.start()).kill();
  for (const [seed, { name, fault, says, isThere }] of CASES.entries()) {
    const settings = { dataDir: campaign.dataDir, funding: 'ledger', journalFault: fault };
    const child = await campaign.startUnder({ program: [PROGRAM, JSON.stringify(settings)] });
    const figures = await campaign.load(child, seed, () => assertStopped(child));
    t.match(child.log, says, name);
    t.equal(figures.doneUntold > 0, isThere, `${name}: ${JSON.stringify(figures)}`);
    await (await campaign.start()).kill();
  }
  await campaign.finish();
});
