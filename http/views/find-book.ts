/**
 * Finds the shown book or the market of a token id in a request. Only unusual spellings are parsed.
 */
import { ApiError, echo } from '../errors/index.ts';
import { canonicalTokenId, tokenIdIn } from '../parameters/index.ts';
import type { BookViews } from './books.ts';
import type { Registry, TokenEntry } from './registry.ts';
import type { TokenBook } from './token-book.ts';

const TOKEN_FIELD = 'token_id';

/** undefined for an unknown token. Throws `invalid_parameter` for a malformed token id. */
export function bookIfAny(
  books: BookViews,
  tokenId: string,
  field = TOKEN_FIELD,
): TokenBook | undefined {
  return books.shown(tokenId) ?? books.shown(canonicalTokenId(tokenId, field));
}

/** Throws `book_not_found` for an unknown token, and `invalid_parameter`. */
export function findBook(books: BookViews, tokenId: string): TokenBook {
  return bookIfAny(books, tokenId) ?? notFound(tokenId);
}

/** The market of a token. Throws as `findBook` does. */
export function findToken(registry: Registry, tokenId: string): TokenEntry {
  return (
    registry.token(tokenId) ??
    registry.token(canonicalTokenId(tokenId, TOKEN_FIELD)) ??
    notFound(tokenId)
  );
}

/** The market of a token that a client names in any spelling; undefined for an unknown one. */
export function tokenNamed(registry: Registry, name: string): TokenEntry | undefined {
  return registry.token(name) ?? registry.token(tokenIdIn(name) ?? '');
}

function notFound(tokenId: string): never {
  throw new ApiError('book_not_found', { field: TOKEN_FIELD, actual: echo(tokenId) });
}
