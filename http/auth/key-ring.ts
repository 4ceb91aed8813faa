/**
 * The credentials of issued API keys, derived when they are needed.
 *
 * Invariant: only keys whose issue is durable and that are not revoked have holders. The registry
 * is asked each time, so a revocation takes effect at once. Secrets leave only by `credentialsOf`
 * and `holderOf`, and are never stored or logged.
 * Bound: `HTTP_BOUNDS.cachedCredentials` derived credentials; others are derived again.
 */
import { createHmac } from 'node:crypto';
import type { KeyPurpose } from '../../engine/index.ts';
import { HTTP_BOUNDS } from '../bounds/sizes.ts';
import { remember } from '../codec/index.ts';
import { type Credentials, deriveCredentials } from '../signing/credentials.ts';
import type { IssuedKey, Registry } from '../views/index.ts';

export interface KeyHolder {
  /** Lower-case address. */
  readonly owner: string;
  readonly credentials: Credentials;
  readonly purpose: KeyPurpose;
}

export class KeyRing {
  readonly #masterSecret: Uint8Array;
  readonly #registry: Registry;
  readonly #holders = new Map<string, KeyHolder>();

  constructor(masterSecret: Uint8Array, registry: Registry) {
    this.#masterSecret = masterSecret;
    this.#registry = registry;
  }

  /** The holder of an API key; undefined if it was never issued or is revoked. */
  holderOf(apiKey: string): KeyHolder | undefined {
    const issued = this.#registry.apiKey(apiKey);
    if (issued === undefined) return undefined;
    if (issued.revokedMs !== undefined) {
      this.#holders.delete(apiKey);
      return undefined;
    }
    return this.#holders.get(apiKey) ?? this.#derive(issued);
  }

  /** When an API key was revoked, in ms since the epoch; undefined for any other. */
  revokedMs(apiKey: string): number | undefined {
    return this.#registry.apiKey(apiKey)?.revokedMs;
  }

  /** The credentials that an owner has, or would have, for a nonce (wire 2.3). */
  credentialsOf(owner: string, nonce: string, purpose: KeyPurpose = 'trading'): Credentials {
    return deriveCredentials(this.#masterSecret, owner, nonce, purpose);
  }

  /** A proof that only this exchange can make: HMAC-SHA256 under the master secret. */
  sealOf(use: string, content: Uint8Array): Buffer {
    const hmac = createHmac('sha256', this.#masterSecret);
    return hmac.update(`outcome-exchange/${use}/1|`).update(content).digest();
  }

  #derive({ apiKey, owner, nonce, purpose }: IssuedKey): KeyHolder {
    const credentials = this.credentialsOf(owner, nonce, purpose);
    const holder: KeyHolder = { owner, credentials, purpose };
    remember(this.#holders, apiKey, holder, HTTP_BOUNDS.cachedCredentials);
    return holder;
  }
}
