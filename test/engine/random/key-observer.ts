/**
 * API keys, in the order in which they were issued, and indexed idempotency keys, for
 * event-observer.ts.
 */
import { strict as assert } from 'node:assert';
import type {
  ApiKeyIssued,
  ApiKeyRevoked,
  ApiKeyState,
  IdempotencyKeyState,
  MoneyKeyIndexed,
} from '../../../engine/index.ts';

type SeenKeys = Map<string, ApiKeyState>;

export function seeIssue(keys: SeenKeys, { kind: _, ...key }: ApiKeyIssued): void {
  assert(!keys.has(key.apiKey), 'no key is issued twice');
  const same = [...keys.values()].filter(
    ({ owner, purpose, nonce }) =>
      owner === key.owner && purpose === key.purpose && nonce === key.nonce,
  );
  assert.equal(same.length, 0, 'an owner has one key for a purpose and nonce');
  keys.set(key.apiKey, { ...key, isRevoked: false });
}

export function seeRevocation(keys: SeenKeys, { kind: _, ...key }: ApiKeyRevoked): void {
  assert.deepEqual(keys.get(key.apiKey), { ...key, isRevoked: false });
  keys.set(key.apiKey, { ...key, isRevoked: true });
}

/** By owner and key, with a space between them. */
export type IndexedKeys = Map<string, IdempotencyKeyState>;

export function seeIndexed(keys: IndexedKeys, { record }: MoneyKeyIndexed): void {
  const name = `${record.owner} ${record.key}`;
  assert(!keys.has(name), 'no key leaves memory twice');
  keys.set(name, record);
}
