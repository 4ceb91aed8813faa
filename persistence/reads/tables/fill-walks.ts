/**
 * The walks of a search for fills: rows of trade_parties, one for each participant of a trade. A
 * fill's key is one number that grows with time, made of its trade's key and its ordinal in the
 * trade.
 *
 * Rare large fills are found by the partial index `large_parties`, which holds the fills of
 * LARGE_LOTS and more; docs/decisions/0020-bounded-reads-of-analytics.md says why.
 */
import { ONE_TICKS } from '../../../engine/model/index.ts';
import { LARGE_LOTS } from '../../shared/index.ts';
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

function sourceOfLarge({ accountKey, marketKeys }: FillScope): Source {
  return {
    from: 'trade_parties AS p INDEXED BY large_parties',
    key: 'p.trade_key',
    conditions: [
      `p.lots >= ${LARGE_LOTS}`,
      ...(accountKey === undefined ? [] : [OF_ACCOUNT]),
      ...(marketKeys === undefined ? [] : [IN_MARKETS]),
    ],
  };
}

/** Whether only fills of LARGE_LOTS or more can pass: a lot costs at most ONE_TICKS micros. */
function wantsLarge({ unit, least }: FillFilter): boolean {
  return least >= LARGE_LOTS * (unit === 'lots' ? 1 : ONE_TICKS);
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
  const large = wantsLarge(filter) ? [[walk(sourceOfLarge(scope))]] : [];
  const inMarkets = (source: Source) => marketKeys?.map((key) => walk(source, key)) ?? [];
  if (accountKey === undefined) {
    const all = marketKeys === undefined ? [walk(sourceOfAll(filter))] : inMarkets(OF_MARKET);
    return [...large, all];
  }
  const ofAccount = [walk(sourceOfAccount(filter, scope))];
  if (marketKeys === undefined) return [...large, ofAccount];
  return [...large, inMarkets(OF_ACCOUNT_IN_MARKET), ofAccount];
}

function walkSql({ from, key, conditions }: Source, filter: FillFilter, isAscending: boolean) {
  const direction = isAscending ? 'ASC' : 'DESC';
  const amount = filter.unit === 'lots' ? 'p.lots' : 'p.lots * p.price_ticks';
  const all = [
    'walk_row(p.ordinal)',
    ...conditions,
    // Numbers arrive as floating point; the range of trade keys needs whole ones.
    `${key} >= CAST(@after / ${ORDINALS} AS INTEGER)`,
    `${key} <= CAST(@before / ${ORDINALS} AS INTEGER)`,
    `${FILL_KEY} > @after`,
    `${FILL_KEY} < @before`,
    ...(filter.takersOnly ? ['p.ordinal = 0'] : []),
    ...(filter.side === undefined ? [] : ['p.side = @side']),
    ...(filter.least === 0 ? [] : [`${amount} >= @least`]),
  ];
  return (
    `SELECT ${FILL_KEY} FROM ${from} WHERE ${all.join(' AND ')} ` +
    `ORDER BY ${key} ${direction}, p.ordinal ${direction} LIMIT @limit`
  );
}
