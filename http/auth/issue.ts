/**
 * Issues API credentials. The journal records that an owner and nonce have a key; the secret is
 * derived and never stored. A trading key has the nonce that its owner signed; keys for other
 * purposes are numbered from 0.
 */
import { Type } from 'typebox';
import type { KeyPurpose } from '../../engine/index.ts';
import type { Exchange } from '../../persistence/index.ts';
import { ApiError, rejectIn, throwReject } from '../errors/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Credentials } from '../signing/index.ts';
import type { Registry } from '../views/index.ts';
import { paperOf } from './account-opening.ts';
import type { KeyRing } from './key-ring.ts';

export const ApiCredentials = Type.Object({
  apiKey: Type.String({ description: 'UUID' }),
  secret: Type.String({ description: '32 bytes as padded base64url' }),
  passphrase: Type.String({ description: '64 hex digits' }),
});

function nonceRevoked(registry: Registry, owner: string, nonce: string): ApiError {
  const nextNonce = registry.nextNonce(owner, 'trading');
  return new ApiError('nonce_revoked', { field: 'nonce', actual: nonce, nextNonce });
}

/**
 * Whether an owner has a trading key for a nonce. Throws `nonce_revoked` for a revoked key, which
 * will never be valid again; the details name a nonce that can still be used.
 */
export function hasTradingKey(registry: Registry, owner: string, nonce: string): boolean {
  const key = registry.issuedKey(owner, nonce);
  if (key?.revokedMs !== undefined) throw nonceRevoked(registry, owner, nonce);
  return key !== undefined;
}

/** The services that issue keys. */
interface KeyIssuer {
  readonly exchange: Pick<Exchange, 'submit'>;
  readonly keyRing: KeyRing;
  readonly registry: Registry;
}

type Issued = 'issued' | 'known' | 'revoked';

/** Issues a key unless it exists or was revoked. Throws `ApiError` for any other refusal. */
async function issueKey(
  { exchange, keyRing }: KeyIssuer,
  owner: string,
  nonce: string,
  purpose: KeyPurpose,
): Promise<Issued> {
  const { apiKey } = keyRing.credentialsOf(owner, nonce, purpose);
  // The command of a trading key has no purpose: old journals, with no other purposes, have none.
  const extra = purpose === 'trading' ? {} : { purpose };
  const { events } = await exchange.submit({
    kind: 'issue_api_key',
    owner,
    nonce,
    apiKey,
    ...extra,
  });
  if (rejectIn(events)?.code === 'api_key_revoked') return 'revoked';
  throwReject(events);
  return events.some(({ kind }) => kind === 'api_key_issued') ? 'issued' : 'known';
}

/**
 * The trading credentials of an owner for a nonce. Opens the owner's account and issues the key if
 * needed. Throws `nonce_revoked`, and the engine's refusal as an `ApiError`.
 */
export async function issueCredentials(
  issuer: KeyIssuer & { readonly settings: Settings },
  owner: string,
  nonce: string,
): Promise<Credentials> {
  const { exchange, keyRing, registry, settings } = issuer;
  const credentials = keyRing.credentialsOf(owner, nonce);
  if (hasTradingKey(registry, owner, nonce)) return credentials;
  const paperMicros = paperOf(settings);
  const account = { address: owner, owner, wallet: 'eoa', paperMicros } as const;
  // One after the other: an owner whose account is refused must not get a key.
  const opened = await exchange.submit({ kind: 'open_account', ...account });
  throwReject(opened.events);
  if ((await issueKey(issuer, owner, nonce, 'trading')) === 'revoked') {
    throw nonceRevoked(registry, owner, nonce);
  }
  return credentials;
}

/**
 * Issues a new key of an owner, for a purpose with numbered nonces. Throws `too_many_api_keys`.
 */
export async function issueNextKey(
  issuer: KeyIssuer,
  owner: string,
  purpose: Exclude<KeyPurpose, 'trading'>,
): Promise<Credentials> {
  // Several requests may use one nonce at the same time. One of them gets the key; the others are
  // answered when that is durable, and try the next nonce. The engine's bound on keys ends this.
  for (;;) {
    const nonce = issuer.registry.nextNonce(owner, purpose);
    if ((await issueKey(issuer, owner, nonce, purpose)) === 'issued') {
      return issuer.keyRing.credentialsOf(owner, nonce, purpose);
    }
  }
}
