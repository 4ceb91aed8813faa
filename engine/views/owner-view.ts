/**
 * One owner's accounts and live orders, for a reader that then follows the owner by events. It
 * walks over all accounts, and over the markets or all positions, whichever are fewer.
 */

import { NONE } from '../book/index.ts';
import type { Micros, OwnedOrder, OwnerState, PositionState } from '../model/index.ts';
import type { EngineState } from '../state/index.ts';
import { viewAccount, viewOrder, viewPosition } from './state-view.ts';

/** Accounts are in order of opening, orders in order of acceptance; both empty if unknown. */
export function viewOwner(state: EngineState, owner: string): OwnerState {
  const ownerIndex = state.ledger.findOwnerIndex(owner);
  if (ownerIndex === NONE) return { accounts: [], orders: [] };
  const indexes: number[] = [];
  for (const [index, account] of state.ledger.accounts.entries()) {
    if (account.ownerIndex === ownerIndex) indexes.push(index);
  }
  const positions = positionsOf(state, indexes);
  const accounts = indexes.map((index) => viewAccount(state, index, positions.get(index) ?? []));
  return { accounts, orders: [...ordersOf(state, ownerIndex)] };
}

/** Positions by account index. */
function positionsOf(
  { positions, markets }: EngineState,
  accounts: readonly number[],
): Map<number, PositionState[]> {
  const byAccount = new Map<number, PositionState[]>();
  for (const account of accounts) byAccount.set(account, []);
  const add = (position: number): void => {
    const list = byAccount.get(positions.account[position]!);
    list?.push(...viewPosition({ positions, markets }, position));
  };
  if (accounts.length * markets.length < positions.count) {
    for (const account of accounts) {
      for (const { index } of markets) {
        const position = positions.find(account, index);
        if (position !== NONE) add(position);
      }
    }
  } else {
    for (let position = 0; position < positions.count; position += 1) add(position);
  }
  return byAccount;
}

function* ordersOf(state: EngineState, ownerIndex: number): Generator<OwnedOrder> {
  const { orders, ledger, markets, delayed } = state;
  let at = ledger.owners[ownerIndex]!.firstOrder;
  for (; at !== NONE; at = orders.ownerNext(at)) {
    const { conditionId, tokenIds } = markets[orders.market(at)]!.terms;
    const tokenId = tokenIds[orders.outcome(at)];
    const { command, releaseMs = 0 } = delayed.get(at) ?? {};
    const budgetMicros = command?.budgetMicros ?? (0 as Micros); // a resting order has none
    yield { ...viewOrder(state, at), conditionId, tokenId, budgetMicros, releaseMs };
  }
}
