/**
 * What an account is worth now, as the two tables of the public venue's accounting snapshot (wire
 * 8.7): its open positions, and its cash and all of it together. Amounts have 6 decimals, rounded
 * down, and the value of all positions is the sum of theirs, so the tables add up. Bound:
 * STORE_BOUNDS.sortedPositions positions; more is `search_too_wide`.
 */
import { SECOND_MS } from '../../../engine/model/index.ts';
import type { AnalyticsReads } from './analytics-reads.ts';
import { PRICE_SQL } from './position-sql.ts';
import { boundSorted } from './positions.ts';

export interface AccountingQuestion {
  /** An account, in lower case. */
  readonly user: string;
  readonly nowMs: number;
}

/** Ranges of indexes; a test checks the query plans. */
export const ACCOUNTING_SQL = {
  cash:
    'SELECT amount FROM holding_points WHERE account_key = @account AND asset = 0 ' +
    'ORDER BY minute DESC LIMIT 1',
  positions:
    `SELECT p.market_key AS marketKey, p.outcome, p.lots, ${PRICE_SQL} AS halfTicks ` +
    'FROM positions AS p INDEXED BY open_positions ' +
    'CROSS JOIN market_states AS s ON s.market_key = p.market_key ' +
    'WHERE p.account_key = @account AND p.closed_ms = 0 ' +
    'ORDER BY p.lots DESC, p.market_key DESC, p.outcome DESC',
} as const;

interface PositionRow {
  readonly marketKey: number;
  readonly outcome: 0 | 1;
  readonly lots: number;
  readonly halfTicks: number;
}

const MICROS_PER_LOT = 10_000n;
const MICROS_PER_HALF_TICK = 50n;
const DECIMALS = 6;

/** A count of micros as a decimal with all its digits. */
function fixed(micros: bigint): string {
  const digits = `${micros}`.padStart(DECIMALS + 1, '0');
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
}

/** JSON with both tables as CSV. */
export function accountingText(reads: AnalyticsReads, { user, nowMs }: AccountingQuestion): string {
  const account = reads.tables.key('account', user);
  const time = `${new Date(nowMs - (nowMs % SECOND_MS)).toISOString().slice(0, 19)}Z`;
  const rows = account === undefined ? [] : positionsOf(reads, account);
  const [cash = 0] = reads.tables.column<number>(ACCOUNTING_SQL.cash, { account: account ?? 0 });
  let value = 0n;
  const lines = rows.map(({ marketKey, outcome, lots, halfTicks }) => {
    const { conditionId, assets } = reads.market(marketKey);
    value += (BigInt(lots) * BigInt(halfTicks)) / 2n;
    const [size, price] = [BigInt(lots) * MICROS_PER_LOT, BigInt(halfTicks) * MICROS_PER_HALF_TICK];
    return [conditionId, assets[outcome], fixed(size), fixed(price), time].join();
  });
  const equity = [fixed(BigInt(cash)), fixed(value), fixed(BigInt(cash) + value), time].join();
  return JSON.stringify({
    positions: ['conditionId,asset,size,curPrice,valuationTime', ...lines, ''].join('\n'),
    equity: ['cashBalance,positionsValue,equity,valuationTime', equity, ''].join('\n'),
  });
}

function positionsOf(reads: AnalyticsReads, account: number): readonly PositionRow[] {
  boundSorted(reads, account, true);
  const select = reads.tables.statement<[object], PositionRow>(ACCOUNTING_SQL.positions);
  return select.all({ account });
}
