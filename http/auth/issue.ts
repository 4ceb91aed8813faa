/**
 * Issues API credentials. The journal records that an owner and nonce have a key; the secret is
 * derived and never stored. A trading key has the nonce that its owner signed. The nonce of a key
 * for another purpose follows from the signature of the request that makes it.
 *
 * Invariant: a request that is sent again gets no further key.
 */
import { strict as assert } from 'node:assert';
import { hash } from 'node:crypto';
import { Type } from 'typebox';
import type { KeyPurpose } from '../../engine/index.ts';
import { type Micros, micros, type PlaceOrder, WALLET_KINDS } from '../../engine/model/index.ts';
import type { Exchange } from '../../persistence/index.ts';
import type { Caller } from '../api/index.ts';
import { isoTime } from '../codec/index.ts';
import { ApiError, echo, rejectIn, throwReject } from '../errors/index.ts';
import type { Settings } from '../settings/settings.ts';
import type { Credentials } from '../signing/credentials.ts';
import type { SignedOrder } from '../signing/order-struct.ts';
import { walletsOf } from '../signing/wallets.ts';
import type { Registry } from '../views/index.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * Revokes API keys. A revocation does not wait in its owner's queue, which a thief of the key may
 * have filled. When it is answered, the key's writes that still wait there are refused
 * (orders/intake.ts).
 */
export const Revoked = Type.Object({ revoked: Type.Literal(true) });

export interface KeyToRevoke {
  readonly owner: string;
  readonly purpose: KeyPurpose;
  /** UUID, as the client wrote it. */
  readonly apiKey: string;
  /** The field or header of the request that has the key, for the error. */
  readonly field: string;
}

/**
 * Revokes a key permanently; resolves when that is durable. Doing it again changes nothing. Throws
 * `api_key_unknown` for a key of another owner or purpose, without revealing that it exists.
 */
export async function revokeKey(
  {
    exchange,
    registry,
  }: { readonly exchange: Pick<Exchange, 'submit'>; readonly registry: Registry },
  { owner, purpose, apiKey, field }: KeyToRevoke,
): Promise<void> {
  const key = registry.apiKey(apiKey.toLowerCase());
  if (key?.owner !== owner || key.purpose !== purpose) {
    throw new ApiError('api_key_unknown', { field, actual: echo(apiKey) });
  }
  const { events } = await exchange.submit({ kind: 'revoke_api_key', owner, apiKey: key.apiKey });
  throwReject(events);
}

// Opens an account with its first order. The account is the owner's address, a wallet derived from
// it or, unless `strict` leaves these to the operator, any deposit wallet. A refused order opens no
// account. Without play money every first order is refused, so accounts are opened by the
// operator or by issuing an API key for the owner's address.

/** Play money of a new account; 0 unless funding is `paper`. */
export function paperOf({ funding, paperMicros }: Settings): Micros {
  return micros(funding === 'paper' ? paperMicros : 0);
}

/** How an owner's order opens its account; empty if only the operator may open it. */
export function openingFor(
  { maker, signatureType }: SignedOrder,
  owner: string,
  settings: Settings,
): Pick<PlaceOrder, 'opens'> {
  const wallet = WALLET_KINDS[signatureType];
  const isOperators = wallet === 'deposit' && settings.strict;
  if (isOperators && !walletsOf(settings.wallets, wallet, owner).includes(maker)) return {};
  return { opens: { wallet, paperMicros: paperOf(settings) } };
}

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

/**
 * The nonce of the owner's oldest valid trading key, or else the next nonce: a start finds the key
 * of the start before, and a revoked key does not stop it.
 */
export function usableNonce(registry: Registry, owner: string): string {
  const keys = [...registry.keysOf(owner, 'trading')];
  const valid = keys.find(({ revokedMs }) => revokedMs === undefined);
  return valid?.nonce ?? registry.nextNonce(owner, 'trading');
}

/** The services that issue keys. */
interface KeyIssuer {
  readonly exchange: Pick<Exchange, 'submit'>;
  readonly keyRing: KeyRing;
  readonly registry: Registry;
}

/** Issues a key unless it exists or was revoked. Throws `ApiError` for any other refusal. */
async function issueKey(
  { exchange, keyRing }: KeyIssuer,
  owner: string,
  nonce: string,
  purpose: KeyPurpose,
): Promise<'valid' | 'revoked'> {
  const { apiKey } = keyRing.credentialsOf(owner, nonce, purpose);
  const key = { owner, nonce, apiKey, purpose } as const;
  const { events } = await exchange.submit({ kind: 'issue_api_key', ...key });
  if (rejectIn(events)?.code === 'api_key_revoked') return 'revoked';
  throwReject(events);
  return 'valid';
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
 * The nonce of a key that a request makes. It follows from the request's signature, so a request
 * that is sent again has the same nonce and gets the same key, also after a restart. It is a hash,
 * so that the journal has no signature that is still good.
 */
function nonceOf(hmac: Uint8Array): string {
  return BigInt(`0x${hash('sha256', hmac, 'hex')}`).toString();
}

/**
 * The key that a request of an owner makes; the same key if the request was carried out before.
 * Throws `key_request_spent` if that key is revoked, and `too_many_api_keys`.
 */
export async function issueRequestedKey(
  issuer: KeyIssuer,
  { owner, hmac }: Pick<Caller, 'owner' | 'hmac'>,
  purpose: Exclude<KeyPurpose, 'trading'>,
): Promise<Credentials> {
  const nonce = nonceOf(hmac);
  if ((await issueKey(issuer, owner, nonce, purpose)) !== 'revoked') {
    return issuer.keyRing.credentialsOf(owner, nonce, purpose);
  }
  const key = issuer.registry.issuedKey(owner, nonce, purpose);
  assert(key?.revokedMs !== undefined, 'a refusal is answered when it is durable');
  const [actual, revokedAt] = [key.apiKey, isoTime(key.revokedMs)];
  throw new ApiError('key_request_spent', { field: 'timestamp', actual, revokedAt });
}
