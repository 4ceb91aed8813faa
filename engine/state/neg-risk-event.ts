/**
 * Neg-risk events: groups of markets of which exactly one resolves to YES, so that NO in several of
 * them can be converted into cash and YES (docs/decisions/0011-market-lives.md). An event is
 * opened once, with the markets that it has then; its markets trade before and after. Bundles are
 * the lots converted so far. Invariants: in each of its n markets YES held = sets and NO held =
 * sets - bundles; its locked collateral = all sets - (n - 1) x bundles. Bound: `marketsPerEvent`.
 */

import { ONE_TICKS } from '../model/index.ts';
import type { Market } from './market.ts';

export interface NegRiskEvent {
  readonly eventId: string;
  readonly noneConditionId: string;
  /** In order of creation. */
  readonly markets: readonly Market[];
  /** Places in `markets` by condition id. */
  readonly places: ReadonlyMap<string, number>;
  /** The market that resolved to YES. */
  winner: Market | undefined;
}

/** The collateral locked for an event. Adds lots first: the sets' micros alone may exceed 2^53. */
export function lockedMicrosOf({ markets }: NegRiskEvent): number {
  const sets = markets.reduce((sum, { setsLots }) => sum + setsLots, 0);
  const bundles = markets[0]?.bundlesLots ?? 0;
  return (sets - (markets.length - 1) * bundles) * ONE_TICKS;
}
