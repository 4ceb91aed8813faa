// Two faults of the journal's disk; `npm run faults disk` has all of them.
import t from 'tap';
import { temporaryFolder } from '../temporary-folder.ts';
import { Campaign } from './campaign.ts';
import { JOURNAL_CASES, runJournalCase } from './journal-faults.ts';

const QUICK = ['full', 'sync'];

t.test(
  'a failed journal stops the exchange, and nothing that a client was told is lost',
  async (t) => {
    const campaign = new Campaign({ dataDir: temporaryFolder(t), funding: 'ledger' });
    await (await campaign.start()).kill();
    const cases = JOURNAL_CASES.filter(({ fault }) => QUICK.includes(fault.kind));
    t.equal(cases.length, QUICK.length);
    for (const [seed, one] of cases.entries()) {
      const figures = await runJournalCase(campaign, one, seed);
      t.ok(figures.answered > 0, `${one.name}: ${JSON.stringify(figures)}`);
    }
  },
);
