/** Which markets depend on one hidden variable. */
import t from 'tap';
import type { MarketEntry } from '../../../http/views/registry.ts';
import { rungOf } from '../../../sandbox/crowd/ladders.ts';
import { openedSimulation, placesOf } from './simulation.ts';

function rung(question: string, groupItemTitle: string, endDate: string | null = null) {
  // Safe: a place depends on these fields alone.
  const entry = { conditionId: question, eventId: '7', negRisk: false } as MarketEntry;
  return rungOf(entry, { question, groupItemTitle, endDate }, 0);
}

/** Pairs of markets of an event: the likelier rung first, or '' for none. */
const PAIRS: readonly (readonly [
  first: Parameters<typeof rung>,
  second: Parameters<typeof rung>,
  likelier: string,
])[] = [
  [['Gold above $3,000?', '$3,000'], ['Gold above $4,000?', '$4,000'], '$3,000'],
  [['Gold above $900k?', '$900k'], ['Gold above $1.2m?', '$1.2m'], '$900k'],
  [['Rate below 3%?', '3%'], ['Rate below 2%?', '2%'], '3%'],
  [['Will it be less than -5 degrees?', '-5'], ['Will it be less than -2 degrees?', '-2'], '-2'],
  [
    ['Ceasefire by March 31?', 'March 31', '2027-03-31T00:00:00Z'],
    ['Ceasefire by June 30?', 'June 30', '2027-06-30T00:00:00Z'],
    'June 30',
  ],
  [
    ['On Mars before 2030?', '2030', '2030-01-01T00:00:00Z'],
    ['On Mars before 2040?', '2040', '2040-01-01T00:00:00Z'],
    '2040',
  ],
  [['Will Ann win?', 'Ann'], ['Will Bob win?', 'Bob'], ''],
  [['Goals over or under 2.5?', '2.5'], ['Goals over or under 3.5?', '3.5'], ''],
  [['Exactly 3 goals?', '3'], ['Exactly 4 goals?', '4'], ''],
  [['Above 3 goals?', '3'], ['Above 3 cards?', '3'], ''],
];

t.test('rungs are found by their words, the likeliest first', async (t) => {
  for (const [one, other, likelier] of PAIRS) {
    const [first, second] = [rung(...one), rung(...other)];
    t.equal(first.group === second.group, likelier !== '', one[0]);
    if (likelier === '') continue;
    t.equal(first.rank < second.rank ? one[1] : other[1], likelier, one[0]);
  }
});

t.test('the built-in catalog has five ladders and four neg-risk events', async (t) => {
  const { crowd } = await openedSimulation(1, []);
  const groups = Map.groupBy(crowd.markets, ({ entry }) => placesOf(entry).group);
  const sizes = [...groups]
    .filter(([, { length }]) => length > 1)
    .map(([name, { length }]) => [name.split(' ').slice(0, 2).join(' '), length]);
  t.strictSame(sizes, [
    ['event 11', 5],
    ['ladder 12', 2],
    ['event 14', 4],
    ['ladder 15', 3],
    ['event 17', 4],
    ['event 21', 8],
    ['ladder 33', 4],
    ['ladder 34', 3],
    ['ladder 44', 2],
  ]);
});
