/** The tables of a random history, and their rows joined for the test. */
import { strict as assert } from 'node:assert';
import SqliteDatabase from 'better-sqlite3';
import { migrateCatalog } from '../../../../catalog/schema/index.ts';
import type { Side } from '../../../../engine/index.ts';
import { Projection } from '../../../../persistence/projection/projection.ts';
import { prepareProjection } from '../../../../persistence/projection/schema.ts';
import { AnalyticsReads } from '../../../../persistence/reads/analytics/analytics-reads.ts';
import { fillKeyOf } from '../../../../persistence/reads/tables/fill-walks.ts';
import { ReadTables } from '../../../../persistence/reads/tables/read-tables.ts';
import { checksumsReady } from '../../../../persistence/shared/index.ts';
import { type Scope, temporaryFolder } from '../../../temporary-folder.ts';
import { randomStream, smallBounds } from '../../store-fixture.ts';

// Reads run on this thread here, and spell addresses.
await checksumsReady;

interface FillRow {
  readonly key: number;
  readonly tradeKey: number;
  readonly ordinal: number;
  readonly seq: number;
  readonly timeMs: number;
  readonly accountKey: number;
  readonly account: string;
  readonly marketKey: number;
  readonly conditionId: string;
  readonly side: Side;
  readonly lots: number;
  readonly priceTicks: number;
}

interface OtherRow {
  readonly id: string;
  readonly type: string;
  readonly seq: number;
  readonly timeMs: number;
  readonly account: string;
  /** null for cash. */
  readonly conditionId: string | null;
  readonly lots: number;
  readonly micros: number;
}

const SELECT_FILLS = `
SELECT p.trade_key AS tradeKey, ordinal, t.seq, t.time_ms AS timeMs, p.account_key AS accountKey,
  a.address AS account, p.market_key AS marketKey, m.condition_id AS conditionId, side, p.lots,
  p.price_ticks AS priceTicks
FROM trade_parties p JOIN trades t ON t.trade_key = p.trade_key
JOIN accounts a ON a.account_key = p.account_key JOIN markets m ON m.market_key = p.market_key`;

const SELECT_OTHERS = `
SELECT 'a' || activity_key AS id, kind AS type, seq, time_ms AS timeMs, a.address AS account,
  m.condition_id AS conditionId, iif(m.market_key, lots, micros / 10000.0) AS lots, micros
FROM activities o JOIN accounts a ON a.account_key = o.account_key
LEFT JOIN markets m ON m.market_key = o.market_key`;

const MARKETS_AN_EVENT = 2;
/** Leaves about one fill in fifteen with 1,000 tokens or more. */
const LOTS_DIVISOR = 10_000;

/** The rows that `trade_peaks` should have. */
const PEAKS =
  'SELECT span, trade_key / span AS block, max(lots), max(lots * price_ticks) ' +
  'FROM trade_parties, (SELECT 16 AS span UNION SELECT 256) GROUP BY span, block';

export function randomFillTables(t: Scope) {
  const { durable, holdersOf } = randomStream(3, 6_000, smallBounds(3));
  const path = `${temporaryFolder(t)}/catalog.db`;
  const catalog = new SqliteDatabase(path);
  migrateCatalog(catalog);
  const database = new SqliteDatabase(':memory:');
  t.teardown(() => database.close());
  prepareProjection(database);
  new Projection(database, holdersOf).take(durable.map((one) => ({ ...one, checksum: 0 })));
  const [peaks, expected] = ['SELECT * FROM trade_peaks', PEAKS].map((sql) =>
    database.prepare(sql).raw().all(),
  );
  assert.deepEqual(peaks, expected, 'the largest fills of blocks');
  database.exec(`UPDATE trade_parties SET lots = lots / ${LOTS_DIVISOR} + 1`);
  database.exec(`DELETE FROM trade_peaks; INSERT INTO trade_peaks ${PEAKS}`);
  const fills = database.prepare<[], Omit<FillRow, 'key'>>(SELECT_FILLS).all();
  const rows = fills.map(
    (fill): FillRow => ({ ...fill, key: fillKeyOf(fill.tradeKey, fill.ordinal) }),
  );
  const others = database.prepare<[], OtherRow>(SELECT_OTHERS).all();
  const markets = database.prepare<[], string>('SELECT condition_id FROM markets').pluck().all();
  const events = new Map(
    markets.map((market, index) => [market, 1 + Math.floor(index / MARKETS_AN_EVENT)]),
  );
  for (const id of new Set(events.values())) {
    catalog.prepare(INSERT_EVENT).run({ id, slug: `event-${id}` });
  }
  markets.forEach((conditionId, index) => {
    const id = index + 1;
    const eventId = events.get(conditionId);
    catalog.prepare(INSERT_MARKET).run({ id, eventId, conditionId, slug: `market-${id}` });
  });
  catalog.close();
  database.prepare('ATTACH ? AS catalog').run(path);
  const accounts = [...new Set(rows.map(({ account }) => account))];
  const reads = new AnalyticsReads(new ReadTables(database));
  return { reads, rows, others, markets, accounts, events };
}

const INSERT_EVENT = `
INSERT INTO events (id, slug, ticker, title, description, resolution_source, image, icon, active,
  closed, archived, neg_risk, neg_risk_event_id, creator, record)
VALUES (@id, @slug, '', 'Event', '', '', '', '', 1, 0, 0, 0, '', '', '{}')`;

const INSERT_MARKET = `
INSERT INTO markets (id, event_id, condition_id, question_id, slug, question, description,
  resolution_source, group_item_title, image, icon, active, closed, archived, enable_order_book,
  accepting_orders, neg_risk, mirror_condition_id, creator, tick_ticks, minimum_lots, record)
VALUES (@id, @eventId, @conditionId, '', @slug, 'Question "quoted"', '', '', '', '', '', 1, 0, 0, 1,
  1, 0, '', '', 100, 1, '{}')`;
