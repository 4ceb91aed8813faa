/** What the tables have of an account. Bound: STORE_BOUNDS.exploredPositions positions. */
import type { Lots, Outcome } from '../../../engine/index.ts';
import { STORE_BOUNDS } from '../../shared/index.ts';
import { PRICE_SQL } from '../analytics/index.ts';
import type { ReadTables } from '../tables/index.ts';

/** Tokens of an account, available and held, also worthless ones that were not redeemed. */
export interface HeldPosition {
  readonly conditionId: string;
  readonly tokenId: string;
  readonly outcome: Outcome;
  readonly lots: Lots;
  /** The value of one token, as in the value of positions. */
  readonly halfTicks: number;
}

export interface ExploredAccount {
  /** The command that opened it. */
  readonly openedSeq: number;
  /** In the markets' order of creation, then YES before NO. */
  readonly positions: readonly HeldPosition[];
  /** Whether there are further positions. */
  readonly more: boolean;
}

export const EXPLORER_ACCOUNT_SQL = {
  opened: 'SELECT opened_seq FROM accounts WHERE account_key = @accountKey',
  positions:
    'SELECT condition_id AS conditionId, iif(p.outcome = 0, yes_token, no_token) AS tokenId, ' +
    `p.outcome, p.lots, ${PRICE_SQL} AS halfTicks FROM positions AS p ` +
    'JOIN markets ON markets.market_key = p.market_key ' +
    'JOIN market_states AS s ON s.market_key = p.market_key ' +
    'WHERE p.account_key = ? AND p.lots > 0 ORDER BY p.market_key, p.outcome LIMIT ?',
} as const;

export function exploreAccount(tables: ReadTables, address: string): ExploredAccount | undefined {
  const accountKey = tables.key('account', address);
  if (accountKey === undefined) return undefined;
  const limit = STORE_BOUNDS.exploredPositions;
  const [openedSeq = 0] = tables.column<number>(EXPLORER_ACCOUNT_SQL.opened, { accountKey });
  const positions = tables
    .statement<[number, number], HeldPosition>(EXPLORER_ACCOUNT_SQL.positions)
    .all(accountKey, limit + 1);
  return { openedSeq, positions: positions.slice(0, limit), more: positions.length > limit };
}
