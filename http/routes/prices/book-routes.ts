/** Makes routes that answer with data from one token's book, or from the books of several. */
import { type TSchema, Type } from 'typebox';
import { TokenId } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { findBook, type TokenBook } from '../../views/index.ts';
import { TokenList, tokensOf } from './token-list.ts';

interface BookRoute {
  readonly path: string;
  readonly summary: string;
  readonly response: TSchema;
  readonly answerOf: (book: TokenBook) => unknown;
}

/** Throws `book_not_found` for an unknown token. */
export function bookRoute({ answerOf, ...route }: BookRoute) {
  return defineRoute({
    ...route,
    method: 'GET',
    auth: 'none',
    query: Type.Object({ token_id: TokenId }),
    needs: ['books'],
    handler: ({ query, services }) => answerOf(findBook(services.books, query.token_id)),
  });
}

/** A route that answers with a text for each known token, by token id as the client wrote it. */
export function textsRoute(path: string, summary: string, textOf: (book: TokenBook) => string) {
  return defineRoute({
    method: 'POST',
    path,
    summary,
    auth: 'none',
    body: TokenList,
    response: Type.Record(Type.String(), Type.String()),
    needs: ['books'],
    handler: ({ body, services }) => {
      const texts = new Map<string, string>();
      for (const { tokenId, book } of tokensOf(body, services.books)) {
        if (book !== undefined) texts.set(tokenId, textOf(book));
      }
      return Object.fromEntries(texts);
    },
  });
}
