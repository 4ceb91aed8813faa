/** The table at the end of a run: its verdicts and its layout. */
import t from 'tap';
import { ratioText, speedText } from '../../../bench/harness/print.ts';
import { failedRow, summaryLines, summaryRow } from '../../../bench/harness/summary.ts';

const VERDICTS: readonly (readonly [budget: string, value: number | undefined, met: string])[] = [
  ['at least 0.85', 0.85, 'yes'],
  ['at least 0.85', 0.8499, 'no'],
  ['at least 20', 20.5, 'yes'],
  ['under 25 ms', 24.9, 'yes'],
  ['under 25 ms', 25, 'no'],
  ['under 1.5 of alone', 1.4, 'yes'],
  ['under 1.5 of alone', 1.5, 'no'],
  ['under 5 us', Number.NaN, 'no'],
  ['under 5 us', undefined, 'no'],
];

t.test('a verdict follows from the text of the budget', async (t) => {
  for (const [budget, value, met] of VERDICTS) {
    const given = value === undefined ? {} : { value };
    const row = summaryRow({ what: 'x', ours: '1', budget, ...given });
    t.equal(row.met, met, `${value} beside ${budget}`);
    t.equal(row.budget, budget);
  }
});

t.test('a budget in another form is refused', async (t) => {
  for (const budget of ['5 ms', '2 million/s', 'at most 5', 'under 5,000 ms', 'under 1.2.3', '']) {
    t.throws(() => summaryRow({ what: 'x', ours: '1', budget, value: 1 }), /the budget/, budget);
  }
});

t.test('a missing figure is a dash, and a failed benchmark has met no budget', async (t) => {
  const dash = { reference: '-', ratio: '-', budget: '-', met: '-' };
  t.strictSame(summaryRow({ what: 'x', ours: '1' }), { what: 'x', ours: '1', ...dash });
  t.strictSame(failedRow('x'), { what: 'x', ours: 'failed', ...dash, met: 'no' });
  const ratio = { median: 1.236, lowest: 1.1, highest: 1.4 };
  t.equal(summaryRow({ what: 'x', ours: '1', ratio }).ratio, '1.24 (1.10..1.40)');
  t.equal(summaryRow({ what: 'x', ours: '1', ratio: '3.5' }).ratio, '3.5');
});

t.test('several rounds have a spread, a single one has none', async (t) => {
  t.equal(speedText({ median: 9_120.4, lowest: 8_800, highest: 9_400 }), '9,120 (8,800..9,400)');
  t.equal(speedText({ median: 9_120.4, lowest: 9_120.4, highest: 9_120.4 }), '9,120');
  t.equal(ratioText({ median: 0.93, lowest: 0.9, highest: 0.97 }), '0.93 (0.90..0.97)');
  t.equal(ratioText({ median: 0.93, lowest: 0.93, highest: 0.93 }), '0.93');
});

t.test('the columns of the table are aligned', async (t) => {
  const rows = [
    summaryRow({ what: 'GET /book', ours: '30,000', reference: '31,000 bare', ratio: '0.97' }),
    summaryRow({ what: 'p99', ours: '3.1 us', budget: 'under 5 us', value: 3.1 }),
    failedRow('streams'),
  ];
  t.strictSame(summaryLines(rows), [
    '  what         ours    reference  ratio      budget  met',
    '  ---------  ------  -----------  -----  ----------  ---',
    '  GET /book  30,000  31,000 bare   0.97           -    -',
    '  p99        3.1 us            -      -  under 5 us  yes',
    '  streams    failed            -      -           -   no',
  ]);
});

t.test('a busy machine is not judged by a budget without a reference', async (t) => {
  const alone = summaryRow({ what: 'p99', ours: '9 us', budget: 'under 5 us', value: 9 });
  const beside = summaryRow({
    ...{ what: 'p99', ours: '9 us', reference: '1 us' },
    ...{ budget: 'under 5', value: 9 },
  });
  const verdicts = (isQuiet: boolean) =>
    summaryLines([alone, beside, failedRow('x')], isQuiet)
      .slice(2)
      .map((line) => line.trim().split(/\s+/).at(-1));
  t.strictSame(verdicts(false), ['busy', 'no', 'no']);
  t.strictSame(verdicts(true), ['no', 'no', 'no']);
});
