/**
 * Finds trades by filter, newest first. Owned by the reader's thread. Invariant: every search walks
 * a range of one index in the order of the answer: no table is scanned and nothing is sorted (a
 * test reads the plans). A market or a token narrows the range whoever else is asked for; the other
 * filters are looked up row by row. One a connection, because it counts rows by a function of SQL.
 * Bound: STORE_BOUNDS.searchedRows rows a search.
 */
import type { Database, Statement } from 'better-sqlite3';
import { STORE_BOUNDS, StoreError } from '../shared/index.ts';
import type { TradesQuery } from './reader.ts';

/** Filters in the projection's own numbers; one that is not given is undefined. */
export interface TradeFilter {
  readonly ownerKey: number | undefined;
  readonly eitherKey: number | undefined;
  readonly takerKey: number | undefined;
  readonly makerKey: number | undefined;
  readonly builtKey: number | undefined;
  readonly builder: Buffer | undefined;
  readonly marketKey: number | undefined;
  readonly outcome: number | undefined;
  /** Trade keys between these two, both excluded. */
  readonly afterKey: number;
  readonly beforeKey: number;
}

type PartyName = 'ownerKey' | 'eitherKey' | 'takerKey' | 'makerKey' | 'builtKey' | 'builder';

interface PartyFilter {
  readonly name: PartyName;
  /** With `_market` after it, the one for a market. */
  readonly index: string;
  /** Of a row of trade_parties, which the placeholder # stands for. */
  readonly condition: string;
}

type Party = Omit<PartyFilter, 'name'>;

const PARTIES: readonly PartyFilter[] = [
  { name: 'eitherKey', index: 'parties_by_account', condition: '#.account_key = @eitherKey' },
  {
    name: 'takerKey',
    index: 'parties_by_account',
    condition: '#.account_key = @takerKey AND #.ordinal = 0',
  },
  {
    name: 'makerKey',
    index: 'parties_by_account',
    condition: '#.account_key = @makerKey AND #.ordinal > 0',
  },
  {
    name: 'builtKey',
    index: 'built_parties_by_account',
    condition: '#.account_key = @builtKey AND #.builder IS NOT NULL',
  },
  { name: 'builder', index: 'parties_by_builder', condition: '#.builder = @builder' },
  { name: 'ownerKey', index: 'parties_by_owner', condition: '#.owner_key = @ownerKey' },
];

/** An account and a builder that are both given are those of one and the same order. */
const BUILT_FOR = '#.account_key = @builtKey AND #.builder = @builder';

/**
 * The walks that each find all of it, one for every party that is given: SQL that returns trade
 * keys, newest first. Its parameters are the filter, @limit and @offset; it calls walk_row() for
 * each row that it looks at.
 */
export function tradeWalks(filter: TradeFilter): string[] {
  const given = PARTIES.filter(({ name }) => filter[name] !== undefined);
  const parties = given.map((party) => partyOf(party, filter));
  if (parties.length === 0) return [walkSql(marketWalk(filter), [], filter)];
  // Of a condition that two have the first one's index stays: an account has few rows a trade.
  const byCondition = new Map(parties.toReversed().map((party) => [party.condition, party]));
  return parties.map((walked) => {
    const checked = [...byCondition.values()].filter(
      ({ condition }) => condition !== walked.condition,
    );
    return walkSql(partyWalk(walked, filter), checked, filter);
  });
}

function walkSql(walk: string, checked: readonly Party[], { outcome }: TradeFilter): string {
  const checks = checked.map(({ index, condition }) =>
    somePartyHas(condition, `INDEXED BY ${index} `),
  );
  // Each participant shows the token of each, so that a mint is found by both of its tokens.
  if (outcome !== undefined) checks.push(somePartyHas('#.outcome = @outcome'));
  return (
    `${walk} AND walked.trade_key > @afterKey AND walked.trade_key < @beforeKey ` +
    `${checks.join(' ')} ORDER BY walked.trade_key DESC LIMIT @limit OFFSET @offset`
  );
}

