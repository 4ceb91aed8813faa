/**
 * Checks of an owner's standing. A restricted owner keeps its cash and tokens and can still merge,
 * redeem and withdraw. `orders/set-standing.ts` changes the standing and cancels orders.
 */

import { NONE } from '../book/index.ts';
import type { Rejected, Side } from '../model/index.ts';
import { type EngineState, passes, refusal } from '../state/index.ts';

/** Why an owner may not trade on a side; `account` is NONE for one that opens with the order. */
export function standingFault(
  state: EngineState,
  account: number,
  owner: string,
  side: Side,
): Rejected | undefined {
  const { ledger } = state;
  const isRestricted =
    account === NONE
      ? ledger.standings.has(owner)
      : ledger.owners[ledger.accounts[account]!.ownerIndex]!.isRestricted;
  if (!isRestricted) return undefined;
  const banned = banFault(state, owner);
  if (banned !== undefined || side === 'SELL') return banned;
  return refusal('owner_closed_only', { field: 'owner', actual: owner });
}

/** Whether the owner of an account may buy. */
export function mayBuy(state: EngineState, account: number): boolean {
  const { owner } = state.ledger.accounts[account]!;
  return passes(state, standingFault(state, account, owner, 'BUY'));
}

export function banFault({ ledger }: EngineState, owner: string): Rejected | undefined {
  if (ledger.standingOf(owner) !== 'banned') return undefined;
  return refusal('owner_banned', { field: 'owner', actual: owner });
}
