/**
 * The questions that the reader answers, over the tables of analytics.db. Owned by the reader's
 * thread; each call must run inside one read transaction. A name that nothing is known of is a
 * filter that nothing passes. Bound: STORE_BOUNDS.pageRows records a page.
 */
import { strict as assert } from 'node:assert';
import type { Database, Statement } from 'better-sqlite3';
import { type OrderKeyOf, ownOrderKeys } from '../journal/index.ts';
import type { NotificationRecord, OrderRecord, TradeRecord } from '../shared/index.ts';
import { STORE_BOUNDS } from '../shared/index.ts';
import { NotificationReader } from './notifications.ts';
import type { LiveOrdersQuery, NotificationsQuery, Page, TradesQuery } from './reader.ts';
import { RecordReader } from './records.ts';
import { type TradeFilter, TradeSearch } from './trade-search.ts';

/** Finds the projection's number of a name; a test reads the plans. */
export const KEY_SQL = {
  order: 'SELECT order_key FROM orders WHERE order_key = ?',
  trade: 'SELECT trade_key FROM trades WHERE trade_id = ?',
  owner: 'SELECT owner_key FROM owners WHERE address = ?',
  account: 'SELECT account_key FROM accounts WHERE address = ?',
  accountOwner: 'SELECT owner_key FROM accounts WHERE address = ?',
  market: 'SELECT market_key FROM markets WHERE condition_id = ?',
  marketOfYes: 'SELECT market_key FROM markets WHERE yes_token = ?',
  marketOfNo: 'SELECT market_key FROM markets WHERE no_token = ?',
  lastUntil:
    'SELECT trade_key FROM trades WHERE time_ms <= ? ORDER BY time_ms DESC, trade_key DESC LIMIT 1',
  firstFrom: 'SELECT trade_key FROM trades WHERE time_ms >= ? ORDER BY time_ms, trade_key LIMIT 1',
} as const;

/** Filters in the projection's own numbers; a filter that is not given is undefined. */
export interface LiveOrdersFilter {
  readonly ownerKey: number;
  readonly marketKey: number | undefined;
  readonly outcome: number | undefined;
}

/** SQL that returns order keys, oldest first; its parameters are the filter, @limit and @offset. */
export function liveOrdersSql(filter: LiveOrdersFilter): string {
  const isInMarket = filter.marketKey !== undefined;
  const index = isInMarket ? 'open_orders_by_owner_market' : 'open_orders_by_owner';
  return (
    `SELECT order_key FROM orders INDEXED BY ${index} ` +
    "WHERE close_reason = '' AND owner_key = @ownerKey" +
    `${isInMarket ? ' AND market_key = @marketKey' : ''}` +
    `${filter.outcome === undefined ? '' : ' AND outcome = @outcome'}` +
    ' ORDER BY order_key LIMIT @limit OFFSET @offset'
  );
}

type KeyName = keyof typeof KEY_SQL;
type Paging = Pick<TradesQuery, 'offset' | 'limit'>;

interface MarketPart {
  readonly marketKey: number | undefined;
  readonly outcome: number | undefined;
}

export interface ReaderQueriesOptions {
  readonly orderKeyOf?: OrderKeyOf;
  /** Others than the usual bound are for tests. */
  readonly searchedRows?: number;
}

export class ReaderQueries {
  readonly #database: Database;
  readonly #orderKeyOf: OrderKeyOf;
  readonly #records: RecordReader;
  readonly #notifications: NotificationReader;
  readonly #search: TradeSearch;
  /** By SQL: one a key, and one a combination of filters of live orders. */
  readonly #statements = new Map<string, Statement<unknown[], number>>();

  constructor(database: Database, options: ReaderQueriesOptions = {}) {
    const { orderKeyOf = ownOrderKeys(database), searchedRows } = options;
    this.#database = database;
    this.#orderKeyOf = orderKeyOf;
    this.#records = new RecordReader(database);
    this.#notifications = new NotificationReader(database, this.#records);
    this.#search = new TradeSearch(database, searchedRows);
  }

