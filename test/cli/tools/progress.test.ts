import t from 'tap';
import { ProgressLine } from '../../../cli/tools/progress.ts';

const WHAT = 'commands replayed';

t.test('a terminal shows percent and rate on one line, at most five times a second', async (t) => {
  const written: string[] = [];
  let nowMs = 0;
  const line = new ProgressLine({
    isTerminal: true,
    write: (text) => written.push(text.replace('\r\u001b[K', '|')),
    nowMs: () => nowMs,
  });
  line.show({ what: WHAT, done: 0, total: 4_000 });
  nowMs = 100;
  line.show({ what: WHAT, done: 500, total: 4_000 });
  nowMs = 1_000;
  line.show({ what: WHAT, done: 3_000, total: 4_000 });
  nowMs = 2_000;
  line.show({ what: 'rows compared', done: 1_234_567, total: 0 });
  line.end();
  line.end();
  t.strictSame(written, [
    `|0%, 0 of 4,000 ${WHAT}, 0/s`,
    `|75%, 3,000 of 4,000 ${WHAT}, 3,000/s`,
    '|1,234,567 rows compared, 0/s',
    '|',
  ]);
});

t.test('nothing is written without a terminal', async (t) => {
  const write = () => t.fail('it was written');
  const line = new ProgressLine({ isTerminal: false, write, nowMs: () => 0 });
  line.show({ what: WHAT, done: 1, total: 2 });
  line.end();
});
