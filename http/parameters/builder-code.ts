/**
 * Builder codes in requests: 32 bytes, or an address, which is padded with zeros on the left
 * (wire 1.4, 3.3).
 */
import { ApiError, echo } from '../errors/index.ts';

const CODE = /^0x([0-9a-f]{64}|[0-9a-f]{40})$/i;

/** 0x and 64 lower-case hex digits; throws `invalid_parameter`. */
export function builderCodeIn(field: string, text: string): string {
  const digits = CODE.exec(text)?.[1];
  if (digits !== undefined) return `0x${digits.toLowerCase().padStart(64, '0')}`;
  const limit = '0x and 64 hex digits, or 40';
  throw new ApiError('invalid_parameter', { field, limit, actual: echo(text) });
}
