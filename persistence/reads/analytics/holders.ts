/**
 * Holders of the tokens of markets (wire 8.7): a group for each token, in the order of the markets
 * and of their outcomes. In a group the largest holders come first; equal ones are in order of
 * their accounts' creation. A market that never opened has no groups. Bound:
 * STORE_BOUNDS.listedHolders, which the route enforces.
 */
import { strict as assert } from 'node:assert';
import { STORE_BOUNDS } from '../../shared/index.ts';
import type { AnalyticsReads } from './analytics-reads.ts';
import { lotsJson } from './number-text.ts';

export interface HoldersQuestion {
  /** Condition ids in lower case. */
  readonly markets: readonly string[];
  /** Holders of each token. */
  readonly limit: number;
  /** Leaves smaller balances out. */
  readonly leastLots: number;
}

/** A range of an index; a test checks its query plan. */
export const HOLDERS_SQL =
  'SELECT account_key AS account, lots FROM positions INDEXED BY positions_by_market ' +
  'WHERE market_key = ? AND outcome = ? AND lots > 0 AND lots >= ? ' +
  'ORDER BY lots DESC, account_key LIMIT ?';

interface HolderRow {
  readonly account: number;
  readonly lots: number;
}

const OUTCOMES = [0, 1] as const;

export function holdersText(reads: AnalyticsReads, question: HoldersQuestion): string {
  const { markets, limit, leastLots } = question;
  assert(
    markets.length * limit * OUTCOMES.length <= STORE_BOUNDS.listedHolders,
    'the route limits the number of listed holders',
  );
  const select = reads.tables.statement<[number, number, number, number], HolderRow>(HOLDERS_SQL);
  const groups = markets.flatMap((conditionId) => {
    const marketKey = reads.tables.key('market', conditionId);
    if (marketKey === undefined) return [];
    const { assets } = reads.market(marketKey);
    return OUTCOMES.map((outcome) => {
      const rows = select.all(marketKey, outcome, leastLots, limit);
      const token = assets[outcome];
      const holders = rows.map((row) => holderText(reads, row, token, outcome));
      return `{"token":"${token}","holders":[${holders.join(',')}]}`;
    });
  });
  return `[${groups.join(',')}]`;
}

function holderText(
  reads: AnalyticsReads,
  { account, lots }: HolderRow,
  token: string,
  outcome: number,
): string {
  const { address, ...profile } = reads.profile(account);
  return (
    `{"proxyWallet":"${address}","bio":${JSON.stringify(profile.bio)},"asset":"${token}",` +
    `"pseudonym":${JSON.stringify(profile.pseudonym)},"amount":${lotsJson(lots)},` +
    `"displayUsernamePublic":${profile.displayUsernamePublic},"outcomeIndex":${outcome},` +
    `"name":${JSON.stringify(profile.name)},` +
    `"profileImage":${JSON.stringify(profile.profileImage)},` +
    `"profileImageOptimized":${JSON.stringify(profile.profileImageOptimized)}}`
  );
}
