// Tables of analytics.db and catalog.db that a test fills with its own rows, so that answers can be
// compared with plain arithmetic over the same rows.
import { join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { migrateCatalog } from '../../../../catalog/schema/index.ts';
import { prepareProjection } from '../../../../persistence/projection/schema.ts';
import { AnalyticsReads } from '../../../../persistence/reads/analytics/analytics-reads.ts';
import { openReadTables } from '../../../../persistence/reads/tables/read-tables.ts';
import { checksumsReady, wideText } from '../../../../persistence/shared/index.ts';
import { type Scope, temporaryFolder } from '../../../temporary-folder.ts';

// Reads run on this thread here, and spell addresses.
await checksumsReady;

export type Row = Readonly<Record<string, string | number | bigint | null>>;

export interface MadeTables {
  readonly analytics: Database;
  readonly catalog: Database;
  readonly reads: AnalyticsReads;
}

export function addressOf(account: number): string {
  return `0x${account.toString(16).padStart(40, '0')}`;
}
export function tokenOf(market: number, outcome: number): string {
  return `${market}${outcome + 1}`;
}
export function conditionOf(market: number): string {
  return `0x${market.toString(16).padStart(64, '0')}`;
}

/** Empty tables with a connection that writes each, and one that reads both. */
export function makeTables(scope: Scope): MadeTables {
  const folder = temporaryFolder(scope);
  const paths = [join(folder, 'analytics.db'), join(folder, 'catalog.db')] as const;
  const [analytics, catalog] = paths.map((path) => {
    const database = new SqliteDatabase(path);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = OFF');
    return database;
  }) as [Database, Database]; // as many as there are paths
  prepareProjection(analytics);
  migrateCatalog(catalog);
  const reading = openReadTables(paths[0]);
  reading.database.prepare('ATTACH ? AS catalog').run(paths[1]);
  scope.teardown(() => {
    for (const database of [reading.database, analytics, catalog]) database.close();
  });
  return { analytics, catalog, reads: new AnalyticsReads(reading) };
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: unknown;
}

/**
 * Inserts a row. Required columns that are not given get 0, '' or a sum of 0. A number given for
 * a text is a sum.
 */
export function insert(database: Database, table: string, given: Row): void {
  const columns = database.prepare<[], Column>(`PRAGMA table_info(${table})`).all();
  const row: Record<string, string | number | bigint | null> = {};
  for (const { name, type, notnull, dflt_value } of columns) {
    const isText = type === 'TEXT';
    const value = given[name];
    if (isText && (typeof value === 'number' || typeof value === 'bigint')) {
      row[name] = wideText(value);
    } else if (value !== undefined) row[name] = value;
    else if (notnull === 1 && dflt_value === null) row[name] = valueOfNone(name, isText);
  }
  const names = Object.keys(row);
  const values = names.map((name) => `@${name}`);
  const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`;
  database.prepare(sql).run(row);
}

function valueOfNone(name: string, isText: boolean): string | number {
  if (!isText) return 0;
  return /_(micros|lots)$/.test(name) ? wideText(0) : '';
}

/** An account that is its own owner. */
export function insertAccount({ analytics }: MadeTables, account: number): void {
  const address = addressOf(account);
  insert(analytics, 'owners', { owner_key: account, address });
  insert(analytics, 'accounts', { account_key: account, address, owner_key: account });
}

export interface MadeMarket {
  readonly market: number;
  readonly title: string;
  readonly endDate: string | null;
  /** Columns of `market_states`. */
  readonly state?: Row;
}

/** A market that trades, in its own event with the same number. */
export function insertMarket(tables: MadeTables, { market, title, endDate, state }: MadeMarket) {
  const { analytics, catalog } = tables;
  const [yes_token, no_token] = [tokenOf(market, 0), tokenOf(market, 1)];
  const condition_id = conditionOf(market);
  insert(analytics, 'markets', { market_key: market, condition_id, yes_token, no_token });
  insert(analytics, 'market_states', { market_key: market, event_size: 1, ...state });
  const slug = `slug-${market}`;
  insert(catalog, 'events', { id: market, slug: `event-${market}`, record: '{}' });
  insert(catalog, 'markets', {
    id: market,
    event_id: market,
    condition_id,
    slug,
    question: title,
    end_date: endDate,
    record: '{}',
  });
  for (const [index, token] of [yes_token, no_token].entries()) {
    const outcome = index === 0 ? 'Yes' : 'No';
    const words = { token_id: token, market_id: market, outcome_index: index, outcome };
    insert(catalog, 'market_tokens', words);
  }
}

export interface MadePosition {
  readonly account: number;
  readonly market: number;
  readonly outcome: number;
  readonly lots: number;
  readonly cost: number;
  readonly bought: number;
  readonly paid: number;
  readonly realized: number;
  readonly changedMs: number;
  readonly closedMs: number;
}

export function insertPosition({ analytics }: MadeTables, position: MadePosition): void {
  insert(analytics, 'positions', {
    account_key: position.account,
    market_key: position.market,
    outcome: position.outcome,
    lots: position.lots,
    cost_micros: position.cost,
    bought_lots: position.bought,
    paid_micros: position.paid,
    realized_micros: position.realized,
    changed_ms: position.changedMs,
    closed_ms: position.closedMs,
  });
}

/** Answers in one read transaction, as the thread does. */
export function asking<Question>(
  reads: AnalyticsReads,
  answer: (reads: AnalyticsReads, question: Question) => string | { readonly text: string },
) {
  return (question: Question): unknown => {
    reads.begin();
    const found = reads.tables.database.transaction(() => answer(reads, question))();
    return JSON.parse(typeof found === 'string' ? found : found.text);
  };
}

/** The query plan of a statement. */
export function planOf({ tables }: AnalyticsReads, sql: string, values: object): string {
  return tables.database
    .prepare<[object], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(values)
    .map(({ detail }) => detail)
    .join('\n');
}
