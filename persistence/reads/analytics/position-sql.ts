/**
 * The SQL of lists of positions: which index a list walks, what it is sorted by, which conditions
 * are left to be tested. Pure; a test reads the plans. Every list comes in two steps: the keys of a
 * page, then its rows one by one, so that rows before the page are never read.
 *
 * Invariant: orders are total: what is equal is told apart by market and outcome, in the order's
 * direction. What has an index (average, realised, time and size) walks it up to the page; what
 * depends on the market (title, price, what follows from the price, its end) is worked out for all
 * of the account's positions, of which `STORE_BOUNDS.sortedPositions` are looked at.
 */

export const CLOSED_SORTS = ['REALIZEDPNL', 'TITLE', 'PRICE', 'AVGPRICE', 'TIMESTAMP'] as const;
export type ClosedSort = (typeof CLOSED_SORTS)[number];

export const OPEN_SORTS = [
  'TOKENS',
  'CURRENT',
  'INITIAL',
  'CASHPNL',
  'PERCENTPNL',
  'TITLE',
  'RESOLVING',
  'PRICE',
  'AVGPRICE',
] as const;
export type OpenSort = (typeof OPEN_SORTS)[number];

/**
 * What one token is worth in half ticks, of a position `p` and its market's state `s`: the payout
 * of a resolved market, else the last trade, else the midpoint, else a half.
 */
export const PRICE_SQL =
  '(10000 + iif(p.outcome = 0, 1, -1) * (coalesce(2 * s.payout_ticks, ' +
  'nullif(2 * s.last_ticks, 0), nullif(s.half_ticks, 0), 10000) - 10000))';

/** What it is worth in all, in half micros: lots times half ticks. */
const WORTH_SQL = `p.lots * ${PRICE_SQL}`;

interface Sort {
  /** What is compared. */
  readonly value: string;
  /** The index that is walked in its order; '' where all has to be sorted. */
  readonly index: string;
  readonly needs?: 'state' | 'title';
}

const CLOSED: Readonly<Record<ClosedSort, Sort>> = {
  REALIZEDPNL: { value: 'p.realized_micros', index: 'closed_positions_by_realized' },
  AVGPRICE: { value: 'p.paid_micros * 1.0 / p.bought_lots', index: 'closed_positions_by_average' },
  TIMESTAMP: { value: 'p.closed_ms', index: 'closed_positions_by_time' },
  TITLE: { value: 'w.title', index: '', needs: 'title' },
  PRICE: { value: PRICE_SQL, index: '', needs: 'state' },
};

const OPEN: Readonly<Record<OpenSort, Sort>> = {
  TOKENS: { value: 'p.lots', index: 'open_positions' },
  CURRENT: { value: WORTH_SQL, index: '', needs: 'state' },
  INITIAL: { value: 'p.cost_micros', index: '' },
  CASHPNL: { value: `${WORTH_SQL} - 2 * p.cost_micros`, index: '', needs: 'state' },
  PERCENTPNL: {
    value: `coalesce((${WORTH_SQL} - 2 * p.cost_micros) * 1.0 / nullif(p.cost_micros, 0), 0)`,
    index: '',
    needs: 'state',
  },
  TITLE: { value: 'w.title', index: '', needs: 'title' },
  RESOLVING: { value: 'w.end_date', index: '', needs: 'title' },
  PRICE: { value: PRICE_SQL, index: '', needs: 'state' },
  AVGPRICE: { value: 'p.cost_micros * 1.0 / p.lots', index: '' },
};

/** What both lists are filtered by. */
interface ListShape {
  readonly isAscending: boolean;
  /** Whether markets are named: `@markets`, their keys as JSON. */
  readonly ofMarkets: boolean;
  /** Whether titles are searched: for `@title`, folded. */
  readonly ofTitle: boolean;
}

export interface ClosedShape extends ListShape {
  readonly sortBy: ClosedSort;
}

export interface OpenShape extends ListShape {
  readonly sortBy: OpenSort;
  /** Only those that can be redeemed; those that can be merged. */
  readonly isRedeemable: boolean;
  readonly isMergeable: boolean;
}

/** Its market is resolved and it pays something: else it would be closed. */
const REDEEMABLE = 's.payout_ticks IS NOT NULL';

