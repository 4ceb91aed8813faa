/**
 * Revokes API keys. A revocation does not wait in its owner's line: what a lost key has sent may be
 * long, and none of it is done any more once the revocation is answered (orders/intake.ts).
 */
import { Type } from 'typebox';
import type { KeyPurpose } from '../../engine/index.ts';
import type { Exchange } from '../../persistence/index.ts';
import { ApiError, commandRejectError, echo } from '../errors/index.ts';
import type { Registry } from '../views/index.ts';

export const Revoked = Type.Object({ revoked: Type.Literal(true) });

export interface KeyToRevoke {
  readonly owner: string;
  readonly purpose: KeyPurpose;
  /** UUID, as the client wrote it. */
  readonly apiKey: string;
  /** What the request calls it, for the error. */
  readonly field: string;
}

/**
 * Ends a key for good; resolves when that is durable. One that is revoked already is left so.
 * Throws `api_key_unknown` for any key that is not this owner's, or has another purpose: whether
 * somebody else has it is not told.
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
  const rejected = events.find((event) => event.kind === 'rejected');
  if (rejected !== undefined) throw commandRejectError(rejected);
}
