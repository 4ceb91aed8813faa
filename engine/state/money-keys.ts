/**
 * The idempotency keys that are in memory, oldest first. Only the newest ones stay: an older one is
 * reported with all that it stands for (`money_key_indexed`), so that the journal's index knows it,
 * and is forgotten much later. Invariant: each key that was ever used is in memory or in the index,
 * and a key that a look-up missed was used after `forgottenSeq` or never. Bound: twice
 * `rememberedMoneyKeys`, after which each new key makes others leave.
 * docs/decisions/0014-known-ids-and-keys.md
 */
import type { IdempotencyKeyState } from '../model/index.ts';

interface MoneyKey {
  readonly state: IdempotencyKeyState;
  /** The seq that put it into the index; 0 before. */
  indexedSeq: number;
}

export class MoneyKeys {
  readonly #keys = new Map<string, MoneyKey>();
  /** The first iterator is at the oldest key that is not indexed, the second at the oldest key. */
  readonly #toIndex = this.#keys.values();
  readonly #toForget = this.#keys.entries();
  #indexedCount = 0;
  /** A look-up in the index at this seq or later finds every forgotten key; 0 for none. */
  forgottenSeq = 0;

  get size(): number {
    return this.#keys.size;
  }

  /** How many of the keys are in the index too: the oldest ones. */
  get indexedCount(): number {
    return this.#indexedCount;
  }

  find(name: string): IdempotencyKeyState | undefined {
    return this.#keys.get(name)?.state;
  }

  /** Adds a new key; `indexedSeq` is above 0 for one that a snapshot restores as indexed. */
  add(name: string, state: IdempotencyKeyState, indexedSeq = 0): void {
    this.#keys.set(name, { state, indexedSeq });
    if (indexedSeq === 0) return;
    this.#indexedCount += 1;
    this.#toIndex.next();
  }

  /** Marks the oldest key that is not indexed as indexed, and returns it. */
  index(seq: number): IdempotencyKeyState {
    const key = this.#toIndex.next().value!;
    key.indexedSeq = seq;
    this.#indexedCount += 1;
    return key.state;
  }

  /** Forgets the oldest key, which is indexed. */
  forget(): void {
    const [name, { indexedSeq }] = this.#toForget.next().value!;
    this.#keys.delete(name);
    this.#indexedCount -= 1;
    this.forgottenSeq = indexedSeq;
  }

  /** All keys, oldest first, with the seq that indexed each. */
  all(): Iterable<MoneyKey> {
    return this.#keys.values();
  }
}
