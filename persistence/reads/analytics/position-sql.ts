/**
 * The SQL of lists of positions; a test checks the query plans. A list is read in two steps: the
 * keys of a page, then the rows of those keys, so that rows before the page are never read.
 *
 * Invariant: every order is total: equal positions are ordered by market and outcome. Orders with
 * an index (average, realized, time and size) walk it up to the page. Orders that depend on the
 * market (title, price, end date) are computed for all of the account's positions, at most
 * `STORE_BOUNDS.sortedPositions`.
 */

export const CLOSED_SORTS = ['REALIZEDPNL', 'TITLE', 'PRICE', 'AVGPRICE', 'TIMESTAMP'] as const;
/** The others are of version 2. */
export type ClosedSort = (typeof CLOSED_SORTS)[number] | 'TOKENS' | 'NOTHING';

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
export type OpenSort = (typeof OPEN_SORTS)[number] | 'REALIZEDPNL' | 'TOTALPNL' | 'TIMESTAMP';

/**
 * The value of one token in half ticks, for a position `p` and its market's state `s`: the payout
 * of a resolved market, else the midpoint while both sides have orders, else the last trade, else
 * 0.5.
 */
export const PRICE_SQL =
  '(10000 + iif(p.outcome = 0, 1, -1) * (coalesce(2 * s.payout_ticks, ' +
  'nullif(s.midpoint, 0), nullif(2 * s.last_ticks, 0), 10000) - 10000))';

/** The average price of what was bought, near enough to sort by, from the digits of both sums. */
const BOUGHT_AT_SQL =
  'CAST(substr(p.paid_micros, 3) AS REAL) / CAST(substr(p.bought_lots, 3) AS REAL)';

/** The value of a position in half micros: lots x half ticks. */
export const WORTH_SQL = `p.lots * ${PRICE_SQL}`;

/** A sum beyond 2^53 is near enough to sort by. */
function realSql(column: string): string {
  return `CAST(substr(p.${column}, 3) AS REAL)`;
}

/** The profit of tokens held and sold, in half micros without the cost, which cancels out. */
export const TOTAL_PNL_SQL =
  `${WORTH_SQL} + 2 * (${realSql('received_micros')} - ${realSql('paid_micros')} - ` +
  `${realSql('fee_micros')})`;

interface Sort {
  /** The SQL of the value that is compared. */
  readonly value: string;
  /** The index in this order; '' when all rows have to be sorted. */
  readonly index: string;
  readonly needs?: 'state' | 'title';
}

const CLOSED: Readonly<Record<ClosedSort, Sort>> = {
  REALIZEDPNL: { value: 'p.realized_micros', index: 'closed_positions_by_realized' },
  AVGPRICE: { value: BOUGHT_AT_SQL, index: 'closed_positions_by_average' },
  TIMESTAMP: { value: 'p.closed_ms', index: 'closed_positions_by_time' },
  TITLE: { value: 'w.title', index: '', needs: 'title' },
  PRICE: { value: PRICE_SQL, index: '', needs: 'state' },
  TOKENS: { value: 'p.lots', index: '' },
  // No plain 0, which ORDER BY would take for the number of a column.
  NOTHING: { value: '0 * p.lots', index: '' },
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
  REALIZEDPNL: { value: 'p.realized_micros', index: '' },
  TOTALPNL: { value: TOTAL_PNL_SQL, index: '', needs: 'state' },
  TIMESTAMP: { value: 'p.changed_ms', index: '' },
};

/** The filters of both lists. */
interface ListShape {
  readonly isAscending: boolean;
  /** Filters by `@markets`, keys as JSON. */
  readonly ofMarkets: boolean;
  /** Filters by `@title`, folded. */
  readonly ofTitle: boolean;
  /** Begins after `@value`, `@afterMarket` and `@afterOutcome`. */
  readonly isAfter?: boolean;
  /** Only positions that changed from `@startMs` to `@endMs`. */
  readonly ofTime?: boolean;
  /** Without positions in markets that the catalog has archived. */
  readonly hidesArchived?: boolean;
}

export interface ClosedShape extends ListShape {
  readonly sortBy: ClosedSort;
  /** Whether the tokens were not redeemed, because they pay nothing; undefined for either. */
  readonly isLost?: boolean | undefined;
}

