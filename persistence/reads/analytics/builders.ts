/**
 * What builders brought to the exchange (wire 8.7): a board of a period, and a series of days,
 * weeks or months. A builder is shown by the profile of the address in its code, else by the code
 * itself. Bounds: a page of the board is a range of an index; the series has BUCKETS buckets at
 * most, and of each the first BUILDERS_A_BUCKET builders.
 */
import { DAY_MS } from '../../../engine/model/index.ts';
import { firstDayIn, firstDayOf } from '../../projection/positions/math.ts';
import { wideSum } from '../../shared/index.ts';
import type { AnalyticsReads } from './analytics-reads.ts';
import { type LeaderboardPeriod, periodNumber } from './board-terms.ts';
import { lotsJson, membersOf, microsJson } from './number-text.ts';
import { type PageText, pageText, type RowPlace } from './page-text.ts';

export interface BuilderBoardQuestion {
  readonly period: LeaderboardPeriod;
  readonly nowMs: number;
  readonly limit: number;
  readonly offset: number;
  /** In version 2: the place before the page, as `builderBoardText` makes it. */
  readonly after?: RowPlace | undefined;
}

type Bucket = 'DAY' | 'WEEK' | 'MONTH';

export interface BuilderVolumeQuestion extends Pick<BuilderBoardQuestion, 'period' | 'nowMs'> {
  /** Days by default. */
  readonly bucket?: Bucket;
  /** At most so many of the newest buckets. */
  readonly most?: number;
}

const BUCKETS = 366;
const BUILDERS_A_BUCKET = 50;

/** Ranges of an index; a test checks the query plans. */
export const BUILDER_SQL = {
  page:
    'SELECT builder, volume_micros AS volume, user_count AS users, volume_lots AS lots ' +
    'FROM builder_periods ' +
    'INDEXED BY builders_by_volume WHERE period = @period AND number = @number ' +
    'AND volume_micros <= @last AND (volume_micros < @last OR builder > @lastBuilder) ' +
    'ORDER BY volume_micros DESC, builder LIMIT @limit OFFSET @offset',
  before:
    'SELECT count(*) FROM builder_periods ' +
    'INDEXED BY builders_by_volume WHERE period = @period AND number = @number ' +
    'AND volume_micros >= @last AND (volume_micros > @last OR builder <= @lastBuilder)',
  numberBefore:
    'SELECT max(number) FROM builder_periods INDEXED BY builders_by_volume ' +
    'WHERE period = @bucket AND number < @number',
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
  /** The volume and the code of the last builder before the page. */
  readonly last: string;
  readonly lastBuilder: Buffer;
}

/** Greater than all sums. */
const NO_LAST = { last: '~', lastBuilder: Buffer.alloc(0) };

/**
 * A place has the time of the first page, which says the period, and the volume and the code of the
 * last builder. Ranks are those at the time of the page.
 */
export function builderBoardText(reads: AnalyticsReads, question: BuilderBoardQuestion): PageText {
  const { period, offset, after = [question.nowMs] } = question;
  const [nowMs, last, code = ''] = after;
  const place = { last: `${last}`, lastBuilder: Buffer.from(`${code}`, 'hex') };
  const number = periodNumber(period, Number(nowMs));
  const page = { period, number, offset, ...(last === undefined ? NO_LAST : place) };
  const [before = 0] =
    last === undefined ? [] : reads.tables.column<number>(BUILDER_SQL.before, page);
  return pageText(reads, {
    limit: question.limit,
    find: (limit) => [...rowsOf(reads, { ...page, limit }).entries()],
    textOf: ([index, row]) => rowText(reads, row, before + offset + index + 1),
    placeAfter: (rows) =>
      rows.slice(-1).flatMap(([, row]) => [Number(nowMs), row.volume, row.builder.toString('hex')]),
  });
}

/** The newest bucket first. */
export function builderVolumeText(
  reads: AnalyticsReads,
  { period, nowMs, bucket = 'DAY', most = BUCKETS }: BuilderVolumeQuestion,
): string {
  const first = firstDayOf(period, nowMs);
  const texts: string[] = [];
  let number: number | null = Number.MAX_SAFE_INTEGER;
  for (let buckets = 0; buckets < most; buckets += 1) {
    [number = null] = reads.tables.column<number | null>(BUILDER_SQL.numberBefore, {
      bucket,
      number,
    });
    if (number === null || firstDayIn(bucket, number) < first) break;
    const day = firstDayIn(bucket, number);
    const page = { period: bucket, number, limit: BUILDERS_A_BUCKET, offset: 0, ...NO_LAST };
    const rows = rowsOf(reads, page);
    texts.push(...rows.map((row, index) => rowText(reads, row, index + 1, day)));
  }
  return `[${texts.join(',')}]`;
}

function rowsOf({ tables }: AnalyticsReads, page: Page): BuilderRow[] {
  return tables.statement<[Page], BuilderRow>(BUILDER_SQL.page).all(page);
}

function rowText(reads: AnalyticsReads, row: BuilderRow, rank: number, day?: number): string {
  const { volume, lots, users } = row;
  const date = day === undefined ? undefined : new Date(day * DAY_MS).toISOString();
  const builderCode = `0x${row.builder.toString('hex')}`;
  const { name, profileImage, verifiedBadge } = profileOf(reads, builderCode);
  if (reads.version === 2) {
    const names = { builder_name: name || builderCode, builder_code: builderCode };
    const place = { date: date?.slice(0, 10), rank, ...names };
    return (
      `{${membersOf({ ...place, profile_image: profileImage, active_users: users })},` +
      `"volume":${lotsJson(wideSum(lots))},"verified":${verifiedBadge === true}}`
    );
  }
  const dt = date === undefined ? undefined : `${date.slice(0, 19)}Z`;
  const shown = { builder: name || builderCode, builderCode, builderLogo: profileImage };
  return (
    `{${membersOf({ dt, rank: `${rank}`, ...shown })},"volume":${microsJson(wideSum(volume))},` +
    `"activeUsers":${users},"verified":${verifiedBadge === true}}`
  );
}

/** A code that is not a padded address has no profile. */
function profileOf(reads: AnalyticsReads, code: string) {
  const address = /^0x0{24}([0-9a-f]{40})$/.exec(code)?.[1];
  if (address === undefined) return { name: '', profileImage: '', verifiedBadge: null };
  return reads.profileOfAddress(`0x${address}`);
}
