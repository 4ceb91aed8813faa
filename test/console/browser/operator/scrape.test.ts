/** Figures of the health page: read from the text of /metrics, with rates and percentiles. */
import t from 'tap';
import {
  parseMetrics,
  percentileOf,
  rateOf,
  samplesOf,
  sumOf,
} from '../../../../console/browser/operator/scrape.ts';

const FIRST = `# HELP outcome_exchange_commands_total Commands
# TYPE outcome_exchange_commands_total counter
outcome_exchange_commands_total{kind="place_order",outcome="changed"} 10
outcome_exchange_commands_total{kind="place_order",outcome="refused"} 2
outcome_exchange_commands_total{kind="deposit",outcome="changed"} 1

process_resident_memory_bytes 1.5e+06
outcome_exchange_odd{text="a \\"b\\", c\\n{d}"} +Inf
`;
const SECOND = `outcome_exchange_commands_total{kind="place_order",outcome="changed"} 30
outcome_exchange_commands_total{kind="place_order",outcome="refused"} 2
`;

t.test('samples lose the prefix and keep their labels', async (t) => {
  const scrape = parseMetrics(FIRST, 1_000);
  t.equal(sumOf(scrape, 'commands_total'), 13);
  t.equal(sumOf(scrape, 'commands_total', { kind: 'place_order' }), 12);
  t.equal(sumOf(scrape, 'commands_total', { outcome: /^ref/ }), 2);
  t.equal(sumOf(scrape, 'process_resident_memory_bytes'), 1_500_000);
  t.equal(sumOf(scrape, 'gone'), undefined, 'what is not measured is not 0');
  const [odd] = samplesOf(scrape, 'odd');
  t.equal(odd?.labels.text, 'a "b", c\n{d}');
  t.equal(odd?.value, Number.POSITIVE_INFINITY);
});

t.test('a rate needs two scrapes, and none is negative after a restart', async (t) => {
  const [first, second] = [parseMetrics(FIRST, 1_000), parseMetrics(SECOND, 3_000)];
  const orders = { kind: 'place_order' };
  t.equal(rateOf(undefined, first, 'commands_total', orders), undefined);
  t.equal(rateOf(first, second, 'commands_total', orders), 10);
  t.equal(rateOf(second, parseMetrics(FIRST, 5_000), 'commands_total', orders), undefined);
  t.equal(rateOf(first, first, 'commands_total', orders), undefined, 'no time has passed');
});

function histogram(counts: readonly number[], atMs: number) {
  const limits = ['0.001', '0.002', '0.004', '+Inf'];
  const lines = limits.map(
    (limit, index) => `outcome_exchange_d_seconds_bucket{le="${limit}"} ${counts[index]}`,
  );
  return parseMetrics(lines.join('\n'), atMs);
}

t.test('a percentile is interpolated within its bucket', async (t) => {
  const before = histogram([100, 100, 100, 100], 0);
  const rows: readonly (readonly [counts: number[], share: number, wanted?: number])[] = [
    [[110, 120, 120, 120], 0.5, 0.001],
    [[110, 120, 120, 120], 0.75, 0.0015],
    [[100, 100, 110, 110], 0.5, 0.003],
    [[100, 100, 100, 110], 0.5, 0.004],
    [[100, 100, 100, 100], 0.5],
  ];
  for (const [counts, share, wanted] of rows) {
    const found = percentileOf(before, histogram(counts, 1), 'd_seconds', share);
    t.equal(found, wanted, `${counts} at ${share}`);
  }
  t.equal(percentileOf(undefined, before, 'd_seconds', 0.5), 0.0005, 'since the start');
});
