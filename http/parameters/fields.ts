/**
 * Schemas of single fields, each with the description that the documentation shows. A field of
 * another type, or with bounds, is written with typebox itself.
 */
import { type TSchema, Type } from 'typebox';
import { ApiError, echo } from '../errors/index.ts';

// Reading one's own writes: a read can require that its answer shows a given change. Every read
// shows all changes that were applied when it arrived, so only a seq of the future is refused.

/** The parameter of a query. */
export const MIN_SEQ = {
  min_seq: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Number of a change that the answer must show, such as the `X-Seq` of an earlier ' +
        'answer. Every answer shows all changes that were applied when its request arrived',
    }),
  ),
};

/** Throws `invalid_parameter` for a seq that is not applied yet. */
export function refuseLaterSeq(minSeq: number | undefined, appliedSeq: number): void {
  if (minSeq === undefined || minSeq <= appliedSeq) return;
  const limit = `at most ${appliedSeq}, the exchange's last change`;
  throw new ApiError('invalid_parameter', { field: 'min_seq', limit, actual: minSeq });
}

/**
 * Token ids in requests. Invariant: a token has one canonical text, the decimal uint256 without
 * leading zeros; the hexadecimal one that a published client sends is converted (wire 0.12).
 */
export const TokenId = Type.String({ description: 'Token id, a decimal uint256' });

/** Their parts exclude each other: a text is read once, however many zeros it begins with. */
const DECIMAL = /^0*([1-9]\d{0,77}|0)$/;
const HEXADECIMAL = /^0x0*([1-9a-fA-F][0-9a-fA-F]{0,63}|0)$/;

/** The canonical text; undefined for a text that is no token id. */
export function tokenIdIn(text: string): string | undefined {
  const [, decimal] = DECIMAL.exec(text) ?? [];
  const [, hexadecimal] = HEXADECIMAL.exec(text) ?? [];
  if (decimal !== undefined) return BigInt(decimal).toString();
  return hexadecimal === undefined ? undefined : BigInt(`0x${hexadecimal}`).toString();
}

/** The canonical text; throws `invalid_parameter`. */
export function canonicalTokenId(text: string, field: string): string {
  const tokenId = tokenIdIn(text);
  if (tokenId !== undefined) return tokenId;
  const limit = 'a decimal uint256';
  throw new ApiError('invalid_parameter', { field, limit, actual: echo(text) });
}

/**
 * Builder codes in requests: 32 bytes, or an address, which is padded with zeros on the left
 * (wire 1.4, 3.3).
 */
const CODE = /^0x([0-9a-f]{64}|[0-9a-f]{40})$/i;

/** 0x and 64 lower-case hex digits; throws `invalid_parameter`. */
export function builderCodeIn(field: string, text: string): string {
  const digits = CODE.exec(text)?.[1];
  if (digits !== undefined) return `0x${digits.toLowerCase().padStart(64, '0')}`;
  const limit = '0x and 64 hex digits, or 40';
  throw new ApiError('invalid_parameter', { field, limit, actual: echo(text) });
}

export function Text(description: string) {
  return Type.String({ description });
}

export function OptionalText(description: string) {
  return Type.Optional(Text(description));
}

export function TrueFalse(description: string) {
  return Type.Boolean({ description });
}

export function OptionalTrueFalse(description: string) {
  return Type.Optional(TrueFalse(description));
}

/** A field that is always there, and null where there is no value. */
export function OrNull<Value extends TSchema>(value: Value, description?: string) {
  return Type.Union([value, Type.Null()], description === undefined ? {} : { description });
}
