/** Issuing and revoking API keys. A revoked key is never issued again. */

import type { IssueApiKey, RevokeApiKey } from '../model/index.ts';
import { ADDRESS, DECIMAL, KEY_PURPOSES, UUID } from '../model/index.ts';
import { type ApiKey, answerKnown, type EngineState, passes, reject } from '../state/index.ts';
import { banFault } from './standing-checks.ts';

export function issueApiKey(state: EngineState, command: IssueApiKey): void {
  const { owner, nonce, apiKey, purpose = 'trading' } = command;
  if (!checkIssue(state, command)) return;
  state.apiKeys.add({ owner, nonce, apiKey, purpose, isRevoked: false });
  state.events.push({ kind: 'api_key_issued', owner, nonce, apiKey, purpose });
}

/** Checks, in order: the forms of all fields; the nonce; the key; a ban; the bounds. */
function checkIssue(state: EngineState, command: IssueApiKey): boolean {
  const { owner, apiKey } = command;
  if (!checkForms(state, command)) return false;
  const issued = state.apiKeys.findByNonce(command);
  if (issued !== undefined) return answerIssued(state, command, issued);
  if (state.apiKeys.find(apiKey) !== undefined) {
    return reject(state, 'api_key_reused', { field: 'apiKey', actual: apiKey });
  }
  return passes(state, banFault(state, owner)) && hasRoom(state, owner);
}

function answerIssued(state: EngineState, { nonce, apiKey }: IssueApiKey, issued: ApiKey): false {
  const details = { field: 'nonce', actual: nonce };
  if (issued.isRevoked) return reject(state, 'api_key_revoked', details);
  if (issued.apiKey === apiKey) return answerKnown(state, 'issue_api_key');
  return reject(state, 'api_key_reused', details);
}

/** Checks the bound of all keys first, because revoking a key does not help against it. */
function hasRoom(state: EngineState, owner: string): boolean {
  const { keysEverPerOwner, keysPerOwner } = state.bounds;
  const { live, ever } = state.apiKeys.countOf(owner);
  if (ever >= keysEverPerOwner) {
    const details = { field: 'nonce', limit: keysEverPerOwner, actual: ever };
    return reject(state, 'too_many_api_keys', details);
  }
  if (live < keysPerOwner) return true;
  return reject(state, 'too_many_api_keys', { field: 'owner', limit: keysPerOwner, actual: live });
}

function checkForms(state: EngineState, command: IssueApiKey): boolean {
  const { owner, nonce, apiKey, purpose = 'trading' } = command;
  if (!ADDRESS.test(owner)) {
    return reject(state, 'address_malformed', { field: 'owner', actual: owner });
  }
  if (!DECIMAL.test(nonce)) {
    return reject(state, 'api_key_malformed', { field: 'nonce', actual: nonce });
  }
  if (!UUID.test(apiKey)) {
    return reject(state, 'api_key_malformed', { field: 'apiKey', actual: apiKey });
  }
  if (KEY_PURPOSES.includes(purpose)) return true;
  return reject(state, 'api_key_malformed', { field: 'purpose', actual: purpose });
}

/** Another owner's key is treated as unknown. */
export function revokeApiKey(state: EngineState, { owner, apiKey }: RevokeApiKey): void {
  const key = state.apiKeys.find(apiKey);
  if (key === undefined || key.owner !== owner) {
    reject(state, 'api_key_unknown', { field: 'apiKey', actual: apiKey });
  } else if (key.isRevoked) {
    answerKnown(state, 'revoke_api_key');
  } else {
    const { nonce, purpose } = key;
    state.apiKeys.revoke(key);
    state.events.push({ kind: 'api_key_revoked', owner, nonce, apiKey, purpose });
  }
}
