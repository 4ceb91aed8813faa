/** Accounts and API keys: who may act for whom. Bindings are for good (design 3). */
import type { IssueApiKey, OpenAccount } from './commands.ts';
import { type Core, reject } from './core.ts';
import { NONE } from './level-index.ts';
import { isWhole, type Micros } from './units.ts';

const ADDRESS = /^0x[0-9a-f]{40}$/;
const NONCE = /^(0|[1-9][0-9]{0,77})$/;
const API_KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** What a new account is opened with. */
export type Opening = Omit<OpenAccount, 'kind'>;

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
export const mayOpen = (core: Core, opening: Opening): boolean =>
  checkOpening(core, opening) && hasRoomFor(core, opening);

/** Opens an account that may be opened; returns its index. */
export function addAccount(core: Core, opening: Opening): number {
  const { address, owner, wallet, paperMicros } = opening;
  const account = core.ledger.openAccount(address, owner, wallet);
  core.ledger.deposit(account, paperMicros);
  core.events.push({ kind: 'account_opened', address, owner, wallet, paperMicros });
  return account;
}

function hasRoomFor(core: Core, { paperMicros }: Opening): boolean {
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

function checkOpening(core: Core, command: Opening): boolean {
  const most = core.bounds.amountMicros;
  for (const field of ['address', 'owner'] as const) {
    if (ADDRESS.test(command[field])) continue;
    reject(core, 'address_malformed', { field, actual: command[field] });
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

export function issueApiKey(core: Core, command: IssueApiKey): void {
  const { owner, nonce, apiKey } = command;
  if (!checkIssueApiKey(core, command)) return;
  const byNonce = `${owner}/${nonce}`;
  const issued = core.keyByNonce.get(byNonce);
  if (issued !== undefined) {
    if (issued.apiKey === apiKey) core.events.push({ kind: 'known', command: 'issue_api_key' });
    else reject(core, 'api_key_reused', { field: 'nonce', actual: nonce });
    return;
  }
  if (core.keyByText.has(apiKey)) {
    reject(core, 'api_key_reused', { field: 'apiKey', actual: apiKey });
    return;
  }
  const limit = core.bounds.keysPerOwner;
  const actual = core.keysOfOwner.get(owner) ?? 0;
  if (actual >= limit) {
    reject(core, 'too_many_api_keys', { field: 'owner', limit, actual });
    return;
  }
  const key = { owner, nonce, apiKey };
  core.apiKeys.push(key);
  core.keyByNonce.set(byNonce, key);
  core.keyByText.set(apiKey, key);
  core.keysOfOwner.set(owner, actual + 1);
  core.events.push({ kind: 'api_key_issued', owner, nonce, apiKey });
}

function checkIssueApiKey(core: Core, command: IssueApiKey): boolean {
  const { owner, nonce, apiKey } = command;
  if (!ADDRESS.test(owner)) {
    reject(core, 'address_malformed', { field: 'owner', actual: owner });
    return false;
  }
  if (!NONCE.test(nonce)) {
    reject(core, 'api_key_malformed', { field: 'nonce', actual: nonce });
    return false;
  }
  if (!API_KEY.test(apiKey)) {
    reject(core, 'api_key_malformed', { field: 'apiKey', actual: apiKey });
    return false;
  }
  return true;
}
