import t from 'tap';
import { ApiError } from '../../../http/errors/errors.ts';
import {
  type HistoryTerms,
  historyWindow,
  pointsText,
  refuseTooMany,
} from '../../../http/format/price-history.ts';

const NOW_MS = 1_780_449_126_930;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function seconds(timeMs: number): string {
  return `${timeMs / 1_000}`;
}
const START_MS = NOW_MS - 930 - 3 * DAY;

/** How far back the window starts, and how long its steps are in minutes. */
const windows: readonly (readonly [HistoryTerms, number, number])[] = [
  [{ interval: '1m' }, MINUTE, 1],
  [{ interval: '5m' }, 5 * MINUTE, 1],
  [{ interval: '15m' }, 15 * MINUTE, 1],
  [{ interval: '1h' }, HOUR, 1],
  [{ interval: '6h' }, 6 * HOUR, 1],
  [{ interval: '1d' }, DAY, 5],
  [{ interval: '1w' }, 7 * DAY, 30],
  [{ interval: 'max' }, NOW_MS, 720],
  [{ interval: 'all' }, NOW_MS, 720],
  [{}, NOW_MS, 720],
  [{ interval: '1w', fidelity: 1 }, 7 * DAY, 1],
  [{ interval: '1w', fidelity: 2 }, 7 * DAY, 2],
  [{ interval: '1w', fidelity: 5 }, 7 * DAY, 5],
  [{ interval: '1w', fidelity: 6 }, 7 * DAY, 6],
  [{ interval: '1w', fidelity: 60 }, 7 * DAY, 60],
  [{ interval: '1w', fidelity: 181 }, 7 * DAY, 181],
  [{ interval: '1w', fidelity: 721 }, 7 * DAY, 721],
  [{ interval: '1w', fidelity: 1_440 }, 7 * DAY, 1_440],
  [{ interval: '1w', fidelity: 10_080 }, 7 * DAY, 10_080],
  [{ startTs: seconds(START_MS) }, NOW_MS - START_MS, 30],
  [{ startTs: `${START_MS}` }, NOW_MS - START_MS, 30],
  [{ startTs: seconds(START_MS), interval: '1h' }, NOW_MS - START_MS, 30],
  [{ startTs: '0', fidelity: 30 }, NOW_MS, 30],
  [{ startTs: '', endTs: '', interval: '1h' }, HOUR, 1],
];

t.test('a window starts at its time, or as far back as its interval', async (t) => {
  for (const [terms, backMs, stepMinutes] of windows) {
    const expected = { startMs: NOW_MS - backMs, endMs: NOW_MS, stepMs: stepMinutes * MINUTE };
    t.same(historyWindow(terms, NOW_MS, 'kuest'), expected, JSON.stringify(terms));
  }
});

const ended: readonly (readonly [HistoryTerms, number, number])[] = [
  [{ startTs: '1000000', endTs: '1003600' }, 1_000_000_000, 1_003_600_000],
  [{ endTs: '1003600', interval: '1h' }, 1_000_000_000, 1_003_600_000],
  [{ endTs: '1000000' }, 0, 1_000_000_000],
  [{ startTs: '1000000', endTs: '1000000' }, 1_000_000_000, 1_000_000_000],
  [{ endTs: '60', interval: '1h' }, 0, 60_000],
  [{ startTs: '1000000', endTs: '9999999999' }, 1_000_000_000, NOW_MS],
];
t.test('a window ends at its time, but never after now', async (t) => {
  for (const [terms, startMs, endMs] of ended) {
    const window = historyWindow(terms, NOW_MS, 'kuest');
    t.match(window, { startMs, endMs }, JSON.stringify(terms));
  }
});

t.test('in the dialect polymarket, 1m is a month', async (t) => {
  t.same(historyWindow({ interval: '1m' }, NOW_MS, 'polymarket'), {
    startMs: NOW_MS - 31 * DAY,
    endMs: NOW_MS,
    stepMs: 180 * MINUTE,
  });
  t.match(historyWindow({ interval: '1h' }, NOW_MS, 'polymarket'), { startMs: NOW_MS - HOUR });
});

const refused: readonly (readonly [HistoryTerms, object])[] = [
  [
    { startTs: '20', endTs: '10' },
    { field: 'startTs', limit: 'not after endTs', actual: '20' },
  ],
  [{ startTs: '9999999999' }, { field: 'startTs', limit: 'not after now', actual: '9999999999' }],
  [{ startTs: 'then' }, { field: 'startTs', actual: 'then' }],
  [{ endTs: '1.5' }, { field: 'endTs', actual: '1.5' }],
];
t.test('a malformed window is refused with its field', async (t) => {
  for (const [terms, details] of refused) {
    try {
      t.fail(JSON.stringify(historyWindow(terms, NOW_MS, 'kuest')));
    } catch (error) {
      t.ok(error instanceof ApiError && error.code === 'invalid_parameter');
      t.match(error, { details });
    }
  }
});

t.test('points are in seconds and prices', async (t) => {
  const halfTicks = Uint16Array.of(1, 10_100, 10_000, 19_999);
  const history = { startMs: 1_800_000, stepMs: 300_000, halfTicks, stepCount: 4 };
  t.same(JSON.parse(pointsText(history)), [
    { t: 1_800, p: 0.00005 },
    { t: 2_100, p: 0.505 },
    { t: 2_400, p: 0.5 },
    { t: 2_700, p: 0.99995 },
  ]);
  t.equal(pointsText({ ...history, halfTicks: new Uint16Array() }), '[]');
});

t.test('more points than a reply may hold are refused', async (t) => {
  refuseTooMany(20_000);
  t.throws(() => refuseTooMany(20_001), {
    code: 'too_many_items',
    details: { field: 'fidelity', limit: 20_000, actual: 20_001 },
  });
});
