import { Type } from 'typebox';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { AccountTrade, formatTrade, textFinder } from '../../format/index.ts';
import {
  addressFilter,
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

/**
 * GET /data/trades: the caller's trades, as taker and as maker (wire 1.6). `taker` and `maker` name
 * the account on that side, `maker_address` an account on either side. A trade exactly at `before`
 * or `after` is not listed. Without auth headers the path is that of the analytics' fills.
 */
export const getDataTrades = defineRoute({
  method: 'GET',
  path: '/data/trades',
  summary:
    'Your trades, as taker and as maker; without auth headers the answer of GET /trades instead',
  auth: 'l2',
  publicPath: '/trades',
  query: Type.Object({
    id: OptionalText('Trade id'),
    taker: OptionalText('Account of the taker'),
    maker: OptionalText('Account of a maker'),
    maker_address: OptionalText('Account that is the taker or a maker'),
    market: OptionalText('Condition id'),
    asset_id: OptionalText('Token id that the taker or a maker traded'),
    before: OptionalText('Unix seconds, strictly before'),
    after: OptionalText('Unix seconds, strictly after'),
    next_cursor: CursorParameter,
  }),
  response: pageSchema(AccountTrade),
  needs: ['exchange', 'toldTrades'],
  handler: async ({ query, caller, request, services }) => {
    const { owner } = caller;
    const limit = READ_BOUNDS.tradesPerPage;
    const { offset, after } = cursorPlace(query.next_cursor);
    const { records, more } = await services.exchange.reader.trades({
      owner,
      offset: after === undefined ? offset : 0,
      limit,
      ...onlySet({
        after,
        tradeId: uuidFilter(query.id, 'id'),
        takerAccount: addressFilter(query.taker, 'taker'),
        makerAccount: addressFilter(query.maker, 'maker'),
        eitherAccount: addressFilter(query.maker_address, 'maker_address'),
        conditionId: hashFilter(query.market, 'market'),
        tokenId: tokenFilter(query.asset_id, 'asset_id'),
        beforeMs: timeFilter(query.before, 'before'),
        afterMs: timeFilter(query.after, 'after'),
      }),
    });
    const textsOf = textFinder(services.exchange.catalog.lookup);
    const { userAgent, dialect } = request;
    const toldOf = (tradeId: string) => services.toldTrades.toldOf(tradeId);
    const reader = { owner, userAgent, dialect, toldOf };
    const trades = records.map((trade) =>
      formatTrade(trade, textsOf(trade.conditionId).outcomes, reader),
    );
    return pageOf(trades, { offset, limit, more, end: END_CURSOR });
  },
});
