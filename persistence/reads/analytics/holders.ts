/**
 * Holders of the tokens of markets (wire 8.7): a group for each token, in the order of the markets
 * and of their outcomes. In a group the largest holders come first; equal ones are in order of
 * their accounts' creation. A market that never opened has no groups. In version 2 a holder has the
 * tokens of one outcome less those of the other, and one that has as many of both is shown with the
 * first; a group without rows is left out. Bounds: STORE_BOUNDS.listedHolders, which the route
 * enforces; holders of a token that are sorted by a difference, as in market-positions.ts.
 */
import { strict as assert } from 'node:assert';
import { STORE_BOUNDS } from '../../shared/index.ts';
import type { AnalyticsReads } from './analytics-reads.ts';
import { boundOfToken } from './market-positions.ts';
import { lotsJson, membersOf } from './number-text.ts';
import type { PageText, RowPlace } from './page-text.ts';
import { economicsV2, POSITION_SQL, type PositionRow } from './position-text.ts';

export interface HoldersQuestion {
  /** Condition ids in lower case. */
  readonly markets: readonly string[];
  /** Holders of each token. */
  readonly limit: number;
  /** Leaves smaller balances out. */
  readonly leastLots: number;
  /** In version 2: whole balances with their profit, in place of differences. */
  readonly withProfit?: boolean;
  /** In version 2: the lots and the account of the last row of each token, in order. */
  readonly after?: RowPlace | undefined;
}

/** A range of an index; a test checks its query plan. */
export const HOLDERS_SQL =
  'SELECT account_key AS account, lots FROM positions INDEXED BY positions_by_market ' +
  'WHERE market_key = @market AND outcome = @outcome AND lots > 0 AND lots >= @leastLots ' +
  'AND lots <= @last AND (lots < @last OR account_key > @lastAccount) ' +
  'ORDER BY lots DESC, account_key LIMIT @limit';

const NET = '(p.lots - coalesce(o.lots, 0))';

export const NET_HOLDERS_SQL =
  `SELECT p.account_key AS account, ${NET} AS lots ` +
  'FROM positions AS p INDEXED BY positions_by_market ' +
  'LEFT JOIN positions AS o ON o.account_key = p.account_key AND o.market_key = p.market_key ' +
  'AND o.outcome = 1 - p.outcome ' +
  'WHERE p.market_key = @market AND p.outcome = @outcome AND p.lots > 0 ' +
  `AND p.lots >= @leastLots AND ${NET} >= max(@leastLots, @outcome) ` +
  `AND (${NET} < @last OR ${NET} = @last AND p.account_key > @lastAccount) ` +
  `ORDER BY ${NET} DESC, p.account_key LIMIT @limit`;

interface HolderRow {
  readonly account: number;
  readonly lots: number;
}

const OUTCOMES = [0, 1] as const;

interface Token {
  readonly marketKey: number;
  readonly outcome: 0 | 1;
  readonly token: string;
}

export function holdersText(reads: AnalyticsReads, question: HoldersQuestion): string | PageText {
  const { markets, limit } = question;
  assert(
    markets.length * limit * OUTCOMES.length <= STORE_BOUNDS.listedHolders,
    'the route limits the number of listed holders',
  );
  const tokens = markets.flatMap((conditionId): Token[] => {
    const marketKey = reads.tables.key('market', conditionId);
    if (marketKey === undefined) return [];
    const { assets } = reads.market(marketKey);
    return OUTCOMES.map((outcome) => ({ marketKey, outcome, token: assets[outcome] }));
  });
  if (reads.version === 2) return groupsV2(reads, tokens, question);
  const groups = tokens.map((token) => {
    const rows = rowsOf(reads, token, { ...question, withProfit: true });
    const holders = rows.map((row) => holderText(reads, row, token));
    return `{"token":"${token.token}","holders":[${holders.join(',')}]}`;
  });
  return `[${groups.join(',')}]`;
}

type Place = readonly [lots: number, account: number];

function rowsOf(
  reads: AnalyticsReads,
  { marketKey: market, outcome }: Token,
  { limit, leastLots, withProfit }: HoldersQuestion,
  [last, lastAccount]: Place = [Number.MAX_SAFE_INTEGER, 0],
): HolderRow[] {
  const sql = withProfit ? HOLDERS_SQL : NET_HOLDERS_SQL;
  const values = { market, outcome, leastLots, limit, last, lastAccount };
  return reads.tables.statement<[object], HolderRow>(sql).all(values);
}

interface Group {
  readonly token: Token;
  readonly place: Place | undefined;
  readonly rows: readonly HolderRow[];
}

/** A page has the next rows of every token. */
function groupsV2(
  reads: AnalyticsReads,
  tokens: readonly Token[],
  question: HoldersQuestion,
): PageText {
  const { after = [], limit } = question;
  const groups = tokens.map((token, index): Group => {
    const [lots, account] = after.slice(2 * index).map(Number);
    const place =
      lots === undefined || account === undefined ? undefined : ([lots, account] as const);
    if (!question.withProfit) boundOfToken(reads, token, 'include_pnl=true lists whole balances');
    return { token, place, rows: rowsOf(reads, token, { ...question, limit: limit + 1 }, place) };
  });
  const shown = groups.filter(({ rows }) => rows.length > 0);
  const texts = shown.map(({ token, rows }) => {
    const holders = rows.slice(0, limit).map((row) => holderV2Text(reads, row, token, question));
    return `{"token_id":"${token.token}","holders":[${holders.join(',')}]}`;
  });
  const text = `[${texts.join(',')}]`;
  if (groups.every(({ rows }) => rows.length <= limit)) return { text, next: undefined };
  const next = groups.flatMap(({ place, rows }) => {
    const last = rows.slice(0, limit).at(-1);
    // No row follows where there was none.
    return last === undefined ? (place ?? [-1, 0]) : [last.lots, last.account];
  });
  return { text, next };
}

function holderV2Text(
  reads: AnalyticsReads,
  { account, lots }: HolderRow,
  { marketKey, outcome, token }: Token,
  { withProfit }: HoldersQuestion,
): string {
  const { address, name, pseudonym, bio, ...profile } = reads.profile(account);
  const select = reads.tables.statement<[number, number, number], PositionRow>(POSITION_SQL);
  const row = withProfit ? select.get(account, marketKey, outcome) : undefined;
  const texts = {
    name,
    pseudonym,
    bio,
    display_username_public: profile.displayUsernamePublic,
    profile_image: profile.profileImage,
    profile_image_optimized: profile.profileImageOptimized,
    verified: profile.verifiedBadge === true,
  };
  return (
    `{"proxy_wallet":"${address}","token_id":"${token}","outcome_index":${outcome},` +
    `"amount":${lotsJson(lots)},${row === undefined ? '' : `${economicsV2(row)},`}` +
    `${membersOf(texts)}}`
  );
}

function holderText(
  reads: AnalyticsReads,
  { account, lots }: HolderRow,
  { token, outcome }: Token,
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
