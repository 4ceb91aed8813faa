import { setImmediate } from 'node:timers/promises';
import { Type } from 'typebox';
import { RawReply } from '../../api/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { ApiError } from '../../errors/index.ts';
import { defineRoute } from '../../services/index.ts';
import { OrderBook, type TokenBook } from '../../views/index.ts';
import { bookRoute } from './book-routes.ts';
import { TokenList, tokensOf } from './token-list.ts';

/** GET /book: one token's order book. The bytes are made once for each version of the book. */
export const getBook = bookRoute({
  path: '/book',
  summary: "A token's order book with its hash, best prices last",
  response: OrderBook,
  answerOf: ({ bytes }) => new RawReply(200, bytes),
});

/**
 * POST /books: several order books, in the order of the request, without those of unknown tokens.
 * An item's `side` is accepted and ignored: the hash covers both sides of a book, and clients that
 * always send a side expect both sides (wire 1.5). Throws `too_many_items` if the books together
 * have more than `READ_BOUNDS.levelsPerReply` levels.
 */
export const postBooks = defineRoute({
  method: 'POST',
  path: '/books',
  summary: 'Several order books',
  auth: 'none',
  body: TokenList,
  response: Type.Array(OrderBook),
  needs: ['books'],
  handler: async ({ body, services }) => {
    const books = tokensOf(body, services.books).flatMap(({ book }) => book ?? []);
    refuseTooLarge(books);
    return new RawReply(200, await joined(books));
  },
});

/** A token that is listed several times counts each time, since its book is sent each time. */
function refuseTooLarge(books: readonly TokenBook[]): void {
  const limit = READ_BOUNDS.levelsPerReply;
  const actual = books.reduce((levels, book) => levels + book.levelCount, 0);
  if (actual <= limit) return;
  const reason = 'the books together have more price levels than `limit`';
  throw new ApiError('too_many_items', { field: 'body', reason, limit, actual });
}

/**
 * The books as one JSON array. Making the text of large books takes milliseconds, so other requests
 * get a turn of the event loop in between. Each book is consistent; two may differ in their time.
 */
async function joined(books: readonly TokenBook[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  let levels = 0;
  for (const book of books) {
    parts.push(parts.length === 0 ? OPEN : COMMA, book.bytes);
    levels += book.levelCount;
    if (levels < READ_BOUNDS.levelsPerSlice) continue;
    levels = 0;
    await setImmediate();
  }
  return Buffer.concat(parts.length === 0 ? [EMPTY] : [...parts, CLOSE]);
}

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');
const EMPTY = Buffer.from('[]');
