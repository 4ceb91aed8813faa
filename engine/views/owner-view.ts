/**
 * What one owner has and wants: its accounts with what they hold, and its live orders. For whoever
 * begins to follow an owner by events; slow, for it walks over all accounts, and over the markets
 * or all positions, whichever are fewer.
 */

import { NONE } from '../book/index.ts';
import type {
  AccountState,
  Micros,
  OwnedOrder,
  OwnerState,
  PositionState,
} from '../model/index.ts';
import type { Core } from '../state/index.ts';
import { viewOrder } from './snapshot-view.ts';

/** Accounts in order of opening, orders in order of acceptance; nothing of an unknown owner. */
export function viewOwner(core: Core, owner: string): OwnerState {
  const ownerIndex = core.ledger.findOwnerIndex(owner);
  if (ownerIndex === NONE) return { accounts: [], orders: [] };
  const indexes = accountsOf(core, ownerIndex);
  const positions = positionsOf(core, indexes);
  const accounts = indexes.map((index) => viewAccount(core, index, positions.get(index) ?? []));
  return { accounts, orders: [...ordersOf(core, ownerIndex)] };
}

function accountsOf({ ledger }: Core, ownerIndex: number): number[] {
  const indexes: number[] = [];
  for (const [index, account] of ledger.accounts.entries()) {
    if (account.ownerIndex === ownerIndex) indexes.push(index);
  }
  return indexes;
}

function viewAccount({ ledger }: Core, index: number, positions: PositionState[]): AccountState {
  const { address, owner, wallet } = ledger.accounts[index]!;
  return {
    address,
    owner,
    wallet,
    availableMicros: ledger.availableMicros[index]! as Micros, // whole micros by construction
    heldMicros: ledger.heldMicros[index]! as Micros, // whole micros by construction
    positions,
  };
}

/** By account. */
function positionsOf(core: Core, accounts: readonly number[]): Map<number, PositionState[]> {
  const byAccount = new Map<number, PositionState[]>();
  for (const account of accounts) byAccount.set(account, []);
  const { positions, markets } = core;
  if (accounts.length * markets.length < positions.count) {
    for (const account of accounts) {
      for (const { index } of markets) addPosition(core, positions.find(account, index), byAccount);
    }
  } else {
    for (let position = 0; position < positions.count; position += 1) {
      addPosition(core, position, byAccount);
    }
  }
  return byAccount;
}

function addPosition(
  { positions, markets }: Core,
  position: number,
  byAccount: ReadonlyMap<number, PositionState[]>,
): void {
  const list = position === NONE ? undefined : byAccount.get(positions.account[position]!);
  if (list === undefined) return;
  const { conditionId } = markets[positions.market[position]!]!.terms;
  for (const outcome of [0, 1] as const) {
    const availableLots = positions.available(position, outcome);
    const heldLots = positions.held(position, outcome);
    if (availableLots + heldLots > 0) list.push({ conditionId, outcome, availableLots, heldLots });
  }
}

function* ordersOf(core: Core, ownerIndex: number): Generator<OwnedOrder> {
  const { orders, ledger, markets, delayed } = core;
  let at = ledger.owners[ownerIndex]!.firstOrder;
  for (; at !== NONE; at = orders.ownerNext(at)) {
    const { conditionId, tokenIds } = markets[orders.market(at)]!.terms;
    const tokenId = tokenIds[orders.outcome(at)];
    const waiting = delayed.get(at);
    const budgetMicros = waiting?.command.budgetMicros ?? (0 as Micros); // nothing
    const releaseMs = waiting?.releaseMs ?? 0;
    yield { ...viewOrder(core, at), conditionId, tokenId, budgetMicros, releaseMs };
  }
}
