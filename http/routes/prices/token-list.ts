/**
 * The body of the routes that take several tokens (wire 1.5).
 *
 * Bound: `READ_BOUNDS.tokensPerRequest` items.
 */
import { Type } from 'typebox';
import type { Side } from '../../../engine/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { TokenId } from '../../parameters/index.ts';
import { type BookViews, bookIfAny, type TokenBook } from '../../views/index.ts';

const SIDE = 'BUY or SELL, in upper or lower case; an empty text or null for no side';

/** The values of a side, for errors. */
export const SIDE_NAMES = 'BUY, SELL';

/** The side that a text names, in any case; undefined for any other text. */
export function sideNamed(text: string): Side | undefined {
  const name = text.toUpperCase();
  return name === 'BUY' || name === 'SELL' ? name : undefined;
}

export const TokenList = Type.Array(
  Type.Object({
    token_id: TokenId,
    // Published clients send an empty text for no side.
    side: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: SIDE })),
  }),
  { maxItems: READ_BOUNDS.tokensPerRequest },
);

export interface ListedToken {
  /** The token id as the client wrote it. */
  readonly tokenId: string;
  readonly side: Side | undefined;
  /** undefined for an unknown token. */
  readonly book: TokenBook | undefined;
}

function sideOf(text: string | null | undefined, index: number): Side | undefined {
  if (text === undefined || text === null || text === '') return undefined;
  const side = sideNamed(text);
  if (side !== undefined) return side;
  const details = { field: `${index}.side`, limit: SIDE_NAMES, actual: echo(text) };
  throw new ApiError('invalid_payload', details);
}

/**
 * The books of a list. Throws `invalid_parameter` for a malformed token id, and `invalid_payload`
 * for an unknown side.
 */
export function tokensOf(
  list: Type.Static<typeof TokenList>,
  books: BookViews,
): readonly ListedToken[] {
  return list.map(({ token_id: tokenId, side }, index) => ({
    tokenId,
    side: sideOf(side, index),
    book: bookIfAny(books, tokenId, `${index}.token_id`),
  }));
}
