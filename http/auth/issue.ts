/**
 * Issues API credentials: what is journaled is that the pair of owner and nonce has a key; the
 * secret is derived, never stored (design 7). A trading key has the nonce that its owner signed;
 * the keys of other purposes are numbered from 0 as they are asked for.
 */
import { Type } from 'typebox';
import type { EngineEvent, KeyPurpose } from '../../engine/index.ts';
import type { Exchange } from '../../persistence/index.ts';
import { ApiError, commandRejectError } from '../errors/index.ts';
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

function throwReject(events: readonly EngineEvent[]): void {
  const rejected = events.find((event) => event.kind === 'rejected');
  if (rejected !== undefined) throw commandRejectError(rejected);
}

function nonceRevoked(registry: Registry, owner: string, nonce: string): ApiError {
  const nextNonce = registry.nextNonce(owner, 'trading');
  return new ApiError('nonce_revoked', { field: 'nonce', actual: nonce, nextNonce });
}

/**
 * Whether an owner has a trading key for a nonce. Throws `nonce_revoked` for one that was revoked:
 * it will never be good again, so its details name a nonce that will.
 */
export function hasTradingKey(registry: Registry, owner: string, nonce: string): boolean {
  const key = registry.issuedKey(owner, nonce);
  if (key?.revokedMs !== undefined) throw nonceRevoked(registry, owner, nonce);
  return key !== undefined;
}

/** What issuing a key needs. */
interface KeyIssuer {
  readonly exchange: Pick<Exchange, 'submit'>;
  readonly keyRing: KeyRing;
  readonly registry: Registry;
}

type Issued = 'issued' | 'known' | 'revoked';

/** Has a key issued; says whether it was there before. Throws `ApiError` for any other refusal. */
async function issueKey(
  { exchange, keyRing }: KeyIssuer,
  owner: string,
  nonce: string,
  purpose: KeyPurpose,
): Promise<Issued> {
  const { apiKey } = keyRing.credentialsOf(owner, nonce, purpose);
  // A trading key says nothing of its purpose, as in every journal from before there were others.
  const extra = purpose === 'trading' ? {} : { purpose };
  const { events } = await exchange.submit({
    kind: 'issue_api_key',
    owner,
    nonce,
    apiKey,
    ...extra,
  });
  const wasRevoked = events.some(
    (event) => event.kind === 'rejected' && event.code === 'api_key_revoked',
  );
  if (wasRevoked) return 'revoked';
  throwReject(events);
  return events.some(({ kind }) => kind === 'api_key_issued') ? 'issued' : 'known';
}

/**
 * The trading credentials of an owner for a nonce; opens the owner's own account and issues the key
 * if that has not happened. Throws `nonce_revoked`, and the `ApiError` of what the engine refuses.
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
  // One after the other: an owner whose account is refused gets no key, for a key that is in the
  // journal is handed out whatever its request was answered.
  const opened = await exchange.submit({ kind: 'open_account', ...account });
  throwReject(opened.events);
  if ((await issueKey(issuer, owner, nonce, 'trading')) === 'revoked') {
    throw nonceRevoked(registry, owner, nonce);
  }
  return credentials;
}

/**
 * A new key of an owner for a purpose that has no nonces of the owner's own. Throws the `ApiError`
 * of what the engine refuses: `too_many_api_keys`.
 */
export async function issueNextKey(
  issuer: KeyIssuer,
  owner: string,
  purpose: Exclude<KeyPurpose, 'trading'>,
): Promise<Credentials> {
  // Two requests at a time may go for one nonce. Only one is the first to have it; the other is
  // answered when that is durable and the registry counts on. So each round somebody gets a key,
  // and the engine's bound on keys ends it.
  for (;;) {
    const nonce = issuer.registry.nextNonce(owner, purpose);
    if ((await issueKey(issuer, owner, nonce, purpose)) === 'issued') {
      return issuer.keyRing.credentialsOf(owner, nonce, purpose);
    }
  }
}