export interface OpenShape extends ListShape {
  readonly sortBy: OpenSort;
  /** Only positions that can be redeemed; only positions that can be merged. */
  readonly isRedeemable: boolean;
  readonly isMergeable: boolean;
  /** Only positions worth at least `@leastHalfMicros`. */
  readonly ofWorth?: boolean;
}

/** Its market is resolved. The outcome pays something, otherwise the position would be closed. */
const REDEEMABLE = 's.payout_ticks IS NOT NULL';

/** Its market is not resolved, and the account holds the other outcome too. */
const MERGEABLE =
  '(s.payout_ticks IS NULL AND EXISTS (SELECT 1 FROM positions AS o ' +
  'WHERE o.account_key = p.account_key AND o.market_key = p.market_key ' +
  'AND o.outcome = 1 - p.outcome AND o.lots > 0))';

const NOT_ARCHIVED =
  'NOT EXISTS (SELECT 1 FROM markets AS own CROSS JOIN catalog.markets AS known ' +
  'ON known.condition_id = own.condition_id ' +
  'WHERE own.market_key = p.market_key AND known.archived = 1)';

interface Parts extends ListShape {
  readonly sort: Sort;
  /** The index to walk when the order has none. */
  readonly fallback: string;
  readonly conditions: readonly string[];
  readonly needsState: boolean;
}

function listSql({ sort, fallback, conditions, needsState, ...shape }: Parts): string {
  const direction = shape.isAscending ? 'ASC' : 'DESC';
  return [
    `SELECT p.market_key AS marketKey, p.outcome, ${sort.value} AS value FROM`,
    // Given markets are looked up one by one, by the primary key. The plus before the columns of
    // the other conditions keeps SQLite from choosing a partial index.
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
    shape.ofTime ? 'AND +p.changed_ms >= @startMs AND +p.changed_ms <= @endMs' : '',
    shape.hidesArchived ? `AND ${NOT_ARCHIVED}` : '',
    shape.isAfter
      ? `AND (${sort.value}, p.market_key, p.outcome) ${shape.isAscending ? '>' : '<'} ` +
        '(@value, @afterMarket, @afterOutcome)'
      : '',
    `ORDER BY ${sort.value} ${direction}, p.market_key ${direction}, p.outcome ${direction}`,
    'LIMIT @limit OFFSET @offset',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Keys of closed positions of `@account`, by `@limit` and `@offset`. */
export function closedPositionsSql({ sortBy, isLost, ...shape }: ClosedShape): string {
  const sort = CLOSED[sortBy];
  return listSql({
    ...shape,
    sort,
    fallback: 'closed_positions_by_time',
    conditions: [
      'p.closed_ms > 0',
      ...(isLost === undefined ? [] : [isLost ? 'p.lots > 0' : 'p.lots = 0']),
    ],
    needsState: sort.needs === 'state',
  });
}

/** Keys of open positions with at least `@leastLots`. */
export function openPositionsSql(shape: OpenShape): string {
  const { sortBy, isRedeemable, isMergeable, ofWorth = false, ...list } = shape;
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
      ...(ofWorth ? [`${WORTH_SQL} >= @leastHalfMicros`] : []),
    ],
    needsState: sort.needs === 'state' || isRedeemable || isMergeable || ofWorth,
  });
}

/** The value of all open positions of `@account` in half micros, as text. */
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

/** Counts an account's positions, up to `@most + 1`. */
export function countSql(isOpen: boolean): string {
  return (
    'SELECT count(*) AS count FROM (SELECT 1 FROM positions AS p INDEXED BY ' +
    `${isOpen ? 'open_positions' : 'closed_positions_by_time'} WHERE p.account_key = @account ` +
    `AND p.closed_ms ${isOpen ? '= 0' : '> 0'} LIMIT @most + 1)`
  );
}

/** Whether a list of this shape reads all of the account's positions. */
export function looksAtAll(
  shape: ListShape & { readonly isOpen: boolean; readonly sortBy: ClosedSort | OpenSort },
): boolean {
  const sorts: Readonly<Record<string, Sort>> = shape.isOpen ? OPEN : CLOSED;
  return !shape.ofMarkets && (shape.ofTitle || sorts[shape.sortBy]?.index === '');
}
