/**
 * What an account traded and realized on each UTC day, and what version 2 makes of it: its volume
 * in a window, its profit over time and the card of its profile (wire 8.8). Invariant: sums are
 * exact; what nothing here measures is null. Bound: STORE_BOUNDS.leaderRows rows of markets and
 * days; more is `search_too_wide`.
 */
import { DAY_MS, SECOND_MS } from '../../../engine/model/index.ts';
import {
  addWide,
  STORE_BOUNDS,
  StoreError,
  toChecksumAddress,
  type WideSum,
  wideSum,
} from '../../shared/index.ts';
import type { AnalyticsReads } from './analytics-reads.ts';
import { halfMicrosText, lotsJson, microsJson } from './number-text.ts';
import { WORTH_SQL } from './position-sql.ts';
import { boundSorted } from './positions.ts';

/** Ranges of indexes; a test checks the query plans. */
export const ACCOUNT_DAY_SQL = {
  days:
    'SELECT day, volume_micros AS micros, volume_lots AS lots, realized_micros AS realized, ' +
    'trade_count AS trades FROM market_days INDEXED BY market_days_by_account ' +
    'WHERE account_key = @account AND day >= @first AND day <= @last ORDER BY day ' +
    'LIMIT @most + 1',
  totals:
    'SELECT market_count AS markets, fee_micros AS fees FROM account_totals ' +
    'WHERE account_key = @account',
  unrealized:
    `SELECT CAST(coalesce(sum(${WORTH_SQL} - 2 * p.cost_micros), 0) AS TEXT) ` +
    'FROM positions AS p INDEXED BY open_positions ' +
    'CROSS JOIN market_states AS s ON s.market_key = p.market_key ' +
    'WHERE p.account_key = @account AND p.closed_ms = 0',
  biggestWin:
    'SELECT p.realized_micros FROM positions AS p INDEXED BY closed_positions_by_realized ' +
    'CROSS JOIN market_states AS s ON s.market_key = p.market_key ' +
    'WHERE p.account_key = @account AND p.closed_ms > 0 AND s.payout_ticks IS NOT NULL ' +
    'ORDER BY p.realized_micros DESC LIMIT 1',
} as const;

interface DayRow {
  readonly day: number;
  /** Sums as text (wide-sum.ts). */
  readonly micros: string;
  readonly lots: string;
  readonly realized: string;
  readonly trades: number;
}

interface Sums {
  readonly lots: WideSum;
  readonly micros: WideSum;
  readonly realized: WideSum;
  readonly trades: number;
}

const NOTHING: Sums = { lots: 0, micros: 0, realized: 0, trades: 0 };

interface Days {
  /** Days since the epoch; both ends are included. */
  readonly first: number;
  readonly last: number;
}

/** Throws StoreError `search_too_wide`. */
function daysOf({ tables }: AnalyticsReads, account: number | undefined, days: Days) {
  if (account === undefined) return [];
  const most = STORE_BOUNDS.leaderRows;
  const values = { ...days, account, most };
  const rows = tables.statement<[object], DayRow>(ACCOUNT_DAY_SQL.days).all(values);
  if (rows.length <= most) return rows;
  throw new StoreError('search_too_wide', `more than ${most} days in markets: give a later start`);
}

function plus(sums: Sums, { lots, micros, realized, trades }: DayRow): Sums {
  return {
    lots: addWide(sums.lots, wideSum(lots)),
    micros: addWide(sums.micros, wideSum(micros)),
    realized: addWide(sums.realized, wideSum(realized)),
    trades: sums.trades + trades,
  };
}

export interface AccountVolumeQuestion extends Days {
  /** An account, in lower case. */
  readonly user: string;
}

export function accountVolumeText(reads: AnalyticsReads, question: AccountVolumeQuestion): string {
  const { user, first, last } = question;
  const rows = daysOf(reads, reads.tables.key('account', user), { first, last });
  return `{${volumeMembers(rows.reduce(plus, NOTHING))}}`;
}

function volumeMembers({ lots, micros, trades }: Sums): string {
  return `"volume":${lotsJson(lots)},"volume_usdc":${microsJson(micros)},"trade_count":${trades}`;
}

export interface ProfitQuestion {
  readonly user: string;
  /** Seconds since the epoch of the points, oldest first; the last one is now. */
  readonly times: readonly number[];
  /** Without the points before the account's first day. */
  readonly fromFirst?: boolean;
}

/**
 * A JSON list of points. What was realized is known by the day: a point in the past has all days
 * before its own. The last point has the current day too, the value of what is held and the fees.
 */
export function profitText(
  reads: AnalyticsReads,
  { user, times, fromFirst = false }: ProfitQuestion,
): string {
  const account = reads.tables.key('account', user);
  return `[${pointsOf(reads, account, { times, fromFirst }).join(',')}]`;
}