/** Its market is not resolved, and the account holds the other outcome too. */
const MERGEABLE =
  '(s.payout_ticks IS NULL AND EXISTS (SELECT 1 FROM positions AS o ' +
  'WHERE o.account_key = p.account_key AND o.market_key = p.market_key ' +
  'AND o.outcome = 1 - p.outcome AND o.lots > 0))';

interface Parts extends ListShape {
  readonly sort: Sort;
  /** What is walked where the sort has no index. */
  readonly fallback: string;
  readonly conditions: readonly string[];
  readonly needsState: boolean;
}

function listSql({ sort, fallback, conditions, needsState, ...shape }: Parts): string {
  const direction = shape.isAscending ? 'ASC' : 'DESC';
  return [
    'SELECT p.market_key AS marketKey, p.outcome FROM',
    // Markets that are named are looked up one by one, by the primary key: with the sign before
    // its column no condition speaks of a partial index, which would be taken for the better one.
    shape.ofMarkets
      ? 'json_each(@markets) AS named CROSS JOIN positions AS p ON p.market_key = named.value'
      : `positions AS p INDEXED BY ${sort.index || fallback}`,
    needsState ? 'CROSS JOIN market_states AS s ON s.market_key = p.market_key' : '',
    shape.ofTitle || sort.needs === 'title'
      ? 'CROSS JOIN temp.market_titles AS w ON w.market_key = p.market_key'
      : '',
    'WHERE p.account_key = @account',
    ...conditions.map((condition) => `AND ${shape.ofMarkets ? '+' : ''}${condition}`),
    shape.ofTitle ? 'AND instr(w.title, @title) > 0' : '',
    `ORDER BY ${sort.value} ${direction}, p.market_key ${direction}, p.outcome ${direction}`,
    'LIMIT @limit OFFSET @offset',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Of `@account`, `@limit`, `@offset`; keys of closed positions. */
export function closedPositionsSql({ sortBy, ...shape }: ClosedShape): string {
  const sort = CLOSED[sortBy];
  return listSql({
    ...shape,
    sort,
    fallback: 'closed_positions_by_time',
    conditions: ['p.closed_ms > 0'],
    needsState: sort.needs === 'state',
  });
}

/** The same of open positions of `@leastLots` and more. */
export function openPositionsSql(shape: OpenShape): string {
  const { sortBy, isRedeemable, isMergeable, ...list } = shape;
  const sort = OPEN[sortBy];
  return listSql({
    ...list,
    sort,
    fallback: 'open_positions',
    conditions: [
      'p.closed_ms = 0',
      'p.lots >= @leastLots',
      ...(isRedeemable ? [REDEEMABLE] : []),
      ...(isMergeable ? [MERGEABLE] : []),
    ],
    needsState: sort.needs === 'state' || isRedeemable || isMergeable,
  });
}

/** What open positions of `@account` are worth in all, in half micros, as text. */
export function valueSql(ofMarkets: boolean): string {
  return (
    `SELECT CAST(sum(${WORTH_SQL}) AS TEXT) AS worth FROM ` +
    (ofMarkets
      ? 'json_each(@markets) AS named CROSS JOIN positions AS p ON p.market_key = named.value '
      : 'positions AS p INDEXED BY open_positions ') +
    'CROSS JOIN market_states AS s ON s.market_key = p.market_key ' +
    `WHERE p.account_key = @account AND ${ofMarkets ? '+' : ''}p.closed_ms = 0`
  );
}

/** How many positions would have to be looked at, up to `@most` and one more. */
export function countSql(isOpen: boolean): string {
  return (
    'SELECT count(*) AS count FROM (SELECT 1 FROM positions AS p INDEXED BY ' +
    `${isOpen ? 'open_positions' : 'closed_positions_by_time'} WHERE p.account_key = @account ` +
    `AND p.closed_ms ${isOpen ? '= 0' : '> 0'} LIMIT @most + 1)`
  );
}

/** Whether a list of this shape looks at all of the account's positions. */
export function looksAtAll(
  shape: ListShape & { readonly isOpen: boolean; readonly sortBy: ClosedSort | OpenSort },
): boolean {
  const sorts: Readonly<Record<string, Sort>> = shape.isOpen ? OPEN : CLOSED;
  return !shape.ofMarkets && (shape.ofTitle || sorts[shape.sortBy]?.index === '');
}
