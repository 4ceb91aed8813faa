/** Issuing and revoking API keys. A revoked key is never issued again. */
import {
  ADDRESS,
  DECIMAL,
  type DismissNotifications,
  type IssueApiKey,
  isWhole,
  KEY_PURPOSES,
  type RevokeApiKey,
  UUID,
} from '../model/index.ts';
import type { ApiKey } from '../state/api-keys.ts';
import { answerKnown, type EngineState, passes, reject } from '../state/engine-state.ts';
import { banFault } from './open-account.ts';

/**
 * Dismissing notifications. The engine checks the command and reports it, so that it is journaled;
 * it stores no notifications.
 */
export function dismissNotifications(state: EngineState, command: DismissNotifications): void {
  const { owner, ids } = command;
  if (!checkDismissal(state, command)) return;
  state.events.push({ kind: 'notifications_dismissed', owner, ids });
}

/** Checks, in order: the number of ids; each id; that the owner has an account. */
function checkDismissal(state: EngineState, { owner, ids }: DismissNotifications): boolean {
  const maximum = state.bounds.dismissalsPerCommand;
  const field = 'ids';
  if (!isWhole(ids.length, 1, maximum)) {
    const details = { field, limit: `1..${maximum}`, actual: ids.length };
    return reject(state, 'notification_ids_malformed', details);
  }
  const wrong = ids.find((id) => !isWhole(id, 0, Number.MAX_SAFE_INTEGER));
  if (wrong !== undefined) {
    return reject(state, 'notification_ids_malformed', { field, actual: wrong });
  }
  if (state.ledger.findOwner(owner) !== undefined) return true;
  return reject(state, 'account_unknown', { field: 'owner', actual: owner });
}

export function issueApiKey(state: EngineState, command: IssueApiKey): void {
  const { owner, nonce, apiKey, purpose } = command;
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
  const { owner, nonce, apiKey, purpose } = command;
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
