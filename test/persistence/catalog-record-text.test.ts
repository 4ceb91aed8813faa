// What a market that is not traded here is told with, in the place that trading fills of others.

import Database from 'better-sqlite3';
import t from 'tap';
import { openCatalog } from '../../persistence/catalog.ts';
import { CatalogAnswers } from '../../persistence/catalog-answers.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { answerValue } from './answer-value.ts';
import { eventRecord, marketRecord } from './catalog-fixture.ts';

const prices = '["0.4", "0.6"]';
const told = { outcomePrices: prices, bestBid: 0.39, oneDayPriceChange: -0.1 };
const untold = { closed: false, acceptingOrders: false, outcomePrices: '["0.5", "0.5"]' };

for (const [name, says, expected] of [
  ['nothing', {}, { ...untold, orderPriceMinTickSize: 0.01, orderMinSize: 5 }],
  ['that it is closed', { closed: true }, { ...untold, closed: true }],
  [
    'its terms',
    { orderPriceMinTickSize: 0.001, orderMinSize: 15 },
    { ...untold, orderPriceMinTickSize: 0.001, orderMinSize: 15 },
  ],
  ['prices', told, { ...untold, ...told }],
] as const) {
  t.test(`a market that is not traded here, of which a source says ${name}`, async (t) => {
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
    const pricesTold = ['bestBid', 'oneDayPriceChange'].filter((field) => field in market);
    t.strictSame(pricesTold, name === 'prices' ? ['bestBid', 'oneDayPriceChange'] : []);
  });
}
