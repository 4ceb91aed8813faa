// Ends an exchange under load in a few ways, on one folder; `npm run faults -- kill` and `npm run
// faults -- disk` cover all of them. In the short set, the last start checks the answers of both
// faults of the journal.
import t from 'tap';
import { isLong } from '../long-set.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { Campaign } from './campaign.ts';
import { JOURNAL_CASES, runJournalCase } from './journal-faults.ts';
import { KillRounds } from './kill-rounds.ts';

const MOMENTS = isLong
  ? (['stop', 'snapshot', 'start', 'compaction'] as const)
  : (['snapshot', 'compaction'] as const);
const FAULTS = ['full', 'sync'];

const campaign = new Campaign({ dataDir: temporaryFolder(t), funding: 'ledger' });

t.test('SIGKILL at any moment loses nothing that a client was shown', async (t) => {
  const rounds = new KillRounds({ campaign, seed: 1, mostLoadMs: 500 });
  let answered = 0;
  for (const moment of MOMENTS) {
    const figures = await rounds.next([moment]);
    t.comment(JSON.stringify(figures));
    t.ok(figures.unanswered > 0, 'clients were cut off');
    answered += figures.answered; // 0 if the kill comes before the first answer
  }
  t.ok(answered > 0, 'clients got answers');
});

t.test(
  'a failed journal stops the exchange, and nothing that a client was shown is lost',
  async (t) => {
    await (await campaign.start()).kill();
    const cases = JOURNAL_CASES.filter(({ fault }) => FAULTS.includes(fault.kind));
    t.equal(cases.length, FAULTS.length);
    for (const [seed, one] of cases.entries()) {
      const figures = await runJournalCase(campaign, one, seed);
      t.ok(figures.answered > 0, `${one.name}: ${JSON.stringify(figures)}`);
      if (isLong) await (await campaign.start()).kill();
    }
    await campaign.finish();
  },
);
