/**
 * The body of the routes that take several tokens at once (wire 1.5).
 *
 * Bound: `READ_BOUNDS.tokensPerRequest` items.
 */
import { Type } from 'typebox';
import type { Side } from '../../../engine/index.ts';
import { READ_BOUNDS } from '../../bounds/index.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { TokenId } from '../../parameters/index.ts';
import type { BookViews, TokenBook } from '../../views/index.ts';
import { bookIfAny } from '../../views/index.ts';
import { SIDE_NAMES, sideNamed } from './price.ts';

const SIDE = 'BUY or SELL, in any case; an empty text and null are none';

export const TokenList = Type.Array(
  Type.Object({
    token_id: TokenId,
    // Published clients send an empty text for a side that they leave open.
    side: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: SIDE })),
  }),
  { maxItems: READ_BOUNDS.tokensPerRequest },
);

export interface ListedToken {
  /** As the client wrote it. */
  readonly tokenId: string;
  readonly side: Side | undefined;
  /** undefined for a token that no market has. */
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
 * The books that a list names. Throws `invalid_parameter` for no token id, and `invalid_payload`
 * for no side.
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
