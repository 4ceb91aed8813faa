/** One bench in its process: how it fails without an end of the run. */
import t from 'tap';
import { runBench } from '../../../bench/harness/bench-process.ts';

t.test('a bench that throws has failed with its words, and has no rows', async (t) => {
  const { rows, failure } = await runBench('catalog', ['--markets', '0']);
  t.strictSame(rows, []);
  t.equal(failure, 'the number after --markets is 0: give a whole number above 0');
});

t.test('a bench that takes too long has failed, and its process is gone', async (t) => {
  const { rows, failure } = await runBench('levels', [], 500);
  t.strictSame(rows, []);
  t.equal(failure, 'not done within 0.5 seconds');
});
