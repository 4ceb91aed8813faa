/**
 * The GET forms of routes for several tokens: the tokens are in the query instead of the body
 * (wire 1.5). Invariant: the answer is that of the POST form for the same tokens.
 */
import { Type } from 'typebox';
import type { NO_PARAMETERS } from '../../api/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { ApiError } from '../../errors/index.ts';
import { canonicalTokenId, Text } from '../../parameters/index.ts';
import { defineRoute, type RouteNeeding, type Services } from '../../services/index.ts';
import type { Registry } from '../../views/index.ts';
import { postBooks } from './books.ts';
import { postMidpoints, postPrices } from './prices.ts';
import type { TokenList } from './token-list.ts';

/**
 * The token that the `market` of a history names: by token id, or by condition id, which stands for
 * the market's first token (wire 6.4). Returns undefined for an unknown id, and throws
 * `invalid_parameter` for a malformed one.
 */
export function historyToken(
  registry: Registry,
  market: string,
  field: string,
): string | undefined {
  const ofCondition = registry.market(market.toLowerCase());
  if (ofCondition !== undefined) return ofCondition.tokenIds[0];
  const tokenId = canonicalTokenId(market, field);
  return registry.token(tokenId) && tokenId;
}

type Tokens = Type.Static<typeof TokenList>;

const TokensQuery = Type.Object({
  token_ids: Text(`Token ids with commas between them, at most ${READ_BOUNDS.tokensPerRequest}`),
  sides: Type.Optional(
    Text('BUY or SELL for each token, with commas between them; absent for both sides'),
  ),
});

/** The body that names the same tokens. */
function tokensIn({ token_ids, sides }: Type.Static<typeof TokensQuery>): Tokens {
  const ids = token_ids.split(',');
  const limit = READ_BOUNDS.tokensPerRequest;
  if (ids.length > limit) {
    throw new ApiError('too_many_items', { field: 'token_ids', limit, actual: ids.length });
  }
  if (sides === undefined || sides === '') return ids.map((id) => ({ token_id: id }));
  const names = sides.split(',');
  if (names.length !== ids.length) {
    const limit = `${ids.length}, one for each of token_ids`;
    throw new ApiError('invalid_parameter', { field: 'sides', limit, actual: names.length });
  }
  return ids.map((id, index) => ({ token_id: id, side: names[index] ?? '' }));
}

type PostForm<Need extends keyof Services> = RouteNeeding<
  Need,
  typeof NO_PARAMETERS,
  typeof NO_PARAMETERS,
  typeof TokenList
>;

function queryForm<const Need extends keyof Services>(post: PostForm<Need>) {
  return defineRoute({
    method: 'GET',
    path: post.path,
    summary: post.summary,
    auth: 'none',
    query: TokensQuery,
    response: post.response,
    needs: post.needs ?? [],
    handler: (input) => post.handler({ ...input, query: {}, body: tokensIn(input.query) }),
  });
}

export const getBooks = queryForm(postBooks);
export const getMidpoints = queryForm(postMidpoints);
export const getPrices = queryForm(postPrices);
