/** The open positions of an account, and what it has won. */

import { microsOf } from '../trading/units.ts';
import { type OpenPosition, send } from '../wire/index.ts';
import { PORTFOLIO_BOUNDS } from './use-pages.ts';

export interface Holdings {
  /** The largest value first. */
  readonly positions: readonly OpenPosition[];
  /** Whether the account has more positions than the page adds up. */
  readonly isCut: boolean;
  readonly valueMicros: number;
  /** What the positions would win if they were sold at the price of now. */
  readonly unrealizedMicros: number;
  /** What was won by sales, merges, redemptions and conversions, less fees. */
  readonly realizedMicros: number;
}

async function fetchPositions(user: string, signal: AbortSignal) {
  const limit = PORTFOLIO_BOUNDS.positionsPerAnswer;
  const positions: OpenPosition[] = [];
  for (let answer = 0; answer < PORTFOLIO_BOUNDS.positionAnswers; answer += 1) {
    const query = { user, limit, offset: answer * limit, sizeThreshold: 0, sortBy: 'CURRENT' };
    const request = { method: 'GET', path: '/positions', query, signal } as const;
    const rows = await send(request);
    positions.push(...rows);
    if (rows.length < limit) return { positions, isCut: false };
  }
  return { positions, isCut: true };
}

/** The realized profit of all time: of an account that never traded there is no row. */
async function fetchRealized(user: string, signal: AbortSignal): Promise<number> {
  const query = { user, timePeriod: 'ALL' };
  const request = { method: 'GET', path: '/v1/leaderboard', query, signal } as const;
  const [leader] = await send(request);
  return microsOf(leader?.pnl ?? 0);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + microsOf(amount), 0);
}

export async function fetchHoldings(user: string, signal: AbortSignal): Promise<Holdings> {
  const [{ positions, isCut }, realizedMicros] = await Promise.all([
    fetchPositions(user, signal),
    fetchRealized(user, signal),
  ]);
  return {
    positions,
    isCut,
    valueMicros: sum(positions.map(({ currentValue }) => currentValue)),
    unrealizedMicros: sum(positions.map(({ cashPnl }) => cashPnl)),
    realizedMicros,
  };
}
