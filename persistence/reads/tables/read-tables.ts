/**
 * One read-only connection to analytics.db. Names (addresses, order ids, condition ids) stand in
 * its tables as keys; `key` looks them up.
 */
import { strict as assert } from 'node:assert';
import type { Database, Statement } from 'better-sqlite3';
import type { EngineNames } from '../../../engine/index.ts';
import { openPlanStableDatabase, STORE_PACE, StatementCache } from '../../shared/index.ts';
import { IndexSearch } from './index-search.ts';

/** The keys of names, and of times in milliseconds, by index; a test checks the query plans. */
export const KEY_SQL = {
  order: 'SELECT order_key FROM orders WHERE order_key = ?',
  trade: 'SELECT trade_key FROM trades WHERE trade_id = ?',
  owner: 'SELECT owner_key FROM owners WHERE address = ?',
  account: 'SELECT account_key FROM accounts WHERE address = ?',
  ownerOfAccount: 'SELECT owner_key FROM accounts WHERE address = ?',
  market: 'SELECT market_key FROM markets WHERE condition_id = ?',
  marketOfYes: 'SELECT market_key FROM markets WHERE yes_token = ?',
  marketOfNo: 'SELECT market_key FROM markets WHERE no_token = ?',
  lastTradeUntil:
    'SELECT trade_key FROM trades WHERE time_ms <= ? ORDER BY time_ms DESC, trade_key DESC LIMIT 1',
  firstTradeFrom:
    'SELECT trade_key FROM trades WHERE time_ms >= ? ORDER BY time_ms, trade_key LIMIT 1',
} as const;

/** The names of the engine's numbers, by key. */
const NAME_SQL = {
  account: 'SELECT address FROM accounts WHERE account_key = ?',
  owner: 'SELECT address FROM owners WHERE owner_key = ?',
  yes: 'SELECT yes_token FROM markets WHERE market_key = ?',
  no: 'SELECT no_token FROM markets WHERE market_key = ?',
} as const;

const ACCOUNTS_SQL = 'SELECT account_key FROM accounts WHERE owner_key = ? ORDER BY account_key';

export type KeyName = keyof typeof KEY_SQL;

interface Token {
  readonly marketKey: number;
  readonly outcome: number;
}

export class ReadTables {
  readonly database: Database;
  readonly search: IndexSearch;
  readonly #statements: StatementCache;

  /** Tests pass a smaller `searchedRows` than the usual bound. */
  constructor(database: Database, searchedRows?: number) {
    this.database = database;
    this.#statements = new StatementCache(database);
    this.search = new IndexSearch(database, this.#statements, searchedRows);
  }

  /** Values are parameters, never parts of the SQL, so there are few different statements. */
  statement<Parameters extends unknown[], Row>(sql: string): Statement<Parameters, Row> {
    return this.#statements.prepare(sql);
  }

  /** The first column of each row. */
  column<Value>(sql: string, values: Readonly<Record<string, unknown>>): Value[] {
    return this.#statements.column(sql, values);
  }

  /** undefined for an unknown name. */
  key(what: KeyName, name: string | number | Buffer): number | undefined {
    return this.#statements.column<number>(KEY_SQL[what], [name])[0];
  }

  /**
   * What the engine's numbers stand for, up to the cursor of the tables: keys count from 1 in the
   * same order.
   */
  readonly names: EngineNames = {
    account: (index) => this.#name(NAME_SQL.account, index),
    owner: (index) => this.#name(NAME_SQL.owner, index),
    token: (index) => this.#name(index % 2 === 0 ? NAME_SQL.yes : NAME_SQL.no, index >> 1),
  };

  #name(sql: string, index: number): string {
    const [name] = this.#statements.column<string>(sql, [index + 1]);
    assert(name !== undefined, 'the tables have the names of what they were made from');
    return name;
  }

  accountsOf(ownerKey: number): number[] {
    return this.#statements.column(ACCOUNTS_SQL, [ownerKey]);
  }

  /** undefined for an unknown token. */
  token(tokenId: string): Token | undefined {
    const yes = this.key('marketOfYes', tokenId);
    if (yes !== undefined) return { marketKey: yes, outcome: 0 };
    const no = this.key('marketOfNo', tokenId);
    return no === undefined ? undefined : { marketKey: no, outcome: 1 };
  }
}

/** The caller closes `database`. */
export function openReadTables(path: string): ReadTables {
  const database = openPlanStableDatabase({ path, readonly: true });
  database.pragma(`cache_size = -${STORE_PACE.projectionCacheKib}`);
  return new ReadTables(database);
}
