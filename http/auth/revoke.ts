/**
 * Revokes API keys. A revocation does not wait in its owner's queue, which a thief of the key may
 * have filled. When it is answered, the key's writes that still wait there are refused
 * (orders/intake.ts).
 */
import { Type } from 'typebox';
import type { KeyPurpose } from '../../engine/index.ts';
import type { Exchange } from '../../persistence/index.ts';
import { ApiError, echo, throwReject } from '../errors/index.ts';
import type { Registry } from '../views/index.ts';

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
