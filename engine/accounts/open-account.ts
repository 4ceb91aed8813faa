/** Accounts: which owner may act for which address. Bindings are for good (design 3). */

import { NONE } from '../book/index.ts';
import type { OpenAccount } from '../model/index.ts';
import { ADDRESS, FEE_ACCOUNT, isWhole, type Micros } from '../model/index.ts';
import { type Core, reject } from '../state/index.ts';

/** Who acts for which account. */
interface Acting {
  readonly account: string;
  readonly owner: string;
}

/** Whether an account, NONE if it is not open, belongs to who acts for it; says why not. */
export function isOwned(core: Core, acting: Acting, account: number): boolean {
  if (account === NONE) {
    reject(core, 'account_unknown', { field: 'account', actual: acting.account });
    return false;
  }
  if (core.ledger.accounts[account]!.owner !== acting.owner) {
    reject(core, 'account_not_yours', { field: 'account', actual: acting.account });
    return false;
  }
  return true;
}

/** The account of its owner's command, or of the operator's (owner ''); NONE if it is refused. */
export function accountFor(core: Core, acting: Acting): number {
  const account = core.ledger.findAccount(acting.account);
  if (account !== NONE && acting.owner === '') return account;
  return isOwned(core, acting, account) ? account : NONE;
}

/** What a new account is opened with. */
export type NewAccount = Omit<OpenAccount, 'kind'>;

export function openAccount(core: Core, command: OpenAccount): void {
  const { ledger } = core;
  const { address, owner } = command;
  if (!checkOpening(core, command)) return;
  const known = ledger.findAccount(address);
  if (known === NONE) {
    if (hasRoomFor(core, command)) addAccount(core, command);
  } else if (ledger.accounts[known]!.owner === owner) {
    core.events.push({ kind: 'known', command: 'open_account' });
  } else {
    reject(core, 'account_bound_to_other', { field: 'address', actual: address });
  }
}

/** Whether an account that is not known may be opened; says why not. */
export function mayOpen(core: Core, opening: NewAccount): boolean {
  return checkOpening(core, opening) && hasRoomFor(core, opening);
}

/** Opens an account that may be opened; returns its index. */
export function addAccount(core: Core, opening: NewAccount): number {
  const { address, owner, wallet, paperMicros } = opening;
  const account = core.ledger.openAccount(address, owner, wallet);
  core.ledger.deposit(account, paperMicros);
  core.events.push({ kind: 'account_opened', address, owner, wallet, paperMicros });
  return account;
}

/** Whether the bounds let an account open; says why not. */
export function hasRoomFor(core: Core, { paperMicros }: NewAccount): boolean {
  const { ledger, bounds } = core;
  const count = ledger.accounts.length;
  if (count >= bounds.accounts) {
    const details = { field: 'address', limit: bounds.accounts, actual: count };
    reject(core, 'too_many_accounts', details);
    return false;
  }
  const limit = bounds.totalMicros - ledger.depositedMicros;
  if (paperMicros <= limit) return true;
  reject(core, 'deposits_exhausted', { field: 'paperMicros', limit, actual: paperMicros });
  return false;
}

function checkOpening(core: Core, command: NewAccount): boolean {
  const most = core.bounds.amountMicros;
  for (const field of ['address', 'owner'] as const) {
    if (ADDRESS.test(command[field])) continue;
    reject(core, 'address_malformed', { field, actual: command[field] });
    return false;
  }
  for (const field of ['address', 'owner'] as const) {
    // Rules before 4 reserved no address.
    if (command[field] !== FEE_ACCOUNT || core.rules < 4) continue;
    reject(core, 'address_reserved', { field, actual: FEE_ACCOUNT });
    return false;
  }
  if (command.wallet === 'eoa' && command.owner !== command.address) {
    reject(core, 'address_malformed', { field: 'owner', actual: command.owner });
    return false;
  }
  const actual: Micros = command.paperMicros;
  if (!isWhole(actual, 0, most)) {
    reject(core, 'amount_out_of_bounds', { field: 'paperMicros', limit: `0..${most}`, actual });
    return false;
  }
  return true;
}
