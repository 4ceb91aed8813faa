/**
 * Issues API credentials: what is journaled is that the pair of owner and nonce has a key; the
 * secret is derived, never stored (design 7).
 */
import { Type } from 'typebox';
import type { EngineEvent } from '../../engine/index.ts';
import { paperOf } from '../orders/account-opening.ts';
import { commandRejectError } from '../reject-errors.ts';
import type { Services } from '../services.ts';
import type { Credentials } from '../signing/credentials.ts';

export const ApiCredentials = Type.Object({
  apiKey: Type.String({ description: 'UUID' }),
  secret: Type.String({ description: '32 bytes as padded base64url' }),
  passphrase: Type.String({ description: '64 hex digits' }),
});

const throwReject = (events: readonly EngineEvent[]): void => {
  const rejected = events.find((event) => event.kind === 'rejected');
  if (rejected !== undefined) throw commandRejectError(rejected);
};

/**
 * The credentials of an owner for a nonce; opens the owner's own account and issues the key if
 * that has not happened. Throws `ApiError` when the engine refuses.
 */
export const issueCredentials = async (
  { exchange, keyRing, registry, settings }: Services,
  owner: string,
  nonce: string,
): Promise<Credentials> => {
  const credentials = keyRing.credentialsOf(owner, nonce);
  if (registry.issuedKey(owner, nonce) !== undefined) return credentials;
  const paperMicros = paperOf(settings);
  const [opened, issued] = await Promise.all([
    exchange.submit({ kind: 'open_account', address: owner, owner, wallet: 'eoa', paperMicros }),
    exchange.submit({ kind: 'issue_api_key', owner, nonce, apiKey: credentials.apiKey }),
  ]);
  throwReject(opened.events);
  throwReject(issued.events);
  return credentials;
};
