/** A benchmark runs in its own process, so it can fail without ending the run. */
import t from 'tap';
import { runBench } from '../../bench/run-bench.ts';

t.test('a benchmark that throws is reported with its message and without rows', async (t) => {
  const { rows, failure } = await runBench('catalog', ['--markets', '0']);
  t.strictSame(rows, []);
  t.match(failure, '--markets must be a whole number above 0, not 0');
});

t.test('a benchmark that takes too long is reported as failed', async (t) => {
  const { rows, failure } = await runBench('levels', [], 500);
  t.strictSame(rows, []);
  t.equal(failure, 'the process did not answer within 0.5 seconds');
});
