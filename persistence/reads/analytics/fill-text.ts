/**
 * A fill as JSON text (wire 8.7), with both spellings of its cash (wire 0.1). Invariant: every
 * amount is formatted from whole numbers (number-text.ts).
 */
import type { AccountProfile } from '../../shared/index.ts';
import { ordinalOf, tradeKeyOf } from '../tables/fill-walks.ts';
import type { AnalyticsReads, MarketContent } from './analytics-reads.ts';
import { halfTicksJson, lotsJson, membersOf, microsJson } from './number-text.ts';

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
  if (reads.version === 2) {
    const [shown, price] = [type === '' ? '' : cash, halfTicksJson(2 * priceTicks)];
    const moved = { ...fill, size: lotsJson(lots), cash: shown, price };
    return feedText({ ...moved, type, market, profile, hash: hashOf(fill) });
  }
  return (
    `{"id":"${fillKey}",${type}"proxyWallet":"${profile.address}","side":"${fill.side}",` +
    `"asset":"${market.assets[outcome]}",` +
    `"conditionId":"${market.conditionId}","size":${lotsJson(lots)},` +
    `"price":${halfTicksJson(2 * priceTicks)},"timestamp":${Math.floor(fill.timeMs / 1_000)},` +
    `"usdcSize":${cash},"stablecoinSize":${cash},${market.members},` +
    `"outcome":${JSON.stringify(outcome === 0 ? market.outcome0 : market.outcome1)},` +
    `"outcomeIndex":${outcome},${profile.members},` +
    `"transactionHash":"${hashOf(fill)}"}`
  );
}

function hashOf({ transactionHash }: PartyRow): string {
  return `0x${transactionHash.toString('hex')}`;
}

/** What a row of the feeds of version 2 tells. */
export interface FeedRow extends Pick<PartyRow, 'timeMs'> {
  readonly size: string;
  readonly market: MarketContent;
  readonly profile: AccountProfile;
  /** As of `fillText`. */
  readonly type: string;
  /** null for complete sets. */
  readonly outcome: 0 | 1 | null;
  /** '' where there is none. */
  readonly side: string;
  readonly price: string;
  /** '' in rows that do not show it. */
  readonly cash: string;
  readonly hash: string;
}

/** The outcome index of complete sets, as public venues show it. */
export const NO_OUTCOME = 999;

/** The name of an outcome; '' for complete sets. */
export function labelOf({ outcome0, outcome1 }: MarketContent, outcome: 0 | 1 | null): string {
  return outcome === null ? '' : outcome === 0 ? outcome0 : outcome1;
}

/** A trade or another activity, in the words of version 2. */
export function feedText(moved: FeedRow): string {
  const { market, profile, outcome, cash } = moved;
  const { title, slug, icon, eventSlug, conditionId } = market;
  const { name, pseudonym, bio, profileImage, profileImageOptimized } = profile;
  const texts = { title, slug, icon, event_slug: eventSlug, outcome: labelOf(market, outcome) };
  const images = { profile_image: profileImage, profile_image_optimized: profileImageOptimized };
  return (
    `{${moved.type}"proxy_wallet":"${profile.address}","side":"${moved.side}",` +
    `"token_id":"${outcome === null ? '' : market.assets[outcome]}",` +
    `"condition_id":"${conditionId}","size":${moved.size},"price":${moved.price},` +
    `${cash === '' ? '' : `"usdc_size":${cash},`}"timestamp":${Math.floor(moved.timeMs / 1_000)},` +
    `${membersOf(texts)},"outcome_index":${outcome ?? NO_OUTCOME},` +
    `${membersOf({ name, pseudonym, bio, ...images })},"transaction_hash":"${moved.hash}"}`
  );
}
