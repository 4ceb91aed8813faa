/**
 * What an account's open positions are worth, and how much it traded (wire 8.7). Invariant: sums
 * are exact, also above 2^53. Bound: STORE_BOUNDS.sortedPositions; more is `search_too_wide`.
 */
import { toChecksumAddress } from '../../shared/index.ts';
import { halfMicrosText } from './number-text.ts';
import { valueSql } from './position-plans.ts';
import { boundSorted, marketsOf } from './read-positions.ts';
import type { AnalyticsReads } from './reads.ts';

export interface ValueQuestion {
  /** An account, in lower case. */
  readonly user: string;
  /** Condition ids in lower case; all markets where it is left out. */
  readonly markets?: readonly string[] | undefined;
}

export interface TradedQuestion {
  readonly user: string;
}

export function valueText(reads: AnalyticsReads, { user, markets }: ValueQuestion): string {
  const address = toChecksumAddress(user);
  return `[{"user":"${address}","value":${halfMicrosText(worthOf(reads, user, markets))}}]`;
}

/** Half micros. */
function worthOf(
  reads: AnalyticsReads,
  user: string,
  markets: readonly string[] | undefined,
): bigint {
  const account = reads.accountKey(user);
  if (account === undefined) return 0n;
  const keys = marketsOf(reads, { markets });
  if (keys === undefined) boundSorted(reads, account, true);
  const values = keys === undefined ? { account } : { account, markets: JSON.stringify(keys) };
  type Row = { readonly worth: string | null };
  const sum = reads.statement<[typeof values], Row>(valueSql(keys !== undefined)).get(values);
  return BigInt(sum?.worth ?? 0);
}

/** A look-up by key; a test reads its plan. */
export const TRADED_SQL = 'SELECT market_count AS traded FROM account_totals WHERE account_key = ?';

/** In how many markets it traded. */
export function tradedText(reads: AnalyticsReads, { user }: TradedQuestion): string {
  const account = reads.accountKey(user);
  type Row = { readonly traded: number };
  const row =
    account === undefined ? undefined : reads.statement<[number], Row>(TRADED_SQL).get(account);
  return `{"user":"${toChecksumAddress(user)}","traded":${row?.traded ?? 0}}`;
}
