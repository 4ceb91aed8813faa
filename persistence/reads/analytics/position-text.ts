/**
 * A position as JSON text, open or closed (wire 8.7; formulas.md of the projection). Invariant:
 * every amount is formatted from whole numbers (number-text.ts).
 */
import { type AccountProfile, addWide, type WideSum, wideSum } from '../../shared/index.ts';
import type { AnalyticsReads, MarketContent } from './analytics-reads.ts';
import { labelOf } from './fill-text.ts';
import {
  averagePriceText,
  halfMicrosText,
  halfTicksJson,
  lotsJson,
  membersOf,
  microsJson,
  percentText,
} from './number-text.ts';
import { PRICE_SQL } from './position-sql.ts';

/** A look-up by key; a test checks its query plan. */
export const POSITION_SQL =
  'SELECT p.market_key AS marketKey, p.outcome, p.lots, p.cost_micros AS costMicros, ' +
  'p.bought_lots AS boughtLots, p.paid_micros AS paidMicros, ' +
  'p.realized_micros AS realizedMicros, p.changed_ms AS changedMs, p.closed_ms AS closedMs, ' +
  'p.buy_fee_micros AS buyFeeMicros, p.opened_ms AS openedMs, ' +
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
  readonly buyFeeMicros: string;
  readonly openedMs: number;
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

export function positionWriter(reads: AnalyticsReads, accountKey: number) {
  const lookUp = reads.tables.statement<[number, number, number], PositionRow>(POSITION_SQL);
  return ({ marketKey, outcome }: PositionKey): string => {
    const row = lookUp.get(accountKey, marketKey, outcome);
    if (row === undefined) throw new Error(`position ${marketKey}/${outcome} has no row`);
    const market = reads.market(marketKey);
    const profile = reads.profile(accountKey);
    if (reads.version === 2) return positionV2Text(profile, row, market);
    return positionText(profile.address, row, market);
  };
}

/** A position in the words of version 2, of an account's list or of a market's. */
export function positionV2Text(
  profile: AccountProfile,
  row: PositionRow,
  market: MarketContent,
): string {
  const { outcome, lots, otherLots, isResolved, closedMs } = row;
  const { address, name, profileImage, verifiedBadge } = profile;
  const isOpen = closedMs === 0;
  // What lost is closed, but its tokens can still be redeemed, for nothing.
  const redeemable = isOpen ? isResolved === 1 : lots > 0;
  const other = outcome === 0 ? 1 : 0;
  const texts = {
    status: redeemable ? 'REDEEMABLE' : isOpen ? 'OPEN' : 'CLOSED',
    redeemable,
    mergeable: isOpen && isResolved === 0 && otherLots > 0,
    negative_risk: market.negRisk === 1,
    archived: market.archived === 1,
    title: market.title,
    slug: market.slug,
    icon: market.icon,
    event_id: `${market.eventId ?? ''}`,
    event_slug: market.eventSlug,
    outcome: labelOf(market, outcome),
    outcome_index: outcome,
    opposite_outcome: labelOf(market, other),
    opposite_token_id: market.assets[other],
    end_date: market.endDate?.slice(0, 10) ?? '1970-01-01',
    last_event_at: Math.floor(row.changedMs / 1_000),
    first_entry_at: Math.floor(row.openedMs / 1_000),
    name,
    profile_image: profileImage,
    verified: verifiedBadge === true,
  };
  return (
    `{"proxy_wallet":"${address}","token_id":"${market.assets[outcome]}",` +
    `"condition_id":"${market.conditionId}",${amountsV2(row)},${membersOf(texts)}}`
  );
}

/** Half micros: what a position's open tokens are worth and cost, and its profit of all time. */
export function worthOf({ lots, costMicros, halfTicks, closedMs, realizedMicros }: PositionRow) {
  const worth = closedMs === 0 ? BigInt(lots) * BigInt(halfTicks) : 0n;
  const cost = BigInt(costMicros) * 2n;
  return { worth, cost, profit: worth - cost + 2n * BigInt(wideSum(realizedMicros)) };
}

/** What holders of a market tell of a position too. */
export function economicsV2(row: PositionRow): string {
  const { lots, costMicros, halfTicks } = row;
  const { boughtLots, paidMicros, realizedMicros } = sumsOf(row);
  const [costs, size] = row.closedMs === 0 ? [costMicros, lots] : [paidMicros, boughtLots];
  const { worth, cost, profit } = worthOf(row);
  return (
    `"avg_price":${averagePriceText(costs, size)},"entry_cost_usdc":${microsJson(costMicros)},` +
    `"current_price":${halfTicksJson(halfTicks)},"current_value":${halfMicrosText(worth)},` +
    `"realized_pnl":${microsJson(realizedMicros)},` +
    `"unrealized_pnl":${halfMicrosText(worth - cost)},"total_pnl":${halfMicrosText(profit)}`
  );
}

/** The last percentage is as the public documents define it: as if all tokens were still held. */
function amountsV2(row: PositionRow): string {
  const { lots, costMicros } = row;
  const { boughtLots, paidMicros } = sumsOf(row);
  const buyFees = wideSum(row.buyFeeMicros);
  const [costs, size] = row.closedMs === 0 ? [costMicros, lots] : [paidMicros, boughtLots];
  const { worth, cost } = worthOf(row);
  const basis = 2n * BigInt(boughtLots) * BigInt(costs);
  return (
    `"current_size":${lotsJson(lots)},${economicsV2(row)},` +
    `"entry_fees_usdc":${microsJson(buyFees)},` +
    `"total_cost_usdc":${microsJson(addWide(buyFees, costMicros))},` +
    `"total_size":${lotsJson(boughtLots)},"percent_pnl":${percentText(worth - cost, cost)},` +
    `"percent_realized_pnl":${percentText(worth * BigInt(size) - basis, basis)}`
  );
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
