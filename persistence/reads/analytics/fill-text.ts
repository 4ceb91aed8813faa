/**
 * A fill as JSON text (wire 8.7), with both spellings of its cash (wire 0.1). Invariant: every
 * amount is formatted from whole numbers (number-text.ts).
 */
import type { AccountProfile } from '../../shared/index.ts';
import { ordinalOf, tradeKeyOf } from '../tables/fill-walks.ts';
import type { AnalyticsReads, MarketContent } from './analytics-reads.ts';
import { halfTicksJson, lotsJson, microsJson } from './number-text.ts';

/** A look-up by key; a test checks its query plan. */
export const FILL_SQL =
  'SELECT p.account_key AS accountKey, p.market_key AS marketKey, p.outcome, p.side, ' +
  'p.price_ticks AS priceTicks, p.lots, t.time_ms AS timeMs, t.seq, ' +
  't.transaction_hash AS transactionHash FROM trade_parties AS p ' +
  'CROSS JOIN trades AS t ON t.trade_key = p.trade_key WHERE p.trade_key = ? AND p.ordinal = ?';

export interface PartyRow {
  readonly accountKey: number;
  readonly marketKey: number;
  readonly outcome: 0 | 1;
  readonly side: 'BUY' | 'SELL';
  readonly priceTicks: number;
  readonly lots: number;
  readonly timeMs: number;
  readonly seq: number;
  readonly transactionHash: Buffer;
}

export function fillOf(reads: AnalyticsReads, fillKey: number): PartyRow {
  const statement = reads.tables.statement<[number, number], PartyRow>(FILL_SQL);
  const fill = statement.get(tradeKeyOf(fillKey), ordinalOf(fillKey));
  if (fill === undefined) throw new Error(`fill ${fillKey} has no row`);
  return fill;
}

/** `type`: a further member, with a comma after it, that lists of activity have. */
export function fillText(reads: AnalyticsReads, fillKey: number, type = ''): string {
  const fill = fillOf(reads, fillKey);
  const { outcome, lots, priceTicks } = fill;
  const market = reads.market(fill.marketKey);
  const profile = reads.profile(fill.accountKey);
  const cash = microsJson(lots * priceTicks);
  return (
    `{"id":"${fillKey}",${type}"proxyWallet":"${profile.address}","side":"${fill.side}",` +
    `"asset":"${market.assets[outcome]}",` +
    `"conditionId":"${market.conditionId}","size":${lotsJson(lots)},` +
    `"price":${halfTicksJson(2 * priceTicks)},"timestamp":${Math.floor(fill.timeMs / 1_000)},` +
    `"usdcSize":${cash},"stablecoinSize":${cash},${fillMarketMembers(market)},` +
    `"outcome":${JSON.stringify(outcome === 0 ? market.outcome0 : market.outcome1)},` +
    `"outcomeIndex":${outcome},${profileMembers(profile)},` +
    `"transactionHash":"0x${fill.transactionHash.toString('hex')}"}`
  );
}

export function fillMarketMembers({ title, slug, icon, eventSlug }: MarketContent): string {
  return membersOf({ title, slug, icon, eventSlug });
}

export function profileMembers(profile: AccountProfile): string {
  const { name, pseudonym, bio, profileImage, profileImageOptimized } = profile;
  return membersOf({ name, pseudonym, bio, profileImage, profileImageOptimized });
}

/** The members of an object as JSON, without its braces. */
export function membersOf(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
