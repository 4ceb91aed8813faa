/**
 * The value of an account's open positions, in how many markets it traded, and how much (wire 8.7).
 * Invariant: sums are exact, above 2^53 too. Bound: STORE_BOUNDS.sortedPositions; more is
 * `search_too_wide`.
 */
import { toChecksumAddress, wideSum } from '../../shared/index.ts';
import { type AnalyticsReads, marketKeysOf } from './analytics-reads.ts';
import { halfMicrosText, microsJson } from './number-text.ts';
import { valueSql } from './position-sql.ts';
import { boundSorted } from './positions.ts';

export interface ValueQuestion {
  /** An account, in lower case. */
  readonly user: string;
  /** Condition ids in lower case; undefined for all markets. */
  readonly markets?: readonly string[] | undefined;
}

export interface TradedQuestion {
  readonly user: string;
}

export function valueText(reads: AnalyticsReads, { user, markets }: ValueQuestion): string {
  const address = toChecksumAddress(user);
  if (reads.version === 2) {
    return `{"proxy_wallet":"${address}","value":${halfMicrosText(worthOf(reads, user, markets))}}`;
  }
  return `[{"user":"${address}","value":${halfMicrosText(worthOf(reads, user, markets))}}]`;
}

/** The value of the account's open positions, in half micros. */
function worthOf(
  reads: AnalyticsReads,
  user: string,
  markets: readonly string[] | undefined,
): bigint {
  const account = reads.tables.key('account', user);
  if (account === undefined) return 0n;
  const keys = marketKeysOf(reads, { markets });
  if (keys === undefined) boundSorted(reads, account, true);
  const values = { account, markets: JSON.stringify(keys ?? []) };
  const [worth] = reads.tables.column<string | null>(valueSql(keys !== undefined), values);
  return BigInt(worth ?? 0);
}

/** Look-ups by key; a test checks their query plans. */
export const TRADED_SQL =
  'SELECT market_count AS traded FROM account_totals WHERE account_key = @account';
export const VOLUME_SQL = 'SELECT volume_micros FROM account_totals WHERE account_key = @account';

/** In how many markets an account traded. */
export function tradedText(reads: AnalyticsReads, { user }: TradedQuestion): string {
  const account = reads.tables.key('account', user);
  const [traded = 0] = reads.tables.column<number>(TRADED_SQL, { account: account ?? 0 });
  return `{"user":"${toChecksumAddress(user)}","traded":${traded}}`;
}

/** The cash that an account traded in total, as a text. */
export function volumeText(reads: AnalyticsReads, { user }: TradedQuestion): string {
  const account = reads.tables.key('account', user);
  const [volume = '0'] = reads.tables.column<string>(VOLUME_SQL, { account: account ?? 0 });
  return `{"user":"${toChecksumAddress(user)}","volume":"${microsJson(wideSum(volume))}"}`;
}
