import { Type } from 'typebox';
import type { Caller } from '../../api/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { ApiError } from '../../errors/index.ts';
import { BuilderTrade, formatBuilderTrade, textFinder } from '../../format/index.ts';
import {
  addressFilter,
  builderFilter,
  CursorParameter,
  cursorPlace,
  END_CURSOR,
  hashFilter,
  OptionalText,
  onlySet,
  pageOf,
  pageSchema,
  timeFilter,
  tokenFilter,
  uuidFilter,
} from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';

const Query = Type.Object({
  id: OptionalText('Trade id'),
  builder_code: OptionalText('Builder code, 32 bytes, or its address'),
  maker_address: OptionalText('Account, as taker or maker, whose order names a builder'),
  market: OptionalText('Condition id'),
  asset_id: OptionalText('Token id that the taker or a maker traded'),
  before: OptionalText('Unix seconds, strictly before'),
  after: OptionalText('Unix seconds, strictly after'),
  next_cursor: CursorParameter,
});
type Query = Type.Static<typeof Query>;

/** The builder (of the query, else the caller) and the account to filter by; at least one. */
function scopeOf(query: Query, caller: Caller | undefined) {
  const named = builderFilter(query.builder_code, 'builder_code');
  const builder = named ?? builderFilter(caller?.owner, 'owner');
  const builtAccount = addressFilter(query.maker_address, 'maker_address');
  if (builder !== undefined || builtAccount !== undefined) return { builder, builtAccount };
  throw new ApiError('builder_filter_required', {
    field: 'builder_code',
    limit: 'builder headers, builder_code or maker_address',
  });
}

/**
 * GET /builder/trades: trades in which an order named a builder, newest first (wire 1.6). With
 * builder headers, the default is the caller's own code, which is its address padded with zeros.
 * Other callers must name a builder or an account, or `builder_filter_required` is thrown. API keys
 * are shown to their owner alone.
 */
export const getBuilderTrades = defineRoute({
  method: 'GET',
  path: '/builder/trades',
  summary: "A builder's trades",
  auth: 'may_builder',
  query: Query,
  response: pageSchema(BuilderTrade),
  needs: ['exchange', 'toldTrades'],
  handler: async ({ query, caller, request, services }) => {
    const scope = scopeOf(query, caller);
    const limit = READ_BOUNDS.builderTradesPerPage;
    const { offset, after } = cursorPlace(query.next_cursor);
    const { records, more } = await services.exchange.reader.trades({
      offset: after === undefined ? offset : 0,
      limit,
      ...onlySet({
        after,
        ...scope,
        tradeId: uuidFilter(query.id, 'id'),
        conditionId: hashFilter(query.market, 'market'),
        tokenId: tokenFilter(query.asset_id, 'asset_id'),
        beforeMs: timeFilter(query.before, 'before'),
        afterMs: timeFilter(query.after, 'after'),
      }),
    });
    const textsOf = textFinder(services.exchange.catalog.lookup);
    const { builder = '', builtAccount: account = '' } = scope;
    const { userAgent, dialect } = request;
    const toldOf = (tradeId: string) => services.toldTrades.toldOf(tradeId);
    const owner = caller?.owner ?? '';
    const reader = { builder, account, owner, userAgent, dialect, toldOf };
    const trades = records.map((trade) =>
      formatBuilderTrade(trade, textsOf(trade.conditionId).outcomes, reader),
    );
    return pageOf(trades, { offset, limit, more, end: END_CURSOR });
  },
});
