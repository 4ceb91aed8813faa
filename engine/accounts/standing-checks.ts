/**
 * Checks of an owner's standing. A restricted owner keeps its cash and tokens and can still merge,
 * redeem and withdraw. `orders/set-standing.ts` changes the standing and cancels orders.
 */

import { NONE } from '../book/index.ts';
import type { Side } from '../model/index.ts';
import { type EngineState, reject } from '../state/index.ts';

/** Whether an owner may trade on a side; `account` is NONE for one that opens with the order. */
export function mayTrade(state: EngineState, account: number, owner: string, side: Side): boolean {
  const { ledger } = state;
  const isRestricted =
    account === NONE
      ? ledger.standings.has(owner)
      : ledger.owners[ledger.accounts[account]!.ownerIndex]!.isRestricted;
  if (!isRestricted) return true;
  if (!isNotBanned(state, owner)) return false;
  return side === 'SELL' || reject(state, 'owner_closed_only', { field: 'owner', actual: owner });
}

export function isNotBanned(state: EngineState, owner: string): boolean {
  if (state.ledger.standingOf(owner) !== 'banned') return true;
  return reject(state, 'owner_banned', { field: 'owner', actual: owner });
}
