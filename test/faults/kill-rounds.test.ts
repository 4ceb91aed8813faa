// A short set of what `npm run faults kill` does for as long as one likes.
import t from 'tap';
import { temporaryFolder } from '../temporary-folder.ts';
import { KillRounds } from './kill-rounds.ts';

t.test('nothing that anybody was told is lost by SIGKILL, at any moment', async (t) => {
  const rounds = new KillRounds({
    dataDir: temporaryFolder(t),
    funding: 'ledger',
    seed: 1,
    mostLoadMs: 500,
  });
  let answered = 0;
  for (const moment of ['stop', 'snapshot', 'start', 'compaction'] as const) {
    const figures = await rounds.next([moment]);
    t.comment(JSON.stringify(figures));
    t.ok(figures.unanswered > 0, 'clients were cut off');
    answered += figures.answered; // none, where the first moments of a start were met
  }
  t.ok(answered > 0, 'and served');
  await rounds.finish();
});
