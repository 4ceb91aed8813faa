/**
 * One owner's accounts and live orders, for a reader that then follows the owner by events. It
 * walks over what the owner has and over nothing else.
 */

import { NONE } from '../book/index.ts';
import type { Micros, OwnedOrder, OwnerState } from '../model/index.ts';
import type { EngineState } from '../state/index.ts';
import { viewAccount, viewOrder, viewPosition } from './state-view.ts';

/**
 * Accounts are in order of opening, positions in the markets' order of creation, orders in order of
 * acceptance; accounts and orders are empty if the owner is unknown.
 */
export function viewOwner(state: EngineState, owner: string): OwnerState {
  const ownerIndex = state.ledger.findOwnerIndex(owner);
  if (ownerIndex === NONE) return { accounts: [], orders: [] };
  const { market } = state.positions;
  const byMarket = (a: number, b: number): number => market[a]! - market[b]!;
  const accounts = accountsOf(state, ownerIndex).map((account) => {
    const positions = state.positions.ofAccount(account).sort(byMarket);
    const views = positions.flatMap((position) => [...viewPosition(state, position)]);
    return viewAccount(state, account, views);
  });
  return { accounts, orders: [...ordersOf(state, ownerIndex)] };
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

function* ordersOf(state: EngineState, ownerIndex: number): Generator<OwnedOrder> {
  const { orders, ledger, markets, delayed, unfinished } = state;
  let at = ledger.owners[ownerIndex]!.firstOrder;
  for (; at !== NONE; at = orders.ownerNext(at)) {
    const { conditionId, tokenIds } = markets[orders.market(at)]!.terms;
    const tokenId = tokenIds[orders.outcome(at)];
    const { releaseMs = 0, budgetMicros: delayedMicros } = delayed.get(at) ?? {};
    const unfinishedMicros = unfinished?.handle === at ? unfinished.terms.budgetMicros : undefined;
    // A resting order has no budget.
    const budgetMicros = unfinishedMicros ?? delayedMicros ?? (0 as Micros);
    yield { ...viewOrder(state, at), conditionId, tokenId, budgetMicros, releaseMs };
  }
}