  order(orderId: string): OrderRecord | undefined {
    const orderKey = this.#orderKey(orderId);
    return orderKey === undefined ? undefined : this.#records.order(orderKey);
  }

  orders(orderIds: readonly string[]): (OrderRecord | undefined)[] {
    assert(orderIds.length <= STORE_BOUNDS.listedIds, 'routes bound their lists');
    return orderIds.map((orderId) => {
      const orderKey = this.#orderKey(orderId);
      return orderKey === undefined ? undefined : this.#records.orderAlone(orderKey);
    });
  }

  liveOrders(query: LiveOrdersQuery): Page<OrderRecord> {
    if (query.orderId !== undefined) return this.#liveOrder(query.orderId, query);
    const ownerKey = this.#key('owner', query.owner);
    const part = this.#marketPart(query);
    if (ownerKey === undefined || part === undefined) return nothing();
    const filter = { ownerKey, ...part };
    const statement = this.#statement(liveOrdersSql(filter));
    return pageOf(query, {
      keys: (paging) => statement.all({ ...filter, ...paging }),
      read: (key) => this.#records.order(key),
    });
  }

  /** Throws StoreError `search_too_wide`. */
  trades(query: TradesQuery): Page<TradeRecord> {
    if (query.tradeId !== undefined) return this.#trade(query.tradeId, query);
    const filter = this.#tradeFilter(query);
    if (filter === undefined) return nothing();
    return this.#tradePage(filter, query);
  }

  notifications({ owner, limit }: NotificationsQuery): NotificationRecord[] {
    assert(isPageLimit(limit), 'routes bound their pages');
    const ownerKey = this.#key('owner', owner);
    return ownerKey === undefined ? [] : this.#notifications.newest(ownerKey, limit);
  }

