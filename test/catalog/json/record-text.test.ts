// Records as JSON: texts with any characters, and the slot of a market that is not traded here.

import Database from 'better-sqlite3';
import fc from 'fast-check';
import t from 'tap';
import { openCatalog } from '../../../catalog/catalog.ts';
import { eventBrief, marketMembers } from '../../../catalog/json/record-text.ts';
import { CatalogAnswers } from '../../../catalog/queries/answers.ts';
import { answerValue } from '../../persistence/answer-value.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { eventRecord, marketRecord } from '../fixture.ts';

const ROW: Parameters<typeof marketMembers>[0] = {
  ...{ id: 1, eventId: 2, conditionId: '0x1', questionId: '0x2', slug: 's', question: 'q' },
  ...{ description: 'd', resolutionSource: '', groupItemTitle: '', startDate: null },
  ...{ endDate: '2027-01-01T00:00:00Z', image: '', icon: '', active: 1, closed: 0, archived: 0 },
  ...{ enableOrderBook: 1, acceptingOrders: 1, createdAt: null, updatedAt: null, negRisk: 0 },
  closedTime: null,
  ...{ mirrorConditionId: '', mirrorTokens: '', creator: '', tickTicks: 100, minimumLots: 500 },
  ...{ endedAt: null, told: '{}', record: '{"x":1}', token0: '11', token1: '12', outcome0: 'Yes' },
  ...{ outcome1: 'No', volume: 0.1 + 0.2, volume24hr: 1e21, volume1wk: 2, volume1mo: 3 },
  ...{ volume1yr: 4, liquidity: 0, sourceFigures: '' },
};

// Characters that need an escape, and some that only seem to.
const characters = fc.constantFrom(
  ...[
    'a',
    '"',
    '\\',
    '/',
    '\n',
    '\u0000',
    '\u001f',
    '\u007f',
    '\u2028',
    'é',
    '東',
    '🎉',
    '\ud800',
    '\udfff',
  ],
);
const text = fc.string({ unit: characters });

t.test('texts are escaped as JSON.stringify escapes them', async () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const brief = eventBrief({ id: 7, ticker: one, slug: other, title: one + other });
      const whole = { id: '7', ticker: one, slug: other, title: one + other };
      if (brief !== JSON.stringify(whole)) throw new Error(brief);
      const members = marketMembers({ ...ROW, question: one, outcome0: one, outcome1: other });
      const outcomes = `[${JSON.stringify(one)}, ${JSON.stringify(other)}]`;
      for (const [name, value] of Object.entries({ question: one, outcomes })) {
        const member = `,"${name}":${JSON.stringify(value)},"`;
        if (!members.includes(member)) throw new Error(`${member} is not in ${members}`);
      }
    }),
    { numRuns: 1_000, seed: 4 },
  );
});

t.test('figures are written as numbers and as texts', async (t) => {
  t.match(JSON.parse(`${marketMembers(ROW)}}`), {
    ...{ volume: '0.30000000000000004', volumeNum: 0.30000000000000004, volume24hr: 1e21 },
    ...{ volumeClob: 0.30000000000000004, volume24hrClob: 1e21, volume1wk: 2, volume1yrClob: 4 },
    ...{ liquidity: '0', liquidityNum: 0, liquidityClob: 0, x: 1, clobTokenIds: '["11", "12"]' },
  });
});

const prices = '["0.4", "0.6"]';
const shown = { outcomePrices: prices, bestBid: 0.39, oneDayPriceChange: -0.1 };
const defaults = { closed: false, acceptingOrders: false, outcomePrices: '["0.5", "0.5"]' };

for (const [name, says, expected] of [
  ['nothing', {}, { ...defaults, orderPriceMinTickSize: 0.01, orderMinSize: 5 }],
  ['that it is closed', { closed: true }, { ...defaults, closed: true }],
  [
    'its terms',
    { orderPriceMinTickSize: 0.001, orderMinSize: 15 },
    { ...defaults, orderPriceMinTickSize: 0.001, orderMinSize: 15 },
  ],
  ['prices', shown, { ...defaults, ...shown }],
] as const) {
  t.test(`a market that does not trade here shows what its source says: ${name}`, async (t) => {
    const path = `${temporaryFolder(t)}/catalog.db`;
    const catalog = openCatalog(path);
    const asked = marketRecord(1, says);
    catalog.importEvents([eventRecord(1, { markets: [asked] })]);
    catalog.close();
    const database = new Database(path, { readonly: true });
    t.teardown(() => database.close());
    const answer = new CatalogAnswers(database).answer('market', { market: { id: 1 } });
    const market = answer && answerValue(answer);
    t.match(market, expected);
    const pricesShown = ['bestBid', 'oneDayPriceChange'].filter((field) => field in market);
    t.strictSame(pricesShown, name === 'prices' ? ['bestBid', 'oneDayPriceChange'] : []);
  });
}
