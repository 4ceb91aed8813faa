/** The naive engine's checks of commands about accounts, API keys, switches and notifications. */
import type {
  Answer,
  ArmSwitch,
  DismissNotifications,
  IssueApiKey,
  OpenAccount,
  RejectDetails,
  RevokeApiKey,
  TripSwitch,
} from '../../../engine/index.ts';
import { FEE_ACCOUNT, isWhole, micros } from '../../../engine/index.ts';
import { ADDRESS, checkStep, DECIMAL, known, reject, UUID } from './answers.ts';
import { checkBan } from './standing.ts';
import type { NaiveState } from './state.ts';
import { accountAt } from './state.ts';

const KEY_PURPOSES: readonly string[] = ['trading', 'readonly', 'builder'];

export function checkAccount(state: NaiveState, command: OpenAccount): Answer | undefined {
  const { bounds } = state;
  const { address, owner, wallet, paperMicros } = command;
  if (!ADDRESS.test(address)) return reject('address_malformed', detailsOf('address', address));
  if (!ADDRESS.test(owner)) return reject('address_malformed', detailsOf('owner', owner));
  if (address === FEE_ACCOUNT) return reject('address_reserved', detailsOf('address', address));
  if (owner === FEE_ACCOUNT) return reject('address_reserved', detailsOf('owner', owner));
  if (wallet === 'eoa' && owner !== address) {
    return reject('address_malformed', detailsOf('owner', owner));
  }
  if (!isWhole(paperMicros, 0, bounds.amountMicros)) {
    const limit = `0..${bounds.amountMicros}`;
    return reject('amount_out_of_bounds', { field: 'paperMicros', limit, actual: paperMicros });
  }
  const same = accountAt(state, address);
  if (same !== undefined) {
    if (same.terms.owner === owner) return known(command);
    return reject('account_bound_to_other', detailsOf('address', address));
  }
  return checkRoom(state, command);
}

/** Whether the bounds permit another account with this play money. */
function checkRoom(
  state: NaiveState,
  { owner, paperMicros, byOperator }: Pick<OpenAccount, 'owner' | 'paperMicros' | 'byOperator'>,
): Answer | undefined {
  const { bounds, accounts } = state;
  const own = accounts.filter(({ terms }) => terms.owner === owner).length;
  if (!byOperator && own >= bounds.accountsPerOwner) {
    const details = { field: 'owner', limit: bounds.accountsPerOwner, actual: own };
    return reject('too_many_accounts', details);
  }
  const most = byOperator ? bounds.accounts : Math.min(bounds.accounts, bounds.holderAccounts);
  if (accounts.length >= most) {
    const details = { field: 'address', limit: most, actual: accounts.length };
    return reject('too_many_accounts', details);
  }
  const limit = depositRoom(state, byOperator ? bounds.totalMicros : bounds.holderMicros);
  if (paperMicros <= limit) return undefined;
  return reject('deposits_exhausted', { field: 'paperMicros', limit, actual: paperMicros });
}

/** What may be deposited until the money in existence reaches `most`. */
export function depositRoom(
  { bounds, depositedMicros, withdrawnMicros }: NaiveState,
  most: number,
): number {
  const existing = depositedMicros - withdrawnMicros;
  return Math.max(0, Math.min(most, bounds.totalMicros) - existing);
}

export function detailsOf(field: string, actual: string): RejectDetails {
  return { field, actual };
}

