/**
 * Open interest and volume of markets (wire 8.7). Invariant: a market's open interest is the
 * collateral locked for its tokens (positions/schema.sql of the projection); over the markets of a
 * neg-risk event it adds up to what is locked for the event. Sums are exact. Bound: one row for
 * each market of the route's list, of an event, or of all.
 */
import { MICROS_PER_UNIT, ONE_TICKS } from '../../../engine/model/index.ts';
import { addWide, type WideSum, wideSum } from '../../shared/index.ts';
import type { AnalyticsReads } from './analytics-reads.ts';
import { lotsJson, microsJson, quotientText } from './number-text.ts';

export interface OpenInterestQuestion {
  /** Condition ids in lower case; undefined for one sum of all markets. */
  readonly markets?: readonly string[] | undefined;
}

export interface LiveVolumeQuestion {
  /** Condition ids in lower case; ignored when an event is given. */
  readonly markets: readonly string[];
  /** An event of the catalog. */
  readonly eventId?: number | undefined;
  /** In version 2: several events. */
  readonly events?: readonly number[];
}

const LOCKED_LOTS = 'no_lots * event_size + yes_lots - no_lots';
const OWED_MICROS = 'yes_lots * payout_ticks + no_lots * (10000 - payout_ticks)';

/** Tests check the query plans. */
export const FIGURE_SQL = {
  locked:
    `SELECT event_size AS eventSize, CAST(iif(payout_ticks IS NULL, ${LOCKED_LOTS}, 0) AS TEXT) ` +
    `AS lots, CAST(coalesce(${OWED_MICROS}, 0) AS TEXT) AS owed ` +
    'FROM market_states WHERE market_key = ?',
  lockedInAll:
    `SELECT event_size AS eventSize, CAST(sum(iif(payout_ticks IS NULL, ${LOCKED_LOTS}, 0)) ` +
    `AS TEXT) AS lots, CAST(sum(coalesce(${OWED_MICROS}, 0)) AS TEXT) AS owed ` +
    'FROM market_states GROUP BY event_size',
  volume: 'SELECT micros, lots FROM market_volumes WHERE market_key = ?',
} as const;

interface LockedRow {
  readonly eventSize: number;
  /** Locked sets x event size, of markets that are not resolved. */
  readonly lots: string;
  /** Micros owed, of resolved markets. */
  readonly owed: string;
}

/** What a lot of complete sets is worth. */
const SET_MICROS = BigInt(ONE_TICKS);
const UNIT_MICROS = BigInt(MICROS_PER_UNIT);

/** In micros x event size. */
function lockedMicros({ eventSize, lots, owed }: LockedRow): bigint {
  return BigInt(lots) * SET_MICROS + BigInt(owed) * BigInt(eventSize);
}

export function openInterestText(reads: AnalyticsReads, question: OpenInterestQuestion): string {
  const { markets } = question;
  const name = reads.version === 2 ? 'condition_id' : 'market';
  if (markets === undefined) return `[{"${name}":"GLOBAL","value":${allLocked(reads)}}]`;
  const select = reads.tables.statement<[number], LockedRow>(FIGURE_SQL.locked);
  const texts = markets.flatMap((conditionId) => {
    const row = select.get(reads.tables.key('market', conditionId) ?? 0);
    if (row === undefined) return [];
    const value = quotientText(lockedMicros(row), BigInt(row.eventSize) * UNIT_MICROS);
    return [`{"${name}":"${conditionId}","value":${value}}`];
  });
  return `[${texts.join(',')}]`;
}

function allLocked(reads: AnalyticsReads): string {
  let micros = 0n;
  for (const row of reads.tables.statement<[], LockedRow>(FIGURE_SQL.lockedInAll).all()) {
    // Exact: the sum over all markets of an event is a multiple of its size.
    micros += lockedMicros(row) / BigInt(row.eventSize);
  }
  return quotientText(micros, UNIT_MICROS);
}

interface VolumeRow {
  /** Sums as text (wide-sum.ts). */
  readonly micros: string;
  readonly lots: string;
}

/** The tokens that takers traded in each market of events, the most first. */
function takerVolumeText(reads: AnalyticsReads, events: readonly number[]): string {
  const select = reads.tables.statement<[number], VolumeRow>(FIGURE_SQL.volume);
  const keys = new Set(events.flatMap((eventId) => reads.marketsOfEvent(eventId)));
  const markets = [...keys].map((key) => {
    const stored = select.get(key);
    return { key, lots: stored === undefined ? 0n : BigInt(wideSum(stored.lots)) };
  });
  markets.sort((a, b) => (a.lots === b.lots ? a.key - b.key : a.lots > b.lots ? -1 : 1));
  const total = markets.reduce((sum, { lots }) => sum + lots, 0n);
  const texts = markets.map(({ key, lots }) => {
    const { conditionId } = reads.market(key);
    return `{"condition_id":"${conditionId}","taker_volume":${lotsJson(lots)}}`;
  });
  return `{"taker_volume_total":${lotsJson(total)},"conditions":[${texts.join(',')}]}`;
}

export function liveVolumeText(
  reads: AnalyticsReads,
  { markets, eventId, events }: LiveVolumeQuestion,
): string {
  if (events !== undefined) return takerVolumeText(reads, events);
  const named = markets.flatMap((conditionId) => reads.tables.key('market', conditionId) ?? []);
  const keys = eventId === undefined ? named : reads.marketsOfEvent(eventId);
  const select = reads.tables.statement<[number], VolumeRow>(FIGURE_SQL.volume);
  let total: WideSum = 0;
  const texts = keys.map((key) => {
    const stored = select.get(key);
    const micros = stored === undefined ? 0 : wideSum(stored.micros);
    total = addWide(total, micros);
    return `{"market":"${reads.market(key).conditionId}","value":${microsJson(micros)}}`;
  });
  return `[{"total":${microsJson(total)},"markets":[${texts.join(',')}]}]`;
}
