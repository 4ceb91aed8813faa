// What charts draw, from what the exchange answers.
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import t from 'tap';
import {
  CHART_BOUNDS,
  courseOf,
  depthColumns,
  historyColumns,
  historyQuery,
  loadPlot,
  PRICE_RANGES,
  placesToKeep,
  withLatest,
} from '../../../../console/browser/charts/history-columns.ts';
import { sparkline } from '../../../../console/browser/charts/sparkline.ts';
import { shareTestExchange } from '../../../http/exchange-fixture.ts';
import { times } from '../../../long-set.ts';

const share = await shareTestExchange(t);

t.test(
  'lines of different times share their columns, with gaps before their first price',
  async (t) => {
    const yes = [
      { t: 60, p: 0.4 },
      { t: 180, p: 0.5 },
    ];
    const other = [
      { t: 120, p: 0.1 },
      { t: 180, p: 0.2 },
      { t: 240, p: 0.3 },
    ];
    t.strictSame(historyColumns([yes, other]), [
      [60, 120, 180, 240],
      [0.4, 0.4, 0.5, 0.5],
      [null, 0.1, 0.2, 0.3],
    ]);
    t.strictSame(historyColumns([]), [[]]);
    t.strictSame(historyColumns([[], yes]), [
      [60, 180],
      [null, null],
      [0.4, 0.5],
    ]);
  },
);

t.test('a long line keeps its ends, its spikes and its bound', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.integer({ min: 0, max: 100 }), { nil: null }), { maxLength: 300 }),
      fc.integer({ min: 4, max: 50 }),
      (column, most) => {
        const places = placesToKeep([column], column.length, most);
        assert.ok(places.length <= Math.max(most, 0) || column.length <= most);
        assert.deepEqual(
          [...places].sort((one, other) => one - other),
          places,
        );
        if (column.length > 0) {
          assert.equal(places[0], 0);
          assert.equal(places.at(-1), column.length - 1);
        }
        const values = column.filter((value) => value !== null);
        const kept = places.map((place) => column[place]).filter((value) => value !== null);
        assert.equal(Math.max(...(kept as number[])), Math.max(...values));
        assert.equal(Math.min(...(kept as number[])), Math.min(...values));
      },
    ),
    { numRuns: times(100, 2_000) },
  );
});

t.test('a chart of several long lines has at most its bound of times', async (t) => {
  const line = (phase: number) =>
    Array.from({ length: 20_000 }, (_, place) => ({
      t: place * 60,
      p: 0.5 + 0.4 * Math.sin(place / 50 + phase),
    }));
  const columns = historyColumns([line(0), line(1), line(2)]);
  for (const column of columns) {
    t.equal(column.length, columns[0].length);
    t.ok(column.length <= CHART_BOUNDS.prices, `${column.length} times`);
    t.ok(column.length > CHART_BOUNDS.prices / 2, `${column.length} times`);
  }
});

// Points were drawn at the starts of their steps, before there was a price, and after now.
t.test('a value stands at the end of its step, and none after now', async (t) => {
  const history = [
    { t: 0, p: 0.4 },
    { t: 300, p: 0.5 },
  ];
  t.strictSame(courseOf(history, 300, 420), [
    { t: 300, p: 0.4 },
    { t: 420, p: 0.5 },
  ]);
});

t.test('the present moves on at the end of a chart, which does not grow', async (t) => {
  const columns = historyColumns([
    [
      { t: 60, p: 0.4 },
      { t: 120, p: 0.5 },
    ],
  ]);
  const one = withLatest(columns, 125, [0.6], 120);
  t.strictSame(one, [
    [60, 120, 125],
    [0.4, 0.5, 0.6],
  ]);
  t.strictSame(withLatest(one, 130, [null], 120), [
    [60, 120, 130],
    [0.4, 0.5, 0.5],
  ]);
  t.strictSame(withLatest(columns, 110, [0.6], 120), columns, 'time does not go back');
  t.strictSame(withLatest(historyColumns([[]]), 5, [0.6], 0), [[5], [0.6]]);
});

t.test('the exchange answers the history of each range', async (t) => {
  const { plain, send, clock } = share();
  for (const range of PRICE_RANGES) {
    const query = new URLSearchParams({
      market: plain.tokenIds[0],
      ...historyQuery(range, clock.ms),
    });
    const { status, text } = await send('GET', `/prices-history?${query}`);
    t.equal(status, 200, `${range}: ${text}`);
  }
  t.strictSame(historyQuery('1h', 3_600_999), { startTs: '0', fidelity: '1' });
});

t.test('depth adds up from the best price outwards', async (t) => {
  const bids = [
    { priceTicks: 4000, lots: 1000 },
    { priceTicks: 3900, lots: 250 },
  ];
  const asks = [
    { priceTicks: 4200, lots: 50 },
    { priceTicks: 5000, lots: 100 },
  ];
  t.strictSame(depthColumns(bids, asks), [
    [0.39, 0.4, 0.42, 0.5],
    [12.5, 10, null, null],
    [null, null, 0.5, 1.5],
  ]);
  t.strictSame(depthColumns([], []), [[], [], []]);
  const many = Array.from({ length: 9_000 }, (_, place) => ({
    priceTicks: 9_000 - place,
    lots: 100,
  }));
  const [prices, sums] = depthColumns(many, []);
  t.ok(prices.length <= CHART_BOUNDS.levels, `${prices.length} levels`);
  t.equal(prices[0], 0.0001, 'the worst level is drawn');
  t.equal(sums[0], 9_000);
  t.equal(prices.at(-1), 0.9);
  t.equal(sums.at(-1), 1, 'and the best');
  for (const [place, price] of prices.entries()) {
    assert.equal(sums[place], Math.round(9_001 - price * 10_000), 'exact where it is drawn');
  }
});

t.test('a sparkline stays within its size', async (t) => {
  const size = { width: 100, height: 20 };
  t.equal(
    sparkline(
      [
        { t: 0, p: 0.2 },
        { t: 50, p: 0.4 },
        { t: 100, p: 0.3 },
      ],
      size,
    ),
    'M1 19L50 1L99 10',
  );
  t.equal(sparkline([], size), '');
  t.equal(sparkline([{ t: 0, p: 0.2 }], size), '');
  t.equal(
    sparkline(
      [
        { t: 0, p: 0.2 },
        { t: 9, p: 0.2 },
      ],
      size,
    ),
    'M1 10L99 10',
    'a price that did not move is in the middle',
  );
  const long = Array.from({ length: 5_000 }, (_, place) => ({ t: place, p: (place % 7) / 7 }));
  const points = sparkline(long, size).slice(1).split('L');
  t.ok(points.length <= CHART_BOUNDS.sparkline, `${points.length} points`);
  for (const point of points) {
    const [x = -1, y = -1] = point.split(' ').map(Number);
    if (x < 1 || x > 99 || y < 1 || y > 19) t.fail(point);
  }
});

t.test('uPlot is loaded, with the steps that the depth of a book needs', async (t) => {
  const plot = await loadPlot();
  t.type(plot.paths.stepped, 'function');
  t.equal(await loadPlot(), plot);
});