  #tradePage(filter: TradeFilter, query: TradesQuery): Page<TradeRecord> {
    return pageOf(query, {
      keys: (paging) => this.#search.keys(filter, paging),
      read: (key) => this.#records.trade(key, query.takersOnly),
    });
  }

  #liveOrder(orderId: string, query: LiveOrdersQuery): Page<OrderRecord> {
    const order = this.order(orderId);
    const { owner, conditionId, tokenId } = query;
    const isFound =
      order?.closeReason === '' &&
      order.owner === owner &&
      (conditionId === undefined || conditionId === order.conditionId) &&
      (tokenId === undefined || tokenId === order.tokenId);
    return onePage(isFound ? order : undefined, query);
  }

  /** The one trade, if it passes the other filters: they are searched just at its place. */
  #trade(tradeId: string, query: TradesQuery): Page<TradeRecord> {
    const tradeKey = this.#key('trade', bytesOf(tradeId.replaceAll('-', '')));
    const filter = this.#tradeFilter(query);
    if (tradeKey === undefined || filter === undefined) return nothing();
    if (tradeKey <= filter.afterKey || tradeKey >= filter.beforeKey) return nothing();
    const there = { ...filter, afterKey: tradeKey - 1, beforeKey: tradeKey + 1 };
    return this.#tradePage(there, query);
  }

  /** undefined when a name is unknown. */
  #tradeFilter(query: TradesQuery): TradeFilter | undefined {
    const part = this.#marketPart(query);
    const parties = {
      ownerKey: this.#keyIfGiven('owner', query.owner),
      eitherKey: this.#keyIfGiven('account', query.eitherAccount),
      takerKey: this.#keyIfGiven('account', query.takerAccount),
      makerKey: this.#keyIfGiven('account', query.makerAccount),
      builtKey: this.#keyIfGiven('account', query.builtAccount),
    };
    if (part === undefined || Object.values(parties).includes(null)) return undefined;
    const { afterMs, beforeMs, builder } = query;
    return {
      ...part,
      ownerKey: this.#isOwnAccountNamed(query) ? undefined : (parties.ownerKey ?? undefined),
      eitherKey: parties.eitherKey ?? undefined,
      takerKey: parties.takerKey ?? undefined,
      makerKey: parties.makerKey ?? undefined,
      builtKey: parties.builtKey ?? undefined,
      builder: builder === undefined ? undefined : bytesOf(builder),
      afterKey: afterMs === undefined ? 0 : (this.#key('lastUntil', afterMs) ?? 0),
      beforeKey: beforeMs === undefined ? NO_KEY : (this.#key('firstFrom', beforeMs) ?? NO_KEY),
    };
  }

  /** Whether the owner need not be looked for, since an account of the owner's own is. */
  #isOwnAccountNamed(query: TradesQuery): boolean {
    const { owner, eitherAccount, takerAccount, makerAccount, builtAccount } = query;
    const ownerKey = this.#keyIfGiven('owner', owner) ?? undefined;
    const accounts = [eitherAccount, takerAccount, makerAccount, builtAccount];
    return (
      ownerKey !== undefined &&
      accounts.some((account) => this.#keyIfGiven('accountOwner', account) === ownerKey)
    );
  }

  /** undefined when a name is unknown, or the token is not one of the market's. */
  #marketPart(query: Pick<TradesQuery, 'conditionId' | 'tokenId'>): MarketPart | undefined {
    const marketKey = this.#keyIfGiven('market', query.conditionId);
    if (marketKey === null) return undefined;
    if (query.tokenId === undefined) return { marketKey, outcome: undefined };
    const token = this.#token(query.tokenId);
    const isOther = marketKey !== undefined && marketKey !== token?.marketKey;
    return isOther ? undefined : token;
  }

  #token(tokenId: string): MarketPart | undefined {
    const yes = this.#key('marketOfYes', tokenId);
    if (yes !== undefined) return { marketKey: yes, outcome: 0 };
    const no = this.#key('marketOfNo', tokenId);
    return no === undefined ? undefined : { marketKey: no, outcome: 1 };
  }

  /** Of one that the tables have: the journal may know it before. */
  #orderKey(orderId: string): number | undefined {
    const orderKey = this.#orderKeyOf(orderId);
    return orderKey === undefined ? undefined : this.#key('order', orderKey);
  }

  /** null when the name is given and unknown. */
  #keyIfGiven(what: KeyName, name: string | undefined): number | null | undefined {
    return name === undefined ? undefined : (this.#key(what, name) ?? null);
  }

  #key(what: KeyName, name: string | number | Buffer): number | undefined {
    return this.#statement(KEY_SQL[what]).get(name);
  }

  #statement(sql: string): Statement<unknown[], number> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#database.prepare<unknown[], number>(sql).pluck();
    this.#statements.set(sql, made);
    return made;
  }
}

/** Above every trade key. */
const NO_KEY = Number.MAX_SAFE_INTEGER;

function isPageLimit(limit: number): boolean {
  return Number.isInteger(limit) && limit >= 1 && limit <= STORE_BOUNDS.pageRows;
}

interface PageSource<Item> {
  readonly keys: (paging: Paging) => number[];
  readonly read: (key: number) => Item;
}

function pageOf<Item>({ offset, limit }: Paging, source: PageSource<Item>): Page<Item> {
  assert(
    isPageLimit(limit) && Number.isSafeInteger(offset) && offset >= 0,
    'routes bound their pages',
  );
  const keys = source.keys({ offset, limit: limit + 1 });
  return { records: keys.slice(0, limit).map(source.read), more: keys.length > limit };
}

function nothing(): Page<never> {
  return { records: [], more: false };
}

function onePage<Item>(item: Item | undefined, { offset }: Paging): Page<Item> {
  return item === undefined || offset > 0 ? nothing() : { records: [item], more: false };
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replace(/^0x/, ''), 'hex');
}