function partyWalk({ index, condition }: Party, { marketKey }: TradeFilter): string {
  const isInMarket = marketKey !== undefined;
  return (
    'SELECT DISTINCT walked.trade_key FROM trade_parties AS walked ' +
    `INDEXED BY ${index}${isInMarket ? '_market' : ''} ` +
    `WHERE walk_row() AND ${condition.replaceAll('#', 'walked')}` +
    `${isInMarket ? ' AND walked.market_key = @marketKey' : ''}`
  );
}

function marketWalk({ marketKey }: TradeFilter): string {
  const select = 'SELECT walked.trade_key FROM trades AS walked';
  if (marketKey === undefined) return `${select} WHERE walk_row()`;
  const condition = 'walk_row() AND walked.market_key = @marketKey';
  return `${select} INDEXED BY trades_by_market WHERE ${condition}`;
}

function partyOf({ name, index, condition }: PartyFilter, filter: TradeFilter): Party {
  const isOfOrder = name === 'builtKey' || name === 'builder';
  const areBoth = filter.builtKey !== undefined && filter.builder !== undefined;
  return { index, condition: isOfOrder && areBoth ? BUILT_FOR : condition };
}

function somePartyHas(condition: string, indexed = ''): string {
  return (
    `AND EXISTS (SELECT 1 FROM trade_parties AS party ${indexed}WHERE walk_row() ` +
    `AND party.trade_key = walked.trade_key AND ${condition.replaceAll('#', 'party')})`
  );
}

/** Rows of the first try of each walk, where there are several; then this many times as many. */
const FIRST_TRY = 1_000;
const GROWTH = 4;

/** Thrown through SQLite, which has no other way to end a walk early. */
const WALK_ENDED = new Error('the walk has looked at the rows that it may');

export class TradeSearch {
  readonly #database: Database;
  readonly #mostRows: number;
  /** By SQL: a walk of a combination of filters that was asked for. */
  readonly #statements = new Map<string, Statement<unknown[], number>>();
  /** Rows of this search, and those after which its walk ends. */
  #rows = 0;
  #endRows = 0;

  constructor(database: Database, mostRows: number = STORE_BOUNDS.searchedRows) {
    this.#database = database;
    this.#mostRows = mostRows;
    database.function('walk_row', { directOnly: true }, () => this.#walkRow());
  }

  /**
   * Keys of the trades that pass. Of several walks it isn't known which is short, so each is tried
   * with few rows before any gets more. Throws StoreError `search_too_wide`.
   */
  keys(filter: TradeFilter, { offset, limit }: Pick<TradesQuery, 'offset' | 'limit'>): number[] {
    const walks = tradeWalks(filter);
    const parameters = { ...filter, offset, limit };
    this.#rows = 0;
    let tryRows = walks.length === 1 ? this.#mostRows : FIRST_TRY;
    while (this.#rows < this.#mostRows) {
      for (const sql of walks) {
        this.#endRows = Math.min(this.#rows + tryRows, this.#mostRows);
        const keys = this.#walk(sql, parameters);
        if (keys !== undefined) return keys;
      }
      tryRows *= GROWTH;
    }
    throw new StoreError(
      'search_too_wide',
      `more than ${this.#mostRows} rows would have to be looked at: narrow it by market or time`,
    );
  }

  /** undefined when it was ended. */
  #walk(sql: string, parameters: object): number[] | undefined {
    try {
      return this.#statement(sql).all(parameters);
    } catch (error) {
      if (error !== WALK_ENDED) throw error;
      return undefined;
    }
  }

  /** True as SQLite has it. */
  #walkRow(): number {
    if (this.#rows === this.#endRows) throw WALK_ENDED;
    this.#rows += 1;
    return 1;
  }

  #statement(sql: string): Statement<unknown[], number> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#database.prepare<unknown[], number>(sql).pluck();
    this.#statements.set(sql, made);
    return made;
  }
}
