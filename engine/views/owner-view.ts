/**
 * One owner's accounts and live orders, for a reader that then follows the owner by events. It
 * walks over what the owner has and over nothing else.
 */

import { NONE } from '../book/index.ts';
import type { AccountState, OwnerState } from '../model/index.ts';
import type { EngineState } from '../state/engine-state.ts';
import { OwnedOrders } from './owned-orders.ts';
import { viewAccount, viewPosition } from './state-view.ts';

/** An owner's accounts, and its live orders to be read in parts. */
export interface OwnerCopy {
  readonly accounts: readonly AccountState[];
  readonly orders: OwnedOrders;
}

/**
 * Accounts are in order of opening, positions in the markets' order of creation, orders in order of
 * acceptance; accounts and orders are empty if the owner is unknown.
 */
export function viewOwner(state: EngineState, owner: string): OwnerState {
  const { accounts, orders } = copyOwner(state, owner);
  return { accounts, orders: [...orders.take(orders.left)] };
}

/** `viewOwner` without the time that it takes to read many orders. */
export function copyOwner(state: EngineState, owner: string): OwnerCopy {
  const ownerIndex = state.ledger.findOwnerIndex(owner);
  if (ownerIndex === NONE) return { accounts: [], orders: new OwnedOrders(state, NONE) };
  const { market } = state.positions;
  const byMarket = (a: number, b: number): number => market[a]! - market[b]!;
  const accounts = accountsOf(state, ownerIndex).map((account) => {
    const positions = state.positions.ofAccount(account).sort(byMarket);
    const views = positions.flatMap((position) => [...viewPosition(state, position)]);
    return viewAccount(state, account, views);
  });
  const { firstOrder } = state.ledger.owners[ownerIndex]!;
  return { accounts, orders: new OwnedOrders(state, firstOrder) };
}

/** The indexes of an owner's accounts. */
function accountsOf({ ledger }: EngineState, ownerIndex: number): number[] {
  const accounts: number[] = [];
  let account = ledger.owners[ownerIndex]!.lastAccount;
  for (; account !== NONE; account = ledger.accounts[account]!.previousAccount) {
    accounts.push(account);
  }
  return accounts.reverse();
}
