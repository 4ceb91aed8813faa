import t from 'tap';
import { runMainJob } from './main-job.ts';

t.test('the published client trades, and a crash loses nothing', async (t) => {
  const told: string[] = [];
  await runMainJob((sentence) => {
    told.push(sentence);
    t.pass(sentence);
  });
  t.ok(told.length >= 18, 'the job went through all its steps');
});
