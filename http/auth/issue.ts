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
  const account = { address: owner, owner, wallet: 'eoa', paperMicros } as const;
  // One after the other: an owner whose account is refused gets no key, for a key that is in the
  // journal is handed out whatever its request was answered.
  const opened = await exchange.submit({ kind: 'open_account', ...account });
  throwReject(opened.events);
  const { apiKey } = credentials;
  const issued = await exchange.submit({ kind: 'issue_api_key', owner, nonce, apiKey });
  throwReject(issued.events);
  return credentials;
};
