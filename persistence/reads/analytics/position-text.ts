/**
 * A position as JSON text, open or closed (wire 8.7; formulas.md of the projection). Invariant:
 * every amount is formatted from whole numbers (number-text.ts).
 */
import { type WideSum, wideSum } from '../../shared/index.ts';
import type { AnalyticsReads, MarketContent } from './analytics-reads.ts';
import { membersOf } from './fill-text.ts';
import {
  averagePriceText,
  halfMicrosText,
  halfTicksJson,
  lotsJson,
  microsJson,
  percentText,
} from './number-text.ts';
import { PRICE_SQL } from './position-sql.ts';

/** A look-up by key; a test checks its query plan. */
export const POSITION_SQL =
  'SELECT p.market_key AS marketKey, p.outcome, p.lots, p.cost_micros AS costMicros, ' +
  'p.bought_lots AS boughtLots, p.paid_micros AS paidMicros, ' +
  'p.realized_micros AS realizedMicros, p.changed_ms AS changedMs, p.closed_ms AS closedMs, ' +
  `s.payout_ticks IS NOT NULL AS isResolved, ${PRICE_SQL} AS halfTicks, ` +
  'coalesce(other.lots, 0) AS otherLots FROM positions AS p ' +
  'CROSS JOIN market_states AS s ON s.market_key = p.market_key ' +
  'LEFT JOIN positions AS other ON other.account_key = p.account_key ' +
  'AND other.market_key = p.market_key AND other.outcome = 1 - p.outcome ' +
  'WHERE p.account_key = ? AND p.market_key = ? AND p.outcome = ?';

export interface PositionRow extends PositionKey {
  readonly lots: number;
  readonly costMicros: number;
  /** Sums as text (wide-sum.ts). */
  readonly boughtLots: string;
  readonly paidMicros: string;
  readonly realizedMicros: string;
  readonly changedMs: number;
  readonly closedMs: number;
  /** 0 or 1. */
  readonly isResolved: number;
  /** The value of a token. */
  readonly halfTicks: number;
  readonly otherLots: number;
}

export interface PositionKey {
  readonly marketKey: number;
  readonly outcome: 0 | 1;
}

/** A JSON array of the positions of these keys. */
export function positionsText(
  reads: AnalyticsReads,
  accountKey: number,
  keys: readonly PositionKey[],
): string {
  const lookUp = reads.tables.statement<[number, number, number], PositionRow>(POSITION_SQL);
  const { address } = reads.profile(accountKey);
  const texts = keys.flatMap(({ marketKey, outcome }) => {
    const row = lookUp.get(accountKey, marketKey, outcome);
    return row === undefined ? [] : [positionText(address, row, reads.market(marketKey))];
  });
  return `[${texts.join(',')}]`;
}

function positionText(address: string, row: PositionRow, market: MarketContent): string {
  const { outcome } = row;
  const { conditionId } = market;
  const isOpen = row.closedMs === 0;
  return (
    `{"proxyWallet":"${address}","asset":"${market.assets[outcome]}",` +
    `"conditionId":"${conditionId}",${isOpen ? openAmounts(row) : closedAmounts(row)},` +
    `"curPrice":${halfTicksJson(row.halfTicks)},` +
    `"redeemable":${isOpen && row.isResolved === 1},` +
    `"mergeable":${isOpen && row.isResolved === 0 && row.otherLots > 0},` +
    `${contentMembers(market, outcome)},` +
    `"timestamp":${Math.floor((isOpen ? row.changedMs : row.closedMs) / 1_000)},` +
    `"endDate":"${endDateText(market, row)}"` +
    `${isOpen ? `,"negativeRisk":${market.negRisk === 1}` : ''}}`
  );
}

/**
 * As public venues write it: the day while the position is open, which may be empty, and the time
 * when it is closed, which strict clients read as a time; for a market without an end, the closing.
 */
function endDateText({ endDate }: MarketContent, { closedMs }: PositionRow): string {
  if (closedMs === 0) return endDate?.slice(0, 10) ?? '';
  return endDate ?? new Date(closedMs).toISOString();
}

function closedAmounts(row: PositionRow): string {
  const { boughtLots, paidMicros, realizedMicros } = sumsOf(row);
  const size = lotsJson(boughtLots);
  const won = microsJson(realizedMicros);
  const percent = percentText(realizedMicros, paidMicros);
  return (
    `"size":${size},"avgPrice":${averagePriceText(paidMicros, boughtLots)},` +
    `"initialValue":${microsJson(paidMicros)},"currentValue":0,"cashPnl":${won},` +
    `"percentPnl":${percent},"totalBought":${size},"realizedPnl":${won},` +
    `"percentRealizedPnl":${percent}`
  );
}

function openAmounts({ lots, costMicros, halfTicks, ...row }: PositionRow): string {
  const { boughtLots, paidMicros, realizedMicros } = sumsOf(row);
  const worth = BigInt(lots) * BigInt(halfTicks);
  const cost = BigInt(costMicros) * 2n;
  return (
    `"size":${lotsJson(lots)},"avgPrice":${averagePriceText(costMicros, lots)},` +
    `"initialValue":${microsJson(costMicros)},"currentValue":${halfMicrosText(worth)},` +
    `"cashPnl":${halfMicrosText(worth - cost)},"percentPnl":${percentText(worth - cost, cost)},` +
    `"totalBought":${lotsJson(boughtLots)},"realizedPnl":${microsJson(realizedMicros)},` +
    `"percentRealizedPnl":${percentText(realizedMicros, paidMicros)}`
  );
}

type StoredSums = Pick<PositionRow, 'boughtLots' | 'paidMicros' | 'realizedMicros'>;

export function sumsOf(row: StoredSums): Readonly<Record<keyof StoredSums, WideSum>> {
  return {
    boughtLots: wideSum(row.boughtLots),
    paidMicros: wideSum(row.paidMicros),
    realizedMicros: wideSum(row.realizedMicros),
  };
}

function contentMembers(market: MarketContent, outcome: 0 | 1): string {
  const labels = [market.outcome0, market.outcome1];
  return membersOf({
    title: market.title,
    slug: market.slug,
    icon: market.icon,
    eventSlug: market.eventSlug,
    outcome: labels[outcome],
    outcomeIndex: outcome,
    oppositeOutcome: labels[1 - outcome],
    oppositeAsset: market.assets[outcome === 0 ? 1 : 0],
  });
}
