import Database from 'better-sqlite3';
import t from 'tap';
import { openCatalog } from '../../catalog/catalog.ts';
import { CatalogAnswers } from '../../catalog/queries/answers.ts';
import { answerValue } from '../persistence/answer-value.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { eventRecord, figuresOf, marketRecord } from './fixture.ts';

/** In the past an event added what its source said of other markets to what traded here. */
t.test('figures of an event add up only the markets that trade here', async (t) => {
  const path = `${temporaryFolder(t)}/catalog.db`;
  const catalog = openCatalog(path);
  const database = new Database(path, { readonly: true });
  t.teardown(() => {
    catalog.close();
    database.close();
  });
  const told = { volume: '5000.579746', volumeNum: 5000.58, volume24hr: 700, liquidity: '90' };
  const records = [
    eventRecord(1, {
      ...{ volume: 15_000, volume24hr: 2_100, liquidity: 270 },
      markets: [1, 2, 3].map((id) => marketRecord(id, told)),
    }),
  ];
  const stored = (table: string, id: number): unknown =>
    database
      .prepare(
        `SELECT volume, volume_24hr, liquidity FROM ${table} WHERE ${table.slice(0, -8)}_id = ?`,
      )
      .raw()
      .get(id);
  catalog.importEvents(records);
  t.strictSame(stored('event_figures', 1), [15_000, 2_100, 270], 'those of the source');
  catalog.putFigures([figuresOf(1, { volume: 7, volume24hr: 5, liquidity: 3 })]);
  t.strictSame(stored('market_figures', 1), [7, 5, 3]);
  t.strictSame(stored('market_figures', 2), [5_000.579746, 700, 90], 'still those of the source');
  t.strictSame(stored('event_figures', 1), [7, 5, 3]);
  catalog.putFigures([figuresOf(3, { volume: 1, liquidity: 0.5 })]);
  catalog.importEvents(records);
  t.strictSame(stored('event_figures', 1), [8, 5, 3.5], 'also after an import');
});

// In the past "5.00" became "5", and figures of a source that lists do not sort by stayed beside
// those of trading here.
t.test('a market shows the figures of its source as they were, until it trades here', async (t) => {
  const path = `${temporaryFolder(t)}/catalog.db`;
  const catalog = openCatalog(path);
  const database = new Database(path, { readonly: true });
  t.teardown(() => {
    catalog.close();
    database.close();
  });
  const texts = { volume: '5.00', liquidity: '0.10' };
  const source = {
    ...{ ...texts, volumeNum: 5, liquidityNum: 0.1, volume24hr: 2, volume1wk: 3, volume1mo: 4 },
    ...{ volume1yr: 5, volumeAmm: 1, volumeClob: 4, volume1wkClob: 2.5, liquidityClob: 0 },
  };
  const event = { volume: 5, volume1wk: 3, liquidity: 0.1, liquidityClob: 0.05 };
  catalog.importEvents([eventRecord(1, { ...event, markets: [marketRecord(1, source)] })]);
  const answers = new CatalogAnswers(database);
  const shown = () => {
    const answer = answers.answer('event', { event: { id: 1 } });
    return answer && answerValue(answer);
  };
  t.match(shown(), { ...event, markets: [source] });
  const derived = { volume24hrClob: 2, volume1moClob: 4, volume1yrClob: 5 };
  t.match(shown(), { markets: [derived] }, 'what the source left out is derived');
  const own = { volume: 7, volume24hr: 1, volume1wk: 2, volume1mo: 3, volume1yr: 4, liquidity: 6 };
  catalog.putFigures([figuresOf(1, own)]);
  const { markets, ...traded } = shown();
  t.match(traded, { ...own, liquidityClob: 6 });
  t.match(markets[0], {
    ...{ ...own, volume: '7', volumeNum: 7, volumeClob: 7, volume24hrClob: 1, volume1wkClob: 2 },
    ...{ volume1moClob: 3, volume1yrClob: 4, liquidity: '6', liquidityNum: 6, liquidityClob: 6 },
  });
  t.notOk('volumeAmm' in markets[0], 'nothing of the source is left');
});
