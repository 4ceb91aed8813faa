/**
 * The leaderboard of a category: the markets whose event has one of the category's tags (wire 8.7).
 * The tags are those of the catalog at the time of the question, so the sums are not stored by
 * category. Invariant: ranks are as of the whole board. Bound: STORE_BOUNDS.leaderRows rows of
 * accounts, markets and days; more is `search_too_wide`.
 */
import { firstDayOf } from '../../projection/positions/math.ts';
import { addWide, STORE_BOUNDS, StoreError, type WideSum, wideSum } from '../../shared/index.ts';
import type { AnalyticsReads } from './analytics-reads.ts';
import type { LeaderboardPeriod } from './board-terms.ts';

/** Slugs of the tags of each category, as the public venue has them. */
const CATEGORY_TAGS = {
  POLITICS: ['politics'],
  SPORTS: ['sports'],
  CRYPTO: ['crypto'],
  CULTURE: ['culture', 'pop-culture'],
  MENTIONS: ['mentions', 'mention-markets'],
  WEATHER: ['weather'],
  ECONOMICS: ['economics', 'economy'],
  TECH: ['tech'],
  FINANCE: ['finance'],
} as const;

export type LeaderboardCategory = 'OVERALL' | keyof typeof CATEGORY_TAGS;

export const LEADERBOARD_CATEGORIES: readonly LeaderboardCategory[] = [
  'OVERALL',
  // Safe: the keys of a constant.
  ...(Object.keys(CATEGORY_TAGS) as (keyof typeof CATEGORY_TAGS)[]),
];

/** Ranges of indexes; a test checks their query plans. */
export const CATEGORY_SQL = {
  markets:
    'SELECT DISTINCT own.market_key FROM json_each(@slugs) AS named ' +
    'CROSS JOIN catalog.tags AS tag ON tag.slug = named.value ' +
    'CROSS JOIN catalog.event_tags AS of_tag ON of_tag.tag_id = tag.id ' +
    'CROSS JOIN catalog.markets AS known ON known.event_id = of_tag.event_id ' +
    'CROSS JOIN markets AS own ON own.condition_id = known.condition_id',
  days:
    'SELECT d.account_key AS account, d.volume_micros AS volume, d.realized_micros AS realized, ' +
    'd.volume_lots AS lots ' +
    'FROM json_each(@markets) AS named CROSS JOIN market_days AS d ' +
    'ON d.market_key = named.value WHERE d.day >= @first LIMIT @most + 1',
  allDays:
    'SELECT account_key AS account, volume_micros AS volume, realized_micros AS realized, ' +
    'volume_lots AS lots FROM market_days INDEXED BY market_days_by_day ' +
    'WHERE day >= @first LIMIT @most + 1',
} as const;

interface DayRow {
  readonly account: number;
  /** Sums as text (wide-sum.ts). */
  readonly volume: string;
  readonly realized: string;
  readonly lots: string;
}

export interface CategoryLeader {
  readonly account: number;
  readonly volume: WideSum;
  readonly realized: WideSum;
  /** Tokens traded. */
  readonly lots: WideSum;
}

/** The sum that an order compares. */
export const RANKED_BY = { PNL: 'realized', VOL: 'volume', TOKENS: 'lots' } as const;

interface Board {
  readonly category: LeaderboardCategory;
  readonly period: LeaderboardPeriod;
  /** TOKENS is of version 2. */
  readonly order: keyof typeof RANKED_BY;
  readonly nowMs: number;
}

/** Keys of the markets of a category, as JSON; undefined for all markets. */
export function marketsOfCategory(
  { tables }: AnalyticsReads,
  category: LeaderboardCategory,
): string | undefined {
  if (category === 'OVERALL') return undefined;
  const slugs = JSON.stringify(CATEGORY_TAGS[category]);
  return JSON.stringify(tables.column<number>(CATEGORY_SQL.markets, { slugs }));
}

/** All accounts of the category, the first rank first. Throws StoreError `search_too_wide`. */
export function categoryLeaders(
  reads: AnalyticsReads,
  { category, period, order, nowMs }: Board,
): CategoryLeader[] {
  const markets = marketsOfCategory(reads, category);
  const most = STORE_BOUNDS.leaderRows;
  const values = { markets, first: firstDayOf(period, nowMs), most };
  const sql = markets === undefined ? CATEGORY_SQL.allDays : CATEGORY_SQL.days;
  const rows = reads.tables.statement<[object], DayRow>(sql).all(values);
  if (rows.length > most) {
    const sentence = `more than ${most} account days in the category: ask for a shorter timePeriod`;
    throw new StoreError('search_too_wide', sentence);
  }
  const leaders = new Map<number, CategoryLeader>();
  for (const { account, volume, realized, lots } of rows) {
    const known = leaders.get(account);
    leaders.set(account, {
      account,
      volume: addWide(known?.volume ?? 0, wideSum(volume)),
      realized: addWide(known?.realized ?? 0, wideSum(realized)),
      lots: addWide(known?.lots ?? 0, wideSum(lots)),
    });
  }
  const by = RANKED_BY[order];
  return [...leaders.values()].sort((a, b) => {
    if (a[by] === b[by]) return a.account - b.account;
    return a[by] > b[by] ? -1 : 1;
  });
}
