/**
 * The credentials of issued API keys, derived when they are needed (design 7).
 *
 * Invariant: only keys that the registry has seen durably issued have credentials here; secrets
 * leave by `credentialsOf` alone and are never stored or logged.
 * Bound: `HTTP_BOUNDS.cachedCredentials` derived ones are kept; others are derived again.
 */
import { HTTP_BOUNDS } from '../bounds.ts';
import { remember } from '../signing/bounded-map.ts';
import { type Credentials, deriveCredentials } from '../signing/credentials.ts';
import type { Registry } from '../views/registry.ts';

export interface KeyHolder {
  /** Lower-case address. */
  readonly owner: string;
  readonly credentials: Credentials;
}

export class KeyRing {
  readonly #masterSecret: Uint8Array;
  readonly #registry: Registry;
  readonly #holders = new Map<string, KeyHolder>();

  constructor(masterSecret: Uint8Array, registry: Registry) {
    this.#masterSecret = masterSecret;
    this.#registry = registry;
  }

  /** Who holds an API key; undefined for a key that was never issued. */
  holderOf(apiKey: string): KeyHolder | undefined {
    const known = this.#holders.get(apiKey);
    if (known !== undefined) return known;
    const issued = this.#registry.apiKey(apiKey);
    if (issued === undefined) return undefined;
    const { owner, nonce } = issued;
    const holder = { owner, credentials: this.credentialsOf(owner, nonce) };
    remember(this.#holders, apiKey, holder, HTTP_BOUNDS.cachedCredentials);
    return holder;
  }

  /** The trading credentials that an owner has, or would have, for a nonce (wire 2.3). */
  credentialsOf(owner: string, nonce: string): Credentials {
    return deriveCredentials(this.#masterSecret, owner, nonce, 'trading');
  }
}
