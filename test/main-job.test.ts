import t from 'tap';
import { runMainJob } from './main-job.ts';

t.test('the published client trades, and a crash loses nothing', async (t) => {
  const sentences: string[] = [];
  await runMainJob((sentence) => {
    sentences.push(sentence);
    t.pass(sentence);
  });
  t.ok(sentences.length >= 18, 'the job went through all its steps');
});
