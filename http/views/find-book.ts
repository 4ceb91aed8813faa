/**
 * The book or market that a request names, or the refusal it gets.
 *
 * Invariant: a token id that is not canonical costs a second look-up; the usual one costs none.
 */
import { ApiError, echo } from '../errors/index.ts';
import { canonicalTokenId } from '../parameters/index.ts';
import type { BookViews } from './books.ts';
import type { Registry, TokenEntry } from './registry.ts';
import type { TokenBook } from './token-book.ts';

const TOKEN_FIELD = 'token_id';

/** Throws `invalid_parameter` for what is no token id. */
export function bookIfAny(
  books: BookViews,
  tokenId: string,
  field = TOKEN_FIELD,
): TokenBook | undefined {
  return books.token(tokenId) ?? books.token(canonicalTokenId(tokenId, field));
}

/** Throws `book_not_found` for a token that no market has. */
export function findBook(books: BookViews, tokenId: string): TokenBook {
  return bookIfAny(books, tokenId) ?? notFound(tokenId);
}

/** As `findBook`, of what trading depends on. */
export function findToken(registry: Registry, tokenId: string): TokenEntry {
  return (
    registry.token(tokenId) ??
    registry.token(canonicalTokenId(tokenId, TOKEN_FIELD)) ??
    notFound(tokenId)
  );
}

function notFound(tokenId: string): never {
  throw new ApiError('book_not_found', { field: TOKEN_FIELD, actual: echo(tokenId) });
}
