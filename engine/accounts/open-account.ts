/**
 * Accounts. An account is an address that holds balances and orders; it belongs to one owner, who
 * may have several (docs/decisions/0003-accounts-belong-to-owners.md). Invariant: an address never
 * changes its owner. Bound: `accounts`.
 */

import { NONE } from '../book/index.ts';
import type { OpenAccount, Rejected, Split } from '../model/index.ts';
import { ADDRESS, FEE_ACCOUNT, isWhole } from '../model/index.ts';
import { answerKnown, type EngineState, passes, refusal, reject } from '../state/index.ts';

export type NewAccount = Omit<OpenAccount, 'kind'>;

export function openAccount(state: EngineState, command: OpenAccount): void {
  const { ledger } = state;
  const { address, owner } = command;
  if (!passes(state, formFault(state, command))) return;
  const known = ledger.findAccount(address);
  if (known === NONE) {
    if (passes(state, roomFault(state, command))) addAccount(state, command);
  } else if (ledger.accounts[known]!.owner === owner) {
    answerKnown(state, 'open_account');
  } else {
    reject(state, 'account_bound_to_other', { field: 'address', actual: address });
  }
}

/** Why an account that does not exist may not be opened. */
export function openingFault(state: EngineState, account: NewAccount): Rejected | undefined {
  return formFault(state, account) ?? roomFault(state, account);
}

/** Opens an account that may be opened. Returns its index. */
export function addAccount(state: EngineState, account: NewAccount): number {
  const { address, owner, wallet, paperMicros } = account;
  const index = state.ledger.openAccount(address, owner, wallet);
  state.ledger.deposit(index, paperMicros);
  state.events.push({ kind: 'account_opened', address, owner, wallet, paperMicros });
  return index;
}

/**
 * Why the bounds forbid another account with this play money. Checks, in order: the accounts of its
 * owner; all accounts; the deposits.
 */
export function roomFault(state: EngineState, account: NewAccount): Rejected | undefined {
  const { ledger, bounds } = state;
  const { owner, paperMicros } = account;
  const isHolders = account.byOperator !== true;
  const own = ledger.findOwner(owner)?.accountCount ?? 0;
  if (isHolders && own >= bounds.accountsPerOwner) {
    const details = { field: 'owner', limit: bounds.accountsPerOwner, actual: own };
    return refusal('too_many_accounts', details);
  }
  const maximum = isHolders ? Math.min(bounds.accounts, bounds.holderAccounts) : bounds.accounts;
  const count = ledger.accounts.length;
  if (count >= maximum) {
    const details = { field: 'address', limit: maximum, actual: count };
    return refusal('too_many_accounts', details);
  }
  const limit = depositRoom(state, isHolders);
  if (paperMicros <= limit) return undefined;
  return refusal('deposits_exhausted', { field: 'paperMicros', limit, actual: paperMicros });
}

/** What may still be deposited, in micros: by account holders as play money, or in all. */
export function depositRoom({ ledger, bounds }: EngineState, isHolders: boolean): number {
  const maximum = isHolders
    ? Math.min(bounds.totalMicros, bounds.holderMicros)
    : bounds.totalMicros;
  return Math.max(0, maximum - (ledger.depositedMicros - ledger.withdrawnMicros));
}

function formFault({ bounds }: EngineState, account: NewAccount): Rejected | undefined {
  const { address, owner, wallet, paperMicros: actual } = account;
  for (const field of ['address', 'owner'] as const) {
    if (ADDRESS.test(account[field])) continue;
    return refusal('address_malformed', { field, actual: account[field] });
  }
  for (const field of ['address', 'owner'] as const) {
    if (account[field] !== FEE_ACCOUNT) continue;
    return refusal('address_reserved', { field, actual: FEE_ACCOUNT });
  }
  if (wallet === 'eoa' && owner !== address) {
    return refusal('address_malformed', { field: 'owner', actual: owner });
  }
  const maximum = bounds.amountMicros;
  if (isWhole(actual, 0, maximum)) return undefined;
  const details = { field: 'paperMicros', limit: `0..${maximum}`, actual };
  return refusal('amount_out_of_bounds', details);
}

/** Who acts for an account: an owner, or the operator as ''. */
type Acting = Pick<Split, 'account' | 'owner'>;

/** Whether the account belongs to the acting owner; `account` is NONE if it does not exist. */
function isOwned(state: EngineState, acting: Acting, account: number): boolean {
  if (account === NONE) {
    return reject(state, 'account_unknown', { field: 'account', actual: acting.account });
  }
  if (state.ledger.accounts[account]!.owner === acting.owner) return true;
  return reject(state, 'account_not_yours', { field: 'account', actual: acting.account });
}

/** The index of the account that a command is for; NONE if its sender may not act for it. */
export function accountFor(state: EngineState, acting: Acting): number {
  const account = state.ledger.findAccount(acting.account);
  if (account !== NONE && acting.owner === '') return account;
  return isOwned(state, acting, account) ? account : NONE;
}