export function checkApiKey(state: NaiveState, command: IssueApiKey): Answer | undefined {
  const { bounds, apiKeys } = state;
  const { owner, nonce, apiKey, purpose } = command;
  if (!ADDRESS.test(owner)) return reject('address_malformed', detailsOf('owner', owner));
  if (!DECIMAL.test(nonce)) return reject('api_key_malformed', detailsOf('nonce', nonce));
  if (!UUID.test(apiKey)) return reject('api_key_malformed', detailsOf('apiKey', apiKey));
  if (!KEY_PURPOSES.includes(purpose)) {
    return reject('api_key_malformed', detailsOf('purpose', purpose));
  }
  const ofOwner = apiKeys.filter((issued) => issued.owner === owner);
  const same = ofOwner.find((issued) => issued.purpose === purpose && issued.nonce === nonce);
  if (same !== undefined) {
    if (same.isRevoked) return reject('api_key_revoked', detailsOf('nonce', nonce));
    if (same.apiKey === apiKey) return known(command);
    return reject('api_key_reused', detailsOf('nonce', nonce));
  }
  if (apiKeys.some((issued) => issued.apiKey === apiKey)) {
    return reject('api_key_reused', detailsOf('apiKey', apiKey));
  }
  const ban = checkBan(state, owner);
  if (ban !== undefined) return ban;
  if (ofOwner.length >= bounds.keysEverPerOwner) {
    const details = { field: 'nonce', limit: bounds.keysEverPerOwner, actual: ofOwner.length };
    return reject('too_many_api_keys', details);
  }
  const live = ofOwner.filter((issued) => !issued.isRevoked).length;
  if (live >= bounds.keysPerOwner) {
    const details = { field: 'owner', limit: bounds.keysPerOwner, actual: live };
    return reject('too_many_api_keys', details);
  }
  return undefined;
}

export function checkRevocation(state: NaiveState, command: RevokeApiKey): Answer | undefined {
  const { owner, apiKey } = command;
  const own = state.apiKeys.filter((issued) => issued.owner === owner);
  const same = own.find((issued) => issued.apiKey === apiKey);
  if (same === undefined) return reject('api_key_unknown', detailsOf('apiKey', apiKey));
  return same.isRevoked ? known(command) : undefined;
}

function ownsAccount({ accounts }: NaiveState, owner: string): boolean {
  return accounts.some((account) => account.terms.owner === owner);
}

export function checkArming(state: NaiveState, command: ArmSwitch): Answer | undefined {
  const { owner, heartbeatId } = command;
  if (!UUID.test(heartbeatId)) {
    return reject('heartbeat_malformed', detailsOf('heartbeatId', heartbeatId));
  }
  if (!ownsAccount(state, owner)) return reject('account_unknown', detailsOf('owner', owner));
  return isArmed(state, command) ? known(command) : undefined;
}

export function checkTripping(state: NaiveState, command: TripSwitch): Answer | undefined {
  const long = checkStep(state, command.most);
  return long ?? (isArmed(state, command) ? undefined : known(command));
}

function isArmed({ switches }: NaiveState, command: ArmSwitch | TripSwitch): boolean {
  const { owner, heartbeatId } = command;
  return switches.some((armed) => armed.owner === owner && armed.heartbeatId === heartbeatId);
}

export function checkDismissal(
  state: NaiveState,
  { owner, ids }: DismissNotifications,
): Answer | undefined {
  const most = state.bounds.dismissalsPerCommand;
  if (ids.length < 1 || ids.length > most) {
    const details = { field: 'ids', limit: `1..${most}`, actual: ids.length };
    return reject('notification_ids_malformed', details);
  }
  for (const actual of ids) {
    if (Number.isSafeInteger(actual) && actual >= 0) continue;
    return reject('notification_ids_malformed', { field: 'ids', actual });
  }
  return ownsAccount(state, owner)
    ? undefined
    : reject('account_unknown', detailsOf('owner', owner));
}

/** The refusal if the fee account has to be opened and the bounds do not permit it. */
export function checkCollecting(state: NaiveState): Answer | undefined {
  const fees = { owner: FEE_ACCOUNT, paperMicros: micros(0), byOperator: true } as const;
  return accountAt(state, FEE_ACCOUNT) === undefined ? checkRoom(state, fees) : undefined;
}

/** Whether these rates require the fee account. */
export function opensFeeAccount(rates: { takerFeeBps?: number; makerFeeBps?: number }): boolean {
  return (rates.takerFeeBps ?? 0) > 0 || (rates.makerFeeBps ?? 0) > 0;
}
