/**
 * One method for each kind of question about records. Each call must run inside one read
 * transaction.
 */
import { strict as assert } from 'node:assert';
import type { KeyLookup } from '../../../engine/index.ts';
import type { MoneyKeyIndex, MoneyKeyRef } from '../../journal/money-keys.ts';
import { type OrderKeyOf, ownOrderKeys } from '../../journal/order-ids.ts';
import {
  type ActionRecord,
  type MarketVolume,
  type NotificationRecord,
  type OrderRecord,
  type PriceHistory,
  STORE_BOUNDS,
  type TradeRecord,
} from '../../shared/index.ts';
import { NO_KEY, type PagePart } from '../tables/index-search.ts';
import type { ReadTables } from '../tables/read-tables.ts';
import { type TradeFilter, tradeWalks } from '../tables/trade-walks.ts';
import { newestActions } from './actions.ts';
import { priceHistoriesOf, volumesOf } from './markets.ts';
import { newestNotifications } from './notifications.ts';
import type {
  ActionsQuery,
  LiveOrdersQuery,
  NotificationsQuery,
  OpenOrdersQuery,
  Page,
  PriceHistoriesQuery,
  TradesQuery,
  VolumesQuery,
} from './queries.ts';
import { orderAlone, orderWithTrades, tradeOf } from './rows.ts';

/** Filters as keys of the tables; a filter that is not given is undefined. */
export type LiveOrdersFilter = MarketPart & { readonly ownerKey: number };

/** SQL that returns order keys, oldest first; its parameters are the filter, @after and paging. */
export function liveOrdersSql(filter: LiveOrdersFilter): string {
  return (
    'SELECT order_key FROM orders INDEXED BY open_orders_by_owner ' +
    "WHERE close_reason = '' AND owner_key = @ownerKey AND order_key > @after" +
    `${filter.marketKey === undefined ? '' : ' AND market_key = @marketKey'}` +
    `${filter.outcome === undefined ? '' : ' AND outcome = @outcome'}` +
    ' ORDER BY order_key LIMIT @limit OFFSET @offset'
  );
}

interface OpenOrdersFilter {
  readonly ownerKey: number | undefined;
  readonly marketKey: number | undefined;
}

/**
 * SQL that returns the keys of open orders of all owners: by market and then oldest first, or
 * oldest first if a filter is given. Its parameters are the filter, @afterMarket, @after and
 * @limit.
 */
export function openOrdersSql({ ownerKey, marketKey }: OpenOrdersFilter): string {
  const [ofOwner, inMarket] = [ownerKey !== undefined, marketKey !== undefined];
  const isFiltered = ofOwner || inMarket;
  return (
    `SELECT order_key FROM orders INDEXED BY open_orders_by_${ofOwner ? 'owner' : 'market'} ` +
    "WHERE close_reason = ''" +
    `${ofOwner ? ' AND owner_key = @ownerKey' : ''}` +
    `${inMarket ? ' AND market_key = @marketKey' : ''}` +
    (isFiltered
      ? ' AND order_key > @after ORDER BY order_key'
      : ' AND (market_key, order_key) > (@afterMarket, @after) ORDER BY market_key, order_key') +
    ' LIMIT @limit'
  );
}

type Paging = Pick<TradesQuery, 'offset' | 'limit'>;

type MarketPart = Pick<TradeFilter, 'marketKey' | 'outcome'>;

/** The range of trade keys of a search. */
type TradeRange = Pick<PagePart, 'after' | 'before'>;

export class RecordReads {
  readonly #tables: ReadTables;
  readonly #orderKeyOf: OrderKeyOf;
  readonly #moneyKeys: MoneyKeyIndex | undefined;

  constructor(
    tables: ReadTables,
    orderKeyOf: OrderKeyOf = ownOrderKeys(tables.database),
    moneyKeys?: MoneyKeyIndex,
  ) {
    this.#tables = tables;
    this.#orderKeyOf = orderKeyOf;
    this.#moneyKeys = moneyKeys;
  }

