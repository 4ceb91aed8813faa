/**
 * A row of trade_parties as its texts: a fill (wire 8.7), with both spellings of its cash (wire
 * 0.1). Invariant: every number is made of whole ones by number-text.ts; who traded and what it was
 * called are told as profiles and the catalog tell it. Bound: one row.
 */

import { ordinalOf, tradeKeyOf } from './fill-streams.ts';
import { halfTicksText, lotsText, microsText } from './number-text.ts';
import type { AccountWords, AnalyticsReads, MarketWords } from './reads.ts';

/** A look-up by key; a test reads its plan. */
export const FILL_SQL =
  'SELECT p.account_key AS accountKey, p.market_key AS marketKey, p.outcome, p.side, ' +
  'p.price_ticks AS priceTicks, p.lots, t.time_ms AS timeMs, t.seq, ' +
  't.transaction_hash AS transactionHash FROM trade_parties AS p ' +
  'CROSS JOIN trades AS t ON t.trade_key = p.trade_key WHERE p.trade_key = ? AND p.ordinal = ?';

export interface FillRow {
  readonly accountKey: number;
  readonly marketKey: number;
  readonly outcome: number;
  readonly side: 'BUY' | 'SELL';
  readonly priceTicks: number;
  readonly lots: number;
  readonly timeMs: number;
  readonly seq: number;
  readonly transactionHash: Buffer;
}

export function fillOf(reads: AnalyticsReads, row: number): FillRow {
  const statement = reads.statement<[number, number], FillRow>(FILL_SQL);
  const fill = statement.get(tradeKeyOf(row), ordinalOf(row));
  if (fill === undefined) throw new Error(`there is no fill ${row}, which was just found`);
  return fill;
}

/** `id` names the row, and grows with time. */
export function fillText(reads: AnalyticsReads, row: number, type = ''): string {
  const fill = fillOf(reads, row);
  const { outcome, lots, priceTicks } = fill;
  const words = reads.words(fill.marketKey);
  const account = reads.account(fill.accountKey);
  const cash = microsText(lots * priceTicks);
  return (
    `{"id":"${row}",${type}"proxyWallet":"${account.address}","side":"${fill.side}",` +
    `"asset":"${words.conditionId}:${outcome}",` +
    `"conditionId":"${words.conditionId}","size":${lotsText(lots)},` +
    `"price":${halfTicksText(2 * priceTicks)},"timestamp":${Math.floor(fill.timeMs / 1_000)},` +
    `"usdcSize":${cash},"stablecoinSize":${cash},${marketMembers(words)},` +
    `"outcome":${JSON.stringify(outcome === 0 ? words.outcome0 : words.outcome1)},` +
    `"outcomeIndex":${outcome},${profileMembers(account)},` +
    `"transactionHash":"0x${fill.transactionHash.toString('hex')}"}`
  );
}

export function marketMembers({ title, slug, icon, eventSlug }: MarketWords): string {
  return membersOf({ title, slug, icon, eventSlug });
}

export function profileMembers(words: AccountWords): string {
  return membersOf({
    name: words.name,
    pseudonym: words.pseudonym,
    bio: words.bio,
    profileImage: words.profileImage,
    profileImageOptimized: words.profileImageOptimized,
  });
}

function membersOf(words: object): string {
  return JSON.stringify(words).slice(1, -1);
}
