// What strict clients read of each answer and message: the schemas of the newest official client on
// npm, the fields of its newest source, and the fields of the published Rust clients.
import * as clob from '@polymarket/bindings/clob';
import * as data from '@polymarket/bindings/data';
import * as gamma from '@polymarket/bindings/gamma';
import { checkerOf, RUST, SDK } from './field-lists.ts';

interface Schema {
  parse(value: unknown): unknown;
}

const SCHEMAS: Readonly<Record<string, Schema>> = {
  'GET /events': gamma.ListEventsResponseSchema,
  'GET /events/{id}': gamma.EventSchema,
  'GET /events/slug/{slug}': gamma.EventSchema,
  'GET /events/{id}/tags': gamma.FetchEventTagsResponseSchema,
  'GET /events/keyset': gamma.ListEventsKeysetResponseSchema,
  'GET /events/pagination': gamma.PaginationEnvelopeSchema,
  'GET /markets/keyset': gamma.ListMarketsKeysetResponseSchema,
  'GET /markets/slug/{slug}': gamma.MarketSchema,
  'GET /markets/{id}/tags': gamma.FetchMarketTagsResponseSchema,
  'POST /markets/information': gamma.ListMarketsResponseSchema,
  'GET /series': gamma.ListSeriesResponseSchema,
  'GET /series/{id}': gamma.SeriesSchema,
  'GET /tags': gamma.ListTagsResponseSchema,
  'GET /tags/{id}': gamma.TagSchema,
  'GET /tags/{id}/related-tags': gamma.ListRelatedTagsResponseSchema,
  'GET /tags/{id}/related-tags/tags': gamma.ListRelatedTagResourcesResponseSchema,
  'GET /comments': gamma.ListCommentsResponseSchema,
  'GET /comments/{id}': gamma.ListCommentsResponseSchema,
  'GET /comments/user_address/{user_address}': gamma.ListCommentsResponseSchema,
  'GET /public-profile': gamma.PublicProfileSchema,
  'GET /public-search': gamma.PublicSearchResponseSchema,
  'GET /teams': gamma.ListTeamsResponseSchema,
  'GET /sports': gamma.ListSportsMetadataResponseSchema,
  'GET /sports/market-types': gamma.SportsMarketTypesResponseSchema,
  'GET /trades': data.ListTradesResponseSchema,
  'GET /activity': data.ListActivityResponseSchema,
  'GET /positions': data.ListPositionsResponseSchema,
  'GET /closed-positions': data.ListClosedPositionsResponseSchema,
  'GET /value': data.FetchPortfolioValueResponseSchema,
  'GET /traded': data.TradedSchema,
  'GET /holders': data.ListMarketHoldersResponseSchema,
  'GET /v1/market-positions': data.ListMarketPositionsResponseSchema,
  'GET /oi': data.ListOpenInterestResponseSchema,
  'GET /live-volume': data.FetchEventLiveVolumeResponseSchema,
  'GET /v1/leaderboard': data.ListTraderLeaderboardResponseSchema,
  'GET /v1/builders/leaderboard': data.ListBuilderLeaderboardResponseSchema,
  'GET /v1/builders/volume': data.ListBuilderVolumeResponseSchema,
  'POST /auth/api-key': clob.ApiKeyCredsSchema,
  'GET /auth/derive-api-key': clob.ApiKeyCredsSchema,
  'GET /auth/api-keys': clob.ApiKeysResponseSchema,
  'GET /auth/ban-status/closed-only': clob.ClosedOnlyModeSchema,
  'POST /auth/builder-api-key': clob.BuilderApiKeyCredsSchema,
  'GET /auth/builder-api-key': clob.BuilderApiKeysResponseSchema,
  'GET /book': clob.OrderBookSchema,
  'POST /books': clob.OrderBooksSchema,
  'GET /price': clob.PriceSchema,
  'POST /prices': clob.PricesSchema,
  'GET /midpoint': clob.MidpointSchema,
  'POST /midpoints': clob.MidpointsSchema,
  'GET /spread': clob.SpreadSchema,
  'POST /spreads': clob.SpreadsSchema,
  'GET /last-trade-price': clob.LastTradePriceSchema,
  'POST /last-trades-prices': clob.LastTradePricesSchema,
  'GET /tick-size': clob.TickSizeSchema,
  'GET /neg-risk': clob.NegRiskSchema,
  'GET /clob-markets/{condition_id}': clob.MarketInfoSchema,
  'GET /markets-by-token/{token_id}': clob.ConditionByTokenSchema,
  'GET /fees/builder-fees/{code}': clob.BuilderFeeRatesSchema,
  'GET /prices-history': clob.PriceHistorySchema,
  'POST /order': clob.OrderResponseSchema,
  'POST /orders': clob.OrderResponsesSchema,
  'DELETE /order': clob.CancelOrdersResponseSchema,
  'DELETE /orders': clob.CancelOrdersResponseSchema,
  'DELETE /cancel-all': clob.CancelOrdersResponseSchema,
  'DELETE /cancel-market-orders': clob.CancelOrdersResponseSchema,
  'GET /data/order/{id}': clob.OpenOrderSchema,
  'GET /data/orders': clob.OpenOrdersPageSchema,
  'GET /data/trades': clob.ClobTradesPageSchema,
  'GET /builder/trades': clob.PaginatedBuilderTradesSchema,
  'GET /balance-allowance': clob.BalanceAllowanceResponseSchema,
  'GET /order-scoring': clob.OrderScoringResponseSchema,
  'POST /orders-scoring': clob.OrdersScoringResponseSchema,
  'GET /notifications': clob.NotificationsResponseSchema,
  'GET /rewards/user': clob.UserEarningsPageSchema,
  'GET /rewards/user/total': clob.TotalUserEarningsResponseSchema,
  'GET /rewards/user/percentages': clob.RewardsPercentagesSchema,
  'GET /rewards/user/markets': clob.UserRewardsEarningsPageSchema,
  'GET /rewards/markets/current': clob.PaginatedCurrentRewardsSchema,
  'GET /rewards/markets/{condition_id}': clob.PaginatedMarketRewardsSchema,
};

/** All routes that one of the clients calls. */
export const ROUTES_READ = Object.keys({ ...SCHEMAS, ...RUST.routes, ...SDK.routes });

/** Routes that the newest SDK calls and the exchange does not have yet. */
export const NOT_SERVED: Readonly<Record<string, string>> = {
  'GET /comments/keyset': 'not served yet',
};

export const checkRust = checkerOf(RUST);
export const checkSdk = checkerOf(SDK);

const SDK_ROUTES: Readonly<Record<string, string>> = SDK.routes;
export const SDK_MESSAGES: Readonly<Record<string, string>> = SDK.messages;

/** Throws if one of the clients cannot read the body. The version on npm comes last. */
export function read(route: string, body: unknown): void {
  const { [route]: sdkType } = SDK_ROUTES;
  if (sdkType !== undefined) checkSdk(body, sdkType, route);
  const { [route]: rustType } = RUST.routes;
  if (rustType !== undefined) checkRust(body, rustType, route);
  SCHEMAS[route]?.parse(body);
}
