/**
 * Accounts. An account is an address that holds balances and orders; it belongs to one owner, who
 * may have several (docs/decisions/0003-accounts-belong-to-owners.md). Invariant: an address never
 * changes its owner. Bound: `accounts`.
 */
import { NONE } from '../book/index.ts';
import {
  ADDRESS,
  FEE_ACCOUNT,
  isWhole,
  type Micros,
  type OpenAccount,
  type Rejected,
  type Side,
  type Split,
} from '../model/index.ts';
import { answerKnown, type EngineState, passes, refusal, reject } from '../state/engine-state.ts';

// Checks of an owner's standing. A restricted owner keeps its cash and tokens and can still merge,
// redeem and withdraw. `orders/cancel-orders.ts` changes the standing and cancels orders.

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
function roomFault(state: EngineState, account: NewAccount): Rejected | undefined {
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

/**
 * The account that collects fees: an ordinary account that owns itself, at an address that has no
 * key. It opens with the first command that lets a market charge fees or sets a builder. The
 * operator withdraws from it as from any other account.
 */
const NEW_FEE_ACCOUNT: NewAccount = {
  address: FEE_ACCOUNT,
  owner: FEE_ACCOUNT,
  wallet: 'eoa',
  paperMicros: 0 as Micros,
  byOperator: true,
};

/** Opens the fee account if necessary. Returns false if the bounds refuse it. */
export function ensureFeeAccount(state: EngineState): boolean {
  if (state.feeAccount !== NONE) return true;
  if (!passes(state, roomFault(state, NEW_FEE_ACCOUNT))) return false;
  state.feeAccount = addAccount(state, NEW_FEE_ACCOUNT);
  return true;
}
