/**
 * The positions in resolved markets that won most (wire 8.8). What a position won is its profit of
 * all time, fees included, so redeeming its tokens changes nothing. Equal wins are ordered by
 * account, market and outcome. Bound: STORE_BOUNDS.sortedPositions positions in the markets that
 * were resolved in the period; more is `search_too_wide`.
 */
import { DAY_MS, SECOND_MS } from '../../../engine/model/index.ts';
import { firstDayOf } from '../../projection/positions/math.ts';
import { addWide, STORE_BOUNDS, StoreError, wideSum } from '../../shared/index.ts';
import type { AnalyticsReads } from './analytics-reads.ts';
import type { LeaderboardPeriod } from './board-terms.ts';
import { type LeaderboardCategory, marketsOfCategory } from './category-leaders.ts';
import { halfMicrosText, membersOf, microsJson } from './number-text.ts';
import { type PageText, pageText, type RowPlace } from './page-text.ts';
import { TOTAL_PNL_SQL } from './position-sql.ts';
import { POSITION_SQL, type PositionKey, type PositionRow, worthOf } from './position-text.ts';

export interface WinnersQuestion {
  readonly period: LeaderboardPeriod;
  readonly category: LeaderboardCategory;
  readonly nowMs: number;
  readonly limit: number;
  /** The place before the page: the time of the first page, then the last row's win and keys. */
  readonly after?: RowPlace | undefined;
}

const FROM =
  'FROM market_states AS s INDEXED BY markets_by_resolution ' +
  'CROSS JOIN positions AS p INDEXED BY positions_by_market ON p.market_key = s.market_key ' +
  'WHERE s.resolved_ms >= @sinceMs ';
const IN_CATEGORY = 'AND s.market_key IN (SELECT value FROM json_each(@markets)) ';
const ORDER = 'ORDER BY win DESC, account, marketKey, outcome';

/** Tests check the query plans. Wins beyond 2^53 are near enough to sort by. */
export function winnersSql(ofCategory: boolean) {
  const from = `${FROM}${ofCategory ? IN_CATEGORY : ''}`;
  const wins =
    'SELECT p.account_key AS account, p.market_key AS marketKey, p.outcome, ' +
    `s.resolved_ms AS resolvedMs, CAST(${TOTAL_PNL_SQL} AS REAL) AS win ${from}`;
  return {
    count: `SELECT count(*) FROM (SELECT 1 ${from} LIMIT @most + 1)`,
    page:
      `SELECT * FROM (SELECT *, row_number() OVER (${ORDER}) AS rank ` +
      `FROM (${wins}) WHERE win > 0) WHERE win < @win OR win = @win AND ` +
      `(account, marketKey, outcome) > (@account, @market, @outcome) ${ORDER} LIMIT @limit`,
  } as const;
}

interface Winner extends PositionKey {
  readonly account: number;
  readonly resolvedMs: number;
  readonly win: number;
  readonly rank: number;
}

/** Ranks are those at the time of the page. */
export function winnersText(reads: AnalyticsReads, question: WinnersQuestion): PageText {
  const { period, category, after = [question.nowMs] } = question;
  const [nowMs, win = Number.MAX_VALUE, account = 0, market = 0, outcome = 0] = after.map(Number);
  const markets = marketsOfCategory(reads, category);
  const sql = winnersSql(markets !== undefined);
  const place = { win, account, market, outcome };
  const values = { sinceMs: firstDayOf(period, nowMs ?? 0) * DAY_MS, markets, ...place };
  const most = STORE_BOUNDS.sortedPositions;
  const [count = 0] = reads.tables.column<number>(sql.count, { ...values, most });
  if (count > most) {
    const sentence = `more than ${most} positions in resolved markets: ask for a shorter period`;
    throw new StoreError('search_too_wide', sentence);
  }
  return pageText(reads, {
    limit: question.limit,
    find: (limit) => reads.tables.statement<[object], Winner>(sql.page).all({ ...values, limit }),
    textOf: (winner) => winnerText(reads, winner),
    placeAfter: (rows) =>
      rows
        .slice(-1)
        .flatMap((row) => [nowMs ?? 0, row.win, row.account, row.marketKey, row.outcome]),
  });
}

function winnerText(reads: AnalyticsReads, { account, rank, resolvedMs, ...key }: Winner): string {
  const { marketKey, outcome } = key;
  const select = reads.tables.statement<[number, number, number], PositionRow>(POSITION_SQL);
  const row = select.get(account, marketKey, outcome);
  if (row === undefined) throw new Error(`the position of account ${account} has no row`);
  const { address, name, pseudonym, profileImage } = reads.profile(account);
  const market = reads.market(marketKey);
  const { profit } = worthOf(row);
  const paid = addWide(wideSum(row.paidMicros), wideSum(row.buyFeeMicros));
  const texts = {
    condition_id: market.conditionId,
    position_id: market.assets[outcome],
    event_id: market.eventId ?? 0,
    event_slug: market.eventSlug,
    event_title: market.eventTitle,
    user_name: name || pseudonym,
    profile_image: profileImage,
  };
  return (
    `{"win_rank":${rank},"kind":"market","user_id":"${address}","pnl":${halfMicrosText(profit)},` +
    `"initial_value":${microsJson(paid)},` +
    `"final_value":${halfMicrosText(profit + 2n * BigInt(paid))},` +
    `"resolved_at":${Math.floor(resolvedMs / SECOND_MS)},${membersOf(texts)}}`
  );
}