  /** What the journal's index has of an idempotency key. It needs no projection. */
  moneyKey(key: MoneyKeyRef): KeyLookup {
    assert(this.#moneyKeys !== undefined, 'read threads open the index');
    return this.#moneyKeys.lookup(key);
  }

  order(orderId: string): OrderRecord | undefined {
    const orderKey = this.#orderKey(orderId);
    return orderKey === undefined ? undefined : orderWithTrades(this.#tables, orderKey);
  }

  /**
   * In the order of the question, undefined for an unknown id. At most STORE_BOUNDS.listedIds,
   * without trades (`tradeIds` and `transactionHashes` are empty).
   */
  orders(orderIds: readonly string[]): (OrderRecord | undefined)[] {
    assert(orderIds.length <= STORE_BOUNDS.listedIds, 'routes limit the length of lists');
    return orderIds.map((orderId) => {
      const orderKey = this.#orderKey(orderId);
      return orderKey === undefined ? undefined : orderAlone(this.#tables, orderKey);
    });
  }

  /** Open orders, live or delayed, oldest first. */
  liveOrders(query: LiveOrdersQuery): Page<OrderRecord> {
    if (query.orderId !== undefined) return this.#liveOrder(query.orderId, query);
    const ownerKey = this.#tables.key('owner', query.owner);
    const part = this.#marketPart(query);
    const after = query.after === undefined ? 0 : this.#orderKey(query.after);
    if (ownerKey === undefined || part === undefined || after === undefined) return noRecords();
    const filter = { ownerKey, ...part };
    const sql = liveOrdersSql(filter);
    return pageOf(query, {
      keys: (paging) => this.#tables.column<number>(sql, { ...filter, after, ...paging }),
      read: (key) => orderWithTrades(this.#tables, key),
    });
  }

  /**
   * Open orders, live or delayed, of all owners: oldest first if a filter is given, otherwise by
   * market. Undefined if `after` is no known order.
   */
  openOrders({ owner, conditionId, after, limit }: OpenOrdersQuery): Page<OrderRecord> | undefined {
    const ownerKey = this.#keyIfGiven('owner', owner);
    const marketKey =
      conditionId === undefined ? undefined : (this.#tables.key('market', conditionId) ?? UNKNOWN);
    const afterKey = after === undefined ? 0 : this.#orderKey(after);
    if (afterKey === undefined) return undefined;
    const afterMarket = afterKey === 0 ? 0 : this.#marketOf(afterKey);
    const filter = { ownerKey, marketKey };
    const bound = { ...filter, after: afterKey, afterMarket };
    return pageOf(
      { offset: 0, limit },
      {
        keys: (paging) =>
          this.#tables.column<number>(openOrdersSql(filter), { ...bound, ...paging }),
        read: (key) => orderWithTrades(this.#tables, key),
      },
    );
  }

  /** Newest first. Throws StoreError `search_too_wide`. */
  trades(query: TradesQuery): Page<TradeRecord> {
    const filter = this.#tradeFilter(query);
    const range = this.#tradeRange(query);
    if (filter === undefined || range === undefined) return noRecords();
    const { ownerKey } = filter;
    const accounts = ownerKey === undefined ? [] : this.#tables.accountsOf(ownerKey);
    const plans = tradeWalks(filter, accounts);
    return pageOf(query, {
      keys: (paging) =>
        this.#tables.search.page(plans, { ...paging, ...range, isAscending: false }),
      read: (key) => tradeOf(this.#tables, key, query.takersOnly),
    });
  }

  /** Newest first, without those that were dismissed. */
  notifications({ owner, limit }: NotificationsQuery): NotificationRecord[] {
    assert(isPageLimit(limit), 'routes limit the size of pages');
    const ownerKey = this.#tables.key('owner', owner);
    if (ownerKey === undefined) return [];
    return newestNotifications(this.#tables, { ownerKey, limit });
  }

  /** The operator's actions, newest first. */
  actions(query: ActionsQuery): Page<ActionRecord> {
    return newestActions(this.#tables, query);
  }

  /** The volumes of the known markets, in the order of the query. */
  volumes(query: VolumesQuery): MarketVolume[] {
    return volumesOf(this.#tables, query);
  }

  /** A history is empty if its token has no price by the end of the window. */
  priceHistories(query: PriceHistoriesQuery): PriceHistory[] {
    return priceHistoriesOf(this.#tables, query);
  }

  #liveOrder(orderId: string, query: LiveOrdersQuery): Page<OrderRecord> {
    const order = this.order(orderId);
    const { owner, conditionId, tokenId } = query;
    const isFound =
      order?.closeReason === '' &&
      order.owner === owner &&
      (conditionId === undefined || conditionId === order.conditionId) &&
      (tokenId === undefined || tokenId === order.tokenId);
    return isFound && query.offset === 0 ? { records: [order], more: false } : noRecords();
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
    if (part === undefined || Object.values(parties).includes(UNKNOWN)) return undefined;
    const { builder } = query;
    return {
      ...part,
      ...parties,
      ownerKey: this.#namesOwnAccount(query) ? undefined : parties.ownerKey,
      builder: builder === undefined ? undefined : bytesOf(builder),
    };
  }

  /** undefined when a trade is named that is unknown or outside of the given times. */
  #tradeRange({ tradeId, afterMs, beforeMs, ...query }: TradesQuery): TradeRange | undefined {
    const tables = this.#tables;
    const after = afterMs === undefined ? 0 : (tables.key('lastTradeUntil', afterMs) ?? 0);
    const until =
      beforeMs === undefined ? NO_KEY : (tables.key('firstTradeFrom', beforeMs) ?? NO_KEY);
    // Newer trades have higher keys and are listed first.
    const place = query.after === undefined ? NO_KEY : (this.#tradeKey(query.after) ?? 0);
    const before = Math.min(until, place);
    if (tradeId === undefined) return { after, before };
    const tradeKey = this.#tradeKey(tradeId);
    if (tradeKey === undefined || tradeKey <= after || tradeKey >= before) return undefined;
    return { after: tradeKey - 1, before: tradeKey + 1 };
  }

  #tradeKey(tradeId: string): number | undefined {
    return this.#tables.key('trade', bytesOf(tradeId.replaceAll('-', '')));
  }

  /** Whether a filter names an account of the owner, so that no search by owner is needed. */
  #namesOwnAccount(query: TradesQuery): boolean {
    const { owner, eitherAccount, takerAccount, makerAccount, builtAccount } = query;
    const ownerKey = owner === undefined ? undefined : this.#tables.key('owner', owner);
    if (ownerKey === undefined) return false;
    return [eitherAccount, takerAccount, makerAccount, builtAccount].some(
      (account) =>
        account !== undefined && this.#tables.key('ownerOfAccount', account) === ownerKey,
    );
  }

  /** undefined when a name is unknown, or the token is not one of the market's. */
  #marketPart(query: Pick<TradesQuery, 'conditionId' | 'tokenId'>): MarketPart | undefined {
    const { conditionId, tokenId } = query;
    const marketKey =
      conditionId === undefined ? undefined : this.#tables.key('market', conditionId);
    if (conditionId !== undefined && marketKey === undefined) return undefined;
    if (tokenId === undefined) return { marketKey, outcome: undefined };
    const token = this.#tables.token(tokenId);
    const isOther = marketKey !== undefined && marketKey !== token?.marketKey;
    return isOther ? undefined : token;
  }

  /** The key of an order in the tables. The journal may already know orders that are not there. */
  #orderKey(orderId: string): number | undefined {
    const orderKey = this.#orderKeyOf(orderId);
    return orderKey === undefined ? undefined : this.#tables.key('order', orderKey);
  }

  #marketOf(orderKey: number): number {
    const [marketKey = 0] = this.#tables.column<number>(MARKET_OF_ORDER, { orderKey });
    return marketKey;
  }

  /** UNKNOWN when the name is given and unknown. */
  #keyIfGiven(what: 'owner' | 'account', name: string | undefined): number | undefined {
    return name === undefined ? undefined : (this.#tables.key(what, name) ?? UNKNOWN);
  }
}

const MARKET_OF_ORDER = 'SELECT market_key FROM orders WHERE order_key = @orderKey';

/** Keys count from 1. */
const UNKNOWN = 0;

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
    'routes limit the size of pages',
  );
  // One key more than the page shows whether there are further records.
  const keys = source.keys({ offset, limit: limit + 1 });
  return { records: keys.slice(0, limit).map(source.read), more: keys.length > limit };
}

function noRecords(): Page<never> {
  return { records: [], more: false };
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replace(/^0x/, ''), 'hex');
}
