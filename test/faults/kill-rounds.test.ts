// A few rounds of SIGKILL; `npm run faults kill` runs as many as you like.
import t from 'tap';
import { isLong } from '../long-set.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { KillRounds } from './kill-rounds.ts';

const ALL = ['stop', 'snapshot', 'start', 'compaction'] as const;
const QUICK = ['snapshot', 'compaction'] as const;

t.test('SIGKILL at any moment loses nothing that a client was told', async (t) => {
  const rounds = new KillRounds({
    dataDir: temporaryFolder(t),
    funding: 'ledger',
    seed: 1,
    mostLoadMs: 500,
  });
  let answered = 0;
  for (const moment of isLong ? ALL : QUICK) {
    const figures = await rounds.next([moment]);
    t.comment(JSON.stringify(figures));
    t.ok(figures.unanswered > 0, 'clients were cut off');
    answered += figures.answered; // none, where the first moments of a start were met
  }
  t.ok(answered > 0, 'and served');
  await rounds.finish();
});
