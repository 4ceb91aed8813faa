import { setImmediate } from 'node:timers/promises';
import { Type } from 'typebox';
import { NO_PARAMETERS, RawReply } from '../../api/index.ts';
import { READ_BOUNDS } from '../../bounds/index.ts';
import { ApiError } from '../../errors/index.ts';
import { defineRoute } from '../../services/index.ts';
import type { TokenBook } from '../../views/index.ts';
import { OrderBook } from '../../views/index.ts';
import { TokenList, tokensOf } from './token-list.ts';

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

/** A token that is listed several times is sent, and counts, as often. */
function refuseTooLarge(books: readonly TokenBook[]): void {
  const limit = READ_BOUNDS.levelsPerReply;
  const actual = books.reduce((levels, book) => levels + book.levelCount, 0);
  if (actual <= limit) return;
  const reason = 'the price levels of all books together';
  throw new ApiError('too_many_items', { field: 'body', reason, limit, actual });
}

/**
 * The books as one JSON array. Books that nobody read since they changed are made here, which may
 * take milliseconds, so others get their turn in between; each book is whole and of one moment.
 */
async function joined(books: readonly TokenBook[]): Promise<Buffer> {
  const parts: Buffer[] = [OPEN];
  let levels = 0;
  for (const book of books) {
    if (parts.length > 1) parts.push(COMMA);
    parts.push(book.bytes);
    levels += book.levelCount;
    if (levels < READ_BOUNDS.levelsPerSlice) continue;
    levels = 0;
    await setImmediate();
  }
  parts.push(CLOSE);
  return Buffer.concat(parts);
}

/**
 * POST /books: several order books, in the order asked for, without those of unknown tokens. An
 * item's `side` is accepted and both sides are sent: with one side the hash would not be the
 * book's, and clients that always send a side read both (wire 1.5). Throws `too_many_items` for
 * books of more than `READ_BOUNDS.levelsPerReply` levels together.
 */
export const postBooks = defineRoute({
  method: 'POST',
  path: '/books',
  summary: 'Several order books',
  auth: 'none',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: TokenList,
  response: Type.Array(OrderBook),
  needs: ['books'],
  handler: async ({ body, services }) => {
    const books = tokensOf(body, services.books).flatMap(({ book }) => book ?? []);
    refuseTooLarge(books);
    return new RawReply(200, await joined(books));
  },
});
