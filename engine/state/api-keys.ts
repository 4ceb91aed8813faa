/**
 * Every API key that was ever issued, revoked or not. Invariant: no two keys have the same text,
 * and no two of an owner the same purpose and nonce, from which the secret is derived. Bound:
 * `keysEverPerOwner`. Reasons: docs/decisions/0024-api-keys-and-builders.md.
 */
import type { ApiKeyState, IssueApiKey } from '../model/index.ts';

type KeyNonce = Pick<IssueApiKey, 'owner' | 'nonce' | 'purpose'>;

/** An issued key. Only `isRevoked` changes, and only once. */
export interface ApiKey extends ApiKeyState {
  isRevoked: boolean;
}

interface KeyCount {
  readonly live: number;
  /** Including revoked keys. */
  readonly ever: number;
}

export class ApiKeys {
  /** In order of issue. */
  readonly all: ApiKey[] = [];
  readonly #byText = new Map<string, ApiKey>();
  readonly #byNonce = new Map<string, ApiKey>();
  readonly #counts = new Map<string, KeyCount>();

  find(apiKey: string): ApiKey | undefined {
    return this.#byText.get(apiKey);
  }

  findByNonce({ owner, purpose, nonce }: KeyNonce): ApiKey | undefined {
    return this.#byNonce.get(`${owner}/${purpose}/${nonce}`);
  }

  countOf(owner: string): KeyCount {
    return this.#counts.get(owner) ?? { live: 0, ever: 0 };
  }

  /** Adds a key whose text and nonce are new. */
  add(key: ApiKey): void {
    const { live, ever } = this.countOf(key.owner);
    this.all.push(key);
    this.#byText.set(key.apiKey, key);
    this.#byNonce.set(`${key.owner}/${key.purpose}/${key.nonce}`, key);
    this.#counts.set(key.owner, { live: live + 1, ever: ever + 1 });
  }

  /** Revokes a live key. */
  revoke(key: ApiKey): void {
    const { live, ever } = this.countOf(key.owner);
    key.isRevoked = true;
    this.#counts.set(key.owner, { live: live - 1, ever });
  }
}
