/**
 * Token ids in requests. Invariant: a token has one canonical text, the decimal uint256 without
 * leading zeros; the hexadecimal one that a published client sends is converted (wire 0.12).
 */
import { Type } from 'typebox';
import { ApiError, echo } from '../errors/index.ts';

export const TokenId = Type.String({ description: 'Token id, a decimal uint256' });

const DECIMAL = /^\d{1,78}$/;
const HEXADECIMAL = /^0x[0-9a-fA-F]{1,64}$/;

/** The canonical text; throws `invalid_parameter`. */
export function canonicalTokenId(text: string, field: string): string {
  if (DECIMAL.test(text) || HEXADECIMAL.test(text)) return BigInt(text).toString();
  const limit = 'a decimal uint256';
  throw new ApiError('invalid_parameter', { field, limit, actual: echo(text) });
}
