/**
 * The walks of a search for fills: rows of trade_parties, one for each participant of a trade. A
 * fill's key is one number that grows with time, made of its trade's key and its ordinal in the
 * trade.
 *
 * Large fills are found by `trade_peaks`, which says which blocks of trades can have one;
 * docs/decisions/0020-bounded-reads-of-analytics.md says why.
 */
import { PEAK_SPANS } from '../../shared/index.ts';
import type { Walk } from './index-search.ts';

/** A trade has up to 500 makers, so ordinals go from 0 to 500. */
const ORDINALS = 1_024;
const FILL_KEY = `p.trade_key * ${ORDINALS} + p.ordinal`;

export function fillKeyOf(tradeKey: number, ordinal: number): number {
  return tradeKey * ORDINALS + ordinal;
}
export function tradeKeyOf(fillKey: number): number {
  return Math.floor(fillKey / ORDINALS);
}
export function ordinalOf(fillKey: number): number {
  return fillKey % ORDINALS;
}

export interface FillFilter {
  readonly takersOnly: boolean;
  readonly side: 'BUY' | 'SELL' | undefined;
  /** What `least` counts. */
  readonly unit: 'lots' | 'micros';
  /** 0 for any. */
  readonly least: number;
}

/** Whose fills, and in which markets; undefined for all. */
export interface FillScope {
  readonly accountKey: number | undefined;
  readonly marketKeys: readonly number[] | undefined;
}

/** A source of rows of trade_parties in the order of trade keys. */
interface Source {
  readonly from: string;
  /** The column of trade keys by which the source is ordered. */
  readonly key: string;
  readonly conditions: readonly string[];
  /** Columns before `key` by which it is ordered. The first one has a number for `span` trades. */
  readonly blocks?: { readonly order: readonly string[]; readonly span: number };
}

const OF_ACCOUNT = 'p.account_key = @accountKey';
const IN_MARKETS = 'p.market_key IN (SELECT value FROM json_each(@marketKeys))';

function sourceOfAll({ takersOnly }: FillFilter): Source {
  if (!takersOnly) return { from: 'trade_parties AS p', key: 'p.trade_key', conditions: [] };
  const from = 'trades AS t CROSS JOIN trade_parties AS p ON p.trade_key = t.trade_key';
  return { from, key: 't.trade_key', conditions: [] };
}

const OF_MARKET: Source = {
  from:
    'trades AS t INDEXED BY trades_by_market ' +
    'CROSS JOIN trade_parties AS p ON p.trade_key = t.trade_key',
  key: 't.trade_key',
  conditions: ['t.market_key = @marketKey'],
};

const OF_ACCOUNT_IN_MARKET: Source = {
  from: 'trade_parties AS p INDEXED BY parties_by_account_market',
  key: 'p.trade_key',
  conditions: [OF_ACCOUNT, 'p.market_key = @marketKey'],
};

function sourceOfAccount({ takersOnly }: FillFilter, { marketKeys }: FillScope): Source {
  return {
    from: `trade_parties AS p INDEXED BY ${takersOnly ? 'takers' : 'parties'}_by_account`,
    key: 'p.trade_key',
    conditions: [OF_ACCOUNT, ...(marketKeys === undefined ? [] : [IN_MARKETS])],
  };
}

/** Looks only at blocks of trades with a fill that is large enough, of whichever account. */
function sourceOfPeaks(filter: FillFilter, { accountKey, marketKeys }: FillScope): Source {
  const { from, key } = sourceOfAll(filter);
  const { small, large } = PEAK_SPANS;
  const within = (column: string, block: string, count: number) =>
    `${column} BETWEEN ${block} * ${count} AND ${block} * ${count} + ${count - 1}`;
  const blocksOf = (name: string, span: number) => [
    `walk_row(${name}.block)`,
    `${name}.span = ${span}`,
    `${name}.most_${filter.unit} >= @least`,
  ];
  return {
    from: `trade_peaks AS far CROSS JOIN trade_peaks AS near CROSS JOIN ${from}`,
    key,
    blocks: { order: ['far.block', 'near.block'], span: large },
    conditions: [
      ...blocksOf('far', large),
      ...blocksOf('near', small),
      within('near.block', 'far.block', large / small),
      within(key, 'near.block', small),
      ...(accountKey === undefined ? [] : [OF_ACCOUNT]),
      ...(marketKeys === undefined ? [] : [IN_MARKETS]),
    ],
  };
}

/** Plans that select keys of fills. */
export function fillWalks(filter: FillFilter, scope: FillScope, isAscending: boolean): Walk[][] {
  const { accountKey, marketKeys } = scope;
  const { side, least } = filter;
  const values = { side, least, accountKey, marketKeys: JSON.stringify(marketKeys ?? []) };
  const walk = (source: Source, marketKey?: number): Walk => ({
    sql: walkSql(source, filter, isAscending),
    values: { ...values, marketKey },
  });
  const large = least > 0 ? [[walk(sourceOfPeaks(filter, scope))]] : [];
  const inMarkets = (source: Source) => marketKeys?.map((key) => walk(source, key)) ?? [];
  if (accountKey === undefined && marketKeys === undefined) {
    return least > 0 ? large : [[walk(sourceOfAll(filter))]];
  }
  if (accountKey === undefined) return [...large, inMarkets(OF_MARKET)];
  const ofAccount = [walk(sourceOfAccount(filter, scope))];
  if (marketKeys === undefined) return [...large, ofAccount];
  return [...large, inMarkets(OF_ACCOUNT_IN_MARKET), ofAccount];
}

function walkSql(source: Source, filter: FillFilter, isAscending: boolean) {
  const { from, key, conditions, blocks = { order: [], span: 1 } } = source;
  const direction = isAscending ? 'ASC' : 'DESC';
  const amount = filter.unit === 'lots' ? 'p.lots' : 'p.lots * p.price_ticks';
  const order = [...blocks.order, key, 'p.ordinal'];
  const perKey = ORDINALS * blocks.span;
  const all = [
    'walk_row(p.ordinal)',
    ...conditions,
    // Numbers arrive as floating point; the range of keys needs whole ones.
    `${order[0]} >= CAST(@after / ${perKey} AS INTEGER)`,
    `${order[0]} <= CAST(@before / ${perKey} AS INTEGER)`,
    `${FILL_KEY} > @after`,
    `${FILL_KEY} < @before`,
    ...(filter.takersOnly ? ['p.ordinal = 0'] : []),
    ...(filter.side === undefined ? [] : ['p.side = @side']),
    ...(filter.least === 0 ? [] : [`${amount} >= @least`]),
  ];
  return (
    `SELECT ${FILL_KEY} FROM ${from} WHERE ${all.join(' AND ')} ` +
    `ORDER BY ${order.map((column) => `${column} ${direction}`).join(', ')} LIMIT @limit`
  );
}