function pointsOf(
  reads: AnalyticsReads,
  account: number | undefined,
  { times: asked, fromFirst }: Required<Omit<ProfitQuestion, 'user'>>,
): string[] {
  const last = asked.at(-1) ?? 0;
  const dayOf = (seconds: number): number => Math.floor((seconds * SECOND_MS) / DAY_MS);
  const days = daysOf(reads, account, { first: 0, last: dayOf(last) });
  const first = fromFirst ? (days[0]?.day ?? dayOf(last)) : 0;
  const times = asked.filter((seconds) => seconds === last || dayOf(seconds) >= first);
  const most = STORE_BOUNDS.profitPoints;
  if (times.length > most) {
    throw new StoreError('search_too_wide', `more than ${most} points: ask for a coarser fidelity`);
  }
  const source = reads.seq();
  let sums = NOTHING;
  let next = 0;
  return times.map((seconds, index) => {
    const isLast = index === times.length - 1;
    for (let row = days[next]; row !== undefined; row = days[next]) {
      if (!isLast && row.day >= dayOf(seconds)) break;
      sums = plus(sums, row);
      next += 1;
    }
    return pointText(sums, { seconds, source, now: isLast ? nowOf(reads, account) : undefined });
  });
}

interface Now {
  readonly halfMicros: bigint;
  readonly fees: WideSum;
}

/** The value over cost of what an account holds, and the fees that it paid. */
function nowOf(reads: AnalyticsReads, account: number | undefined): Now {
  if (account === undefined) return { halfMicros: 0n, fees: 0 };
  boundSorted(reads, account, true);
  const [held = '0'] = reads.tables.column<string>(ACCOUNT_DAY_SQL.unrealized, { account });
  return { halfMicros: BigInt(held), fees: wideSum(totalsOf(reads, account).fees) };
}

interface Totals {
  readonly markets: number;
  readonly fees: string;
}

function totalsOf({ tables }: AnalyticsReads, account: number): Totals {
  const select = tables.statement<[object], Totals>(ACCOUNT_DAY_SQL.totals);
  return select.get({ account }) ?? { markets: 0, fees: '010' };
}

interface Point {
  readonly seconds: number;
  readonly source: number;
  /** undefined in the past. */
  readonly now: Now | undefined;
}

/** Nothing pays income here, and transfers are rows of activity but not added up: all are null. */
export const UNKNOWN_AMOUNTS = [
  'fees_refunded',
  'maker_rebate',
  'taker_rebate',
  'reward_income',
  'yield_income',
  'referral_income',
  'deposits',
  'withdrawals',
  'wallet_income',
  'settled_pnl',
  'economic_pnl',
  'sponsored_income',
  'cashflow_net',
] as const;
const UNKNOWN = UNKNOWN_AMOUNTS.map((name) => `"${name}":null`).join(',');

function pointText(sums: Sums, { seconds, source, now }: Point): string {
  const realized = microsJson(sums.realized);
  const fees = now === undefined ? 'null' : microsJson(-BigInt(now.fees));
  const half = (told: (now: Now) => bigint) =>
    now === undefined ? 'null' : halfMicrosText(told(now));
  const total = ({ halfMicros }: Now) => halfMicros + 2n * BigInt(sums.realized);
  return (
    `{"timestamp":${seconds},"source_block":${source},"realized_market_pnl":${realized},` +
    `"realized_lp_pnl":0,"realized_combo_pnl":0,"realized_pnl":${realized},` +
    `"unrealized_pnl":${half(({ halfMicros }) => halfMicros)},"position_pnl":${half(total)},` +
    `"trade_pnl":${half((held) => total(held) + 2n * BigInt(held.fees))},"fees":${fees},` +
    `"fees_paid":${fees},${UNKNOWN},${volumeMembers(sums)}}`
  );
}

export interface StatsQuestion {
  readonly user: string;
  /** Seconds since the epoch. */
  readonly now: number;
}

/** A win of less is none, as the public documents say. */
const LEAST_WIN = 1_000_000;

/** null for an address without an account. Visits of profiles are not counted here. */
export function statsText(reads: AnalyticsReads, { user, now }: StatsQuestion): string {
  const account = reads.tables.key('account', user);
  if (account === undefined) return 'null';
  boundSorted(reads, account, false);
  const [best = '010'] = reads.tables.column<string>(ACCOUNT_DAY_SQL.biggestWin, { account });
  const won = wideSum(best);
  const [point] = pointsOf(reads, account, { times: [now], fromFirst: false });
  return (
    `{"proxy_wallet":"${toChecksumAddress(user)}","trades":${totalsOf(reads, account).markets},` +
    `"biggest_win":${won > LEAST_WIN ? microsJson(won) : '0'},"views":0,"join_date":null,` +
    `"all_time_pnl":${point}}`
  );
}
