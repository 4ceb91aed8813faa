import SqliteDatabase, { type Database } from 'better-sqlite3';
import t from 'tap';
import type { TradeRecord } from '../../../../persistence/index.ts';
import { Projection } from '../../../../persistence/projection/projection.ts';
import { prepareProjection } from '../../../../persistence/projection/schema.ts';
import { RecordReads } from '../../../../persistence/reads/records/record-reads.ts';
import { ReadTables } from '../../../../persistence/reads/tables/read-tables.ts';
import { type TradeFilter, tradeWalks } from '../../../../persistence/reads/tables/trade-walks.ts';
import { BUILDERS, enrich } from '../../enriched-stream.ts';
import { ProjectionOracle } from '../../projection/oracle.ts';
import { randomStream, smallBounds } from '../../store-fixture.ts';

const { durable: plain, holdersOf } = randomStream(9, 3_000, smallBounds(9));
const durable = enrich(plain);
const oracle = new ProjectionOracle(durable, holdersOf);

function opened(image?: Buffer): Database {
  const database = new SqliteDatabase(image ?? ':memory:');
  t.teardown(() => database.close());
  if (image === undefined) prepareProjection(database);
  return database;
}

const projected = opened();
new Projection(projected, holdersOf).take(durable.map((command) => ({ ...command, checksum: 0 })));
const image = projected.serialize();

/** Reads of the stream's tables. A search may read at most `searchedRows` rows. */
function readerOf(searchedRows: number) {
  return new RecordReads(new ReadTables(opened(image), searchedRows));
}

const TOO_WIDE = { name: 'StoreError', code: 'search_too_wide' };
const FIRST = { offset: 0, limit: 1_000 };

interface Party {
  readonly account: string;
  readonly owner: string;
  readonly builder: string;
}

function partiesOf({ takerAccount, takerOwner, takerBuilder, makers }: TradeRecord): Party[] {
  return [{ account: takerAccount, owner: takerOwner, builder: takerBuilder }, ...makers];
}

const [some] = oracle.search({ builder: BUILDERS[0] ?? '' });
const built = partiesOf(some as TradeRecord).find(({ builder }) => builder === BUILDERS[0]);
const { account = '', owner = '', builder = '' } = built ?? {};

/** Filters by party, and the parties whose rows the search must read. */
const PARTIES: readonly [filter: object, isWalked: (party: Party) => boolean][] = [
  [{ owner }, (party) => party.owner === owner],
  [{ eitherAccount: account }, (party) => party.account === account],
  [{ takerAccount: account }, (party) => party.account === account],
  [{ makerAccount: account }, (party) => party.account === account],
  [{ builtAccount: account }, (party) => party.account === account && party.builder !== ''],
  [{ builder }, (party) => party.builder === builder],
  [{ owner, eitherAccount: account }, (party) => party.account === account],
];

t.test('a search reads the rows of its party, only in its market if one is given', (t) => {
  let narrowed = 0;
  for (const [filter, isWalked] of PARTIES) {
    const rowsOf = (trades: readonly TradeRecord[]): number =>
      trades.flatMap((trade) => partiesOf(trade).filter(isWalked)).length;
    const all = rowsOf(oracle.trades);
    for (const { conditionId } of [{ conditionId: undefined }, ...oracle.markets]) {
      const market = conditionId === undefined ? {} : { conditionId };
      const rows = rowsOf(oracle.search(market));
      const query = { ...filter, ...market, ...FIRST };
      const found = oracle.search({ ...filter, ...market });
      t.same(readerOf(Math.max(rows, 1)).trades(query).records, found, `in ${rows} rows`);
      if (rows > 1) t.throws(() => readerOf(rows - 1).trades(query), TOO_WIDE, 'one row fewer');
      narrowed += 2 * rows < all ? 1 : 0;
    }
  }
  t.ok(narrowed > 6, 'most markets have few of the rows');
  t.end();
});

t.test('looked-up rows and rows of earlier pages count towards the limit', (t) => {
  const tradesOf = (conditionId: string) => oracle.search({ conditionId }).length;
  const traded = oracle.markets.find((market) => tradesOf(market.conditionId) > 10);
  const { conditionId = '', tokenIds: [yes] = [''] } = traded ?? {};
  const inMarket = tradesOf(conditionId);
  const all = oracle.trades.length;
  t.same(readerOf(all).trades(FIRST).records, oracle.search({}));
  t.throws(() => readerOf(all - 1).trades(FIRST), TOO_WIDE);
  t.equal(readerOf(inMarket).trades({ conditionId, ...FIRST }).records.length, inMarket);
  t.throws(
    () => readerOf(inMarket).trades({ tokenId: yes, ...FIRST }),
    TOO_WIDE,
    'parties are looked up too',
  );
  t.equal(
    readerOf(20).trades({ offset: 0, limit: 19 }).more,
    true,
    'one more row is read to see whether there are more trades',
  );
  t.throws(() => readerOf(20).trades({ offset: 1, limit: 19 }), TOO_WIDE);
  t.end();
});

t.test('after a refusal the same connection answers as before', (t) => {
  const reader = readerOf(20);
  t.throws(() => reader.trades(FIRST), TOO_WIDE);
  t.same(reader.trades({ offset: 0, limit: 10 }).records, oracle.search({}).slice(0, 10));
  t.throws(() => reader.trades(FIRST), TOO_WIDE);
  t.end();
});

/** Trades of accounts that never trade with each other. */
function strangers(rowsOf: Readonly<Record<number, number>>): Database {
  const database = opened();
  const insert = database.prepare(
    'WITH RECURSIVE numbers(number) AS ' +
      '(SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < @rows) ' +
      'INSERT INTO trade_parties SELECT @account * 1000000 + number, 0, number, @account, ' +
      "1, 0, 'BUY', 1, 1, NULL, 0, 0, 0 FROM numbers",
  );
  for (const [key, rows] of Object.entries(rowsOf)) insert.run({ account: Number(key), rows });
  return database;
}

t.test('of two parties the search walks the one with fewer trades', (t) => {
  const anyTrade: TradeFilter = {
    ownerKey: undefined,
    eitherKey: undefined,
    takerKey: undefined,
    makerKey: undefined,
    builtKey: undefined,
    builder: undefined,
    marketKey: undefined,
    outcome: undefined,
  };
  const tables = new ReadTables(strangers({ 1: 30_000, 2: 3, 3: 3_000 }));
  const before = Number.MAX_SAFE_INTEGER;
  const part = { offset: 0, limit: 10, isAscending: false, after: 0, before };
  // Each walk is tried with 1,000 rows, then with 4,000.
  const rows: [large: number, small: number, enough: number][] = [
    [1, 2, 1_003],
    [2, 1, 3],
    [1, 3, 9_000],
    [3, 1, 5_000],
  ];
  for (const [takerKey, ownerKey, enough] of rows) {
    const find = (mostRows: number) =>
      tables.search.page(
        tradeWalks({ ...anyTrade, takerKey, ownerKey }, [ownerKey]),
        part,
        mostRows,
      );
    t.same(find(enough), [], `${enough} rows for ${takerKey} and ${ownerKey}`);
    t.throws(() => find(enough - 1), TOO_WIDE);
  }
  t.end();
});
