/**
 * The collateral behind tokens, and the conservation of money, which is checked after every command
 * on what it touched (docs/decisions/0001-pure-engine-behind-one-writer.md).
 */

import { NONE } from '../book/index.ts';
import { invariant, ONE_TICKS } from '../model/index.ts';
import type { EngineState } from './engine-state.ts';
import type { Market } from './market.ts';

/** Creates complete sets (positive) or burns them (negative). */
export function changeSets(state: EngineState, market: Market, lots: number): void {
  market.setsLots += lots;
  state.lockedMicros += lots * ONE_TICKS;
  invariant(market.setsLots >= 0, 'complete sets are never negative');
}

/** Checks the invariants of a market that a command touched. */
export function checkMarket(state: EngineState, market: Market): void {
  const { bestBid, bestAsk } = market.book;
  const { setsLots, bundlesLots, index } = market;
  invariant(bestAsk === NONE || bestBid < bestAsk, 'no book is crossed');
  invariant(
    state.positions.supply(index, 0) === setsLots &&
      state.positions.supply(index, 1) === setsLots - bundlesLots,
    'YES held = complete sets, NO held = complete sets - bundles converted',
  );
}

/** Checks that no money appeared or vanished. */
export function checkCash(state: EngineState): void {
  const { totalMicros, depositedMicros, withdrawnMicros } = state.ledger;
  invariant(
    totalMicros + state.lockedMicros === depositedMicros - withdrawnMicros,
    'cash and locked collateral equal deposits less withdrawals',
  );
}
