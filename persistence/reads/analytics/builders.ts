/**
 * What builders brought to the exchange (wire 8.7): a board of a period, and a series of days. A
 * builder is shown by the profile of the address in its code, else by the code itself. Bounds: a
 * page of the board is a range of an index; the series has BUILDER_DAYS days at most, and of each
 * the first BUILDERS_A_DAY builders.
 */
import { DAY_MS } from '../../../engine/model/index.ts';
import { firstDayOf } from '../../projection/positions/periods.ts';
import { wideSum } from '../../shared/index.ts';
import type { AnalyticsReads } from './analytics-reads.ts';
import { type LeaderboardPeriod, periodNumber } from './board-terms.ts';
import { membersOf } from './fill-text.ts';
import { lotsJson, microsJson } from './number-text.ts';
import { type PageText, pageText } from './page-text.ts';

export interface BuilderBoardQuestion {
  readonly period: LeaderboardPeriod;
  readonly nowMs: number;
  readonly limit: number;
  readonly offset: number;
}

export interface BuilderVolumeQuestion extends Pick<BuilderBoardQuestion, 'period' | 'nowMs'> {
  /** At most so many of the newest days. */
  readonly days?: number;
}

const BUILDER_DAYS = 366;
const BUILDERS_A_DAY = 50;

/** Ranges of an index; a test checks the query plans. */
export const BUILDER_SQL = {
  page:
    'SELECT builder, volume_micros AS volume, user_count AS users, volume_lots AS lots ' +
    'FROM builder_periods ' +
    'INDEXED BY builders_by_volume WHERE period = @period AND number = @number ' +
    'ORDER BY volume_micros DESC, builder LIMIT @limit OFFSET @offset',
  dayBefore:
    'SELECT max(number) FROM builder_periods INDEXED BY builders_by_volume ' +
    "WHERE period = 'DAY' AND number < @day AND number >= @first",
} as const;

interface BuilderRow {
  readonly builder: Buffer;
  /** A sum as text (wide-sum.ts). */
  readonly volume: string;
  readonly lots: string;
  readonly users: number;
}

interface Page {
  readonly period: LeaderboardPeriod;
  readonly number: number;
  readonly limit: number;
  readonly offset: number;
}

/** A place is the number of builders before it. */
export function builderBoardText(reads: AnalyticsReads, question: BuilderBoardQuestion): PageText {
  const { period, nowMs, offset } = question;
  const page = { period, number: periodNumber(period, nowMs), offset };
  return pageText(reads, {
    limit: question.limit,
    find: (limit) => rowsOf(reads, { ...page, limit }),
    textOf: (text) => text,
    placeAfter: (rows) => [offset + rows.length],
  });
}

/** The newest day first. */
export function builderVolumeText(
  reads: AnalyticsReads,
  { period, nowMs, days: most = BUILDER_DAYS }: BuilderVolumeQuestion,
): string {
  const first = firstDayOf(period, nowMs);
  const texts: string[] = [];
  let day = Number.MAX_SAFE_INTEGER;
  for (let days = 0; days < most; days += 1) {
    const [next = null] = reads.tables.column<number | null>(BUILDER_SQL.dayBefore, { day, first });
    if (next === null) break;
    day = next;
    const page = { period: 'DAY', number: day, limit: BUILDERS_A_DAY, offset: 0 } as const;
    texts.push(...rowsOf(reads, page, day));
  }
  return `[${texts.join(',')}]`;
}

function rowsOf(reads: AnalyticsReads, page: Page, day?: number): string[] {
  const dt: { readonly dt?: string } =
    day === undefined ? {} : { dt: `${new Date(day * DAY_MS).toISOString().slice(0, 19)}Z` };
  const rows = reads.tables.statement<[Page], BuilderRow>(BUILDER_SQL.page).all(page);
  return rows.map(({ builder, volume, lots, users }, index) => {
    const builderCode = `0x${builder.toString('hex')}`;
    const { name, profileImage, verifiedBadge } = profileOf(reads, builderCode);
    if (reads.version === 2) {
      const date = dt.dt === undefined ? {} : { date: dt.dt.slice(0, 10) };
      const names = { builder_name: name || builderCode, builder_code: builderCode };
      const place = { ...date, rank: page.offset + index + 1, ...names };
      return (
        `{${membersOf({ ...place, profile_image: profileImage, active_users: users })},` +
        `"volume":${lotsJson(wideSum(lots))},"verified":${verifiedBadge === true}}`
      );
    }
    const shown = { builder: name || builderCode, builderCode, builderLogo: profileImage };
    const rank = `${page.offset + index + 1}`;
    return (
      `{${membersOf({ ...dt, rank, ...shown })},"volume":${microsJson(wideSum(volume))},` +
      `"activeUsers":${users},"verified":${verifiedBadge === true}}`
    );
  });
}

/** A code that is not a padded address has no profile. */
function profileOf(reads: AnalyticsReads, code: string) {
  const address = /^0x0{24}([0-9a-f]{40})$/.exec(code)?.[1];
  if (address === undefined) return { name: '', profileImage: '', verifiedBadge: null };
  return reads.profileOfAddress(`0x${address}`);
}
