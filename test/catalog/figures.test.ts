import Database from 'better-sqlite3';
import t from 'tap';
import { openCatalog } from '../../catalog/catalog.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { eventRecord, hex, marketRecord } from './fixture.ts';

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
  const figuresOf = (table: string, id: number): unknown =>
    database
      .prepare(
        `SELECT volume, volume_24hr, liquidity FROM ${table} WHERE ${table.slice(0, -8)}_id = ?`,
      )
      .raw()
      .get(id);
  catalog.importEvents(records);
  t.strictSame(figuresOf('event_figures', 1), [15_000, 2_100, 270], 'those of the source');
  catalog.putFigures([{ conditionId: hex(1), volume: 7, volume24hr: 5, liquidity: 3 }]);
  t.strictSame(figuresOf('market_figures', 1), [7, 5, 3]);
  t.strictSame(
    figuresOf('market_figures', 2),
    [5_000.579746, 700, 90],
    'still those of the source',
  );
  t.strictSame(figuresOf('event_figures', 1), [7, 5, 3]);
  catalog.putFigures([{ conditionId: hex(3), volume: 1, volume24hr: 0, liquidity: 0.5 }]);
  catalog.importEvents(records);
  t.strictSame(figuresOf('event_figures', 1), [8, 5, 3.5], 'also after an import');
});
