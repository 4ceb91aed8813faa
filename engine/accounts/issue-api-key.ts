/** Issuing and revoking API keys. Both are for good: a revoked key is never issued again. */
import type { IssueApiKey, KeyPurpose, RevokeApiKey } from '../model/index.ts';
import { ADDRESS, DECIMAL, UUID } from '../model/index.ts';
import { type Core, reject } from '../state/index.ts';
import { rejectBanned } from './standing.ts';

const PURPOSES: readonly KeyPurpose[] = ['trading', 'readonly', 'builder'];

/** Checks, in order: the forms of all fields; the nonce; the key; a ban; the bounds. */
export function issueApiKey(core: Core, command: IssueApiKey): void {
  const { owner, nonce, apiKey, purpose = 'trading' } = command;
  if (!checkForms(core, command)) return;
  const issued = core.apiKeys.findByNonce(command);
  if (issued !== undefined) {
    if (issued.isRevoked) reject(core, 'api_key_revoked', { field: 'nonce', actual: nonce });
    else if (issued.apiKey === apiKey) core.events.push({ kind: 'known', command: command.kind });
    else reject(core, 'api_key_reused', { field: 'nonce', actual: nonce });
    return;
  }
  if (core.apiKeys.find(apiKey) !== undefined) {
    reject(core, 'api_key_reused', { field: 'apiKey', actual: apiKey });
    return;
  }
  if (core.ledger.standingOf(owner) === 'banned') {
    rejectBanned(core, owner);
    return;
  }
  if (!hasRoom(core, owner)) return;
  core.apiKeys.add({ owner, nonce, apiKey, purpose, isRevoked: false });
  core.events.push({ kind: 'api_key_issued', owner, nonce, apiKey, purpose });
}

/** The bound that no revocation helps against is told first. */
function hasRoom(core: Core, owner: string): boolean {
  const { keysEverPerOwner, keysPerOwner } = core.bounds;
  const { live, ever } = core.apiKeys.countOf(owner);
  if (ever >= keysEverPerOwner) {
    const details = { field: 'nonce', limit: keysEverPerOwner, actual: ever };
    reject(core, 'too_many_api_keys', details);
    return false;
  }
  if (live < keysPerOwner) return true;
  reject(core, 'too_many_api_keys', { field: 'owner', limit: keysPerOwner, actual: live });
  return false;
}

function checkForms(core: Core, command: IssueApiKey): boolean {
  const { owner, nonce, apiKey, purpose = 'trading' } = command;
  if (!ADDRESS.test(owner)) {
    reject(core, 'address_malformed', { field: 'owner', actual: owner });
    return false;
  }
  if (!DECIMAL.test(nonce)) {
    reject(core, 'api_key_malformed', { field: 'nonce', actual: nonce });
    return false;
  }
  if (!UUID.test(apiKey)) {
    reject(core, 'api_key_malformed', { field: 'apiKey', actual: apiKey });
    return false;
  }
  if (PURPOSES.includes(purpose)) return true;
  reject(core, 'api_key_malformed', { field: 'purpose', actual: purpose });
  return false;
}

/** A key of somebody else is treated as if it were not there. */
export function revokeApiKey(core: Core, { owner, apiKey }: RevokeApiKey): void {
  const key = core.apiKeys.find(apiKey);
  if (key === undefined || key.owner !== owner) {
    reject(core, 'api_key_unknown', { field: 'apiKey', actual: apiKey });
    return;
  }
  if (key.isRevoked) {
    core.events.push({ kind: 'known', command: 'revoke_api_key' });
    return;
  }
  const { nonce, purpose } = key;
  core.apiKeys.revoke(key);
  core.events.push({ kind: 'api_key_revoked', owner, nonce, apiKey, purpose });
}
