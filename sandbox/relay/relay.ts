/**
 * What the relayer remembers: the next nonce of each wallet, and the last transactions.
 *
 * Invariant: a nonce never comes back, not even after a restart, because the first one is the time
 * of the start. So a signed batch is carried out once; besides, each of its moves has an
 * idempotency key that follows from the batch.
 * Bound: RELAY_BOUNDS.
 */
import { isoTime } from '../../http/codec/index.ts';
import { bytesToHex, keccak256Text } from '../../http/signing/hash.ts';
import { RELAY_BOUNDS } from './bounds.ts';

export interface RelayTransaction {
  readonly id: string;
  /** 0x and 64 digits; no chain knows it. */
  readonly hash: string;
  readonly state: 'STATE_CONFIRMED' | 'STATE_FAILED';
  /** Why it failed; undefined for one that did not. */
  readonly fault: string | undefined;
  readonly type: string;
  /** The owner, and the contract that the client named; lower-case addresses, as is `wallet`. */
  readonly from: string;
  readonly to: string;
  readonly wallet: string;
  readonly nonce: string;
  readonly signature: string;
  readonly metadata: string;
  readonly time: string;
}

/** What a transaction is made of. */
export type RelayOutcome = Omit<RelayTransaction, 'id' | 'hash' | 'state' | 'time'>;

/** The digits of a hash that make an id, which has the form of a UUID. */
const UUID_PARTS = /^0x(.{8})(.{4})(.{4})(.{4})(.{12}).*$/;

function idOf(hash: string): string {
  return hash.replace(UUID_PARTS, '$1-$2-$3-$4-$5');
}

export class Relay {
  readonly #nonces = new Map<string, bigint>();
  /** The next nonce of every wallet that is not in `#nonces`. */
  #firstNonce: bigint;
  /** Newest last; at the bound they become the older ones, which are then forgotten. */
  #recent = new Map<string, RelayTransaction>();
  #older = new Map<string, RelayTransaction>();

  readonly #startMs: number;
  /** Of all transactions since the start. */
  #count = 0;

  constructor(startMs: number) {
    this.#startMs = startMs;
    this.#firstNonce = BigInt(startMs);
  }

  /** The nonce that the next batch of an owner must have. */
  nonceOf(owner: string): bigint {
    return this.#nonces.get(owner) ?? this.#firstNonce;
  }

  /** Uses up the next nonce of an owner. */
  advance(owner: string): void {
    const next = this.nonceOf(owner) + 1n;
    if (this.#nonces.size >= RELAY_BOUNDS.nonces && !this.#nonces.has(owner)) {
      // All go on from the highest, so that no nonce comes back.
      for (const nonce of this.#nonces.values()) {
        if (nonce > this.#firstNonce) this.#firstNonce = nonce;
      }
      this.#nonces.clear();
    }
    this.#nonces.set(owner, next);
  }

  keep(outcome: RelayOutcome, nowMs: number): RelayTransaction {
    this.#count += 1;
    const hash = bytesToHex(keccak256Text(`${this.#startMs}:${this.#count}`));
    const id = idOf(hash);
    const state = outcome.fault === undefined ? 'STATE_CONFIRMED' : 'STATE_FAILED';
    const transaction = { id, hash, state, ...outcome, time: isoTime(nowMs) } as const;
    if (this.#recent.size >= RELAY_BOUNDS.transactions) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(id, transaction);
    return transaction;
  }

  /** The transaction of a hash, 0x and 64 digits. */
  withHash(hash: string): RelayTransaction | undefined {
    return this.transaction(idOf(hash));
  }

  transaction(id: string): RelayTransaction | undefined {
    return this.#recent.get(id) ?? this.#older.get(id);
  }

  /** The last transactions of an owner, newest first. */
  transactionsOf(owner: string): readonly RelayTransaction[] {
    return [...this.#older.values(), ...this.#recent.values()]
      .filter(({ from }) => from === owner)
      .slice(-RELAY_BOUNDS.transactionsPerList)
      .toReversed();
  }
}
