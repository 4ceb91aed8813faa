// The schemas with which the newest official client reads answers: of the recorded answers of all
// routes, and of those about a market and accounts that have nothing but what they must.
import * as clob from '@polymarket/bindings/clob';
import * as data from '@polymarket/bindings/data';
import * as gamma from '@polymarket/bindings/gamma';
import t from 'tap';
import examples from '../../../http/documentation/examples/public.json' with { type: 'json' };
import { shareTestExchange } from '../../http/exchange-fixture.ts';

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

t.test('the client reads every recorded answer', async (t) => {
  const recorded: Readonly<Record<string, { readonly response: unknown }>> = examples;
  for (const [route, schema] of Object.entries(SCHEMAS)) {
    const example = recorded[route];
    t.ok(example, `${route} has an example`);
    t.doesNotThrow(() => schema.parse(example?.response), route);
  }
});

const share = await shareTestExchange(t);

t.test(
  'the client reads answers with the least that a market and an account can have',
  async (t) => {
    const { trader, operator, send } = share();
    const [alice, bob] = [await trader(1), await trader(2)];
    const market = { slug: 'bare', question: 'Is it bare?' };
    const made = await operator('POST', '/events', {
      slug: 'bare',
      title: 'Bare',
      markets: [market],
    });
    const { event_id: event, markets } = JSON.parse(made.text);
    const [{ condition_id: condition, token_ids: tokens }] = markets;
    const asked = new Map<string, string>();
    const ask = async (route: string, query = '') => {
      const path = route.replace('GET ', '') + query;
      const { status, body, text } = await send('GET', path);
      t.equal(status, 200, `${path} ${text}`);
      t.doesNotThrow(() => SCHEMAS[route]?.parse(body), path);
      asked.set(route, text);
    };
    const user = `?user=${alice.address}`;
    const untraded = [
      ['GET /events', '?slug=bare'],
      ['GET /markets/keyset', '?slug=bare'],
      ['GET /public-search', '?q=bare'],
      ['GET /comments', `?parent_entity_type=Event&parent_entity_id=${event}`],
      ['GET /public-profile', `?address=${alice.address}`],
      ['GET /book', `?token_id=${tokens[0]}`],
      ['GET /prices-history', `?market=${tokens[0]}&interval=max`],
      ['GET /trades', user],
      ['GET /activity', user],
      ['GET /positions', user],
      ['GET /closed-positions', user],
      ['GET /value', user],
      ['GET /holders', `?market=${condition}`],
      ['GET /v1/market-positions', `?market=${condition}`],
      ['GET /oi', `?market=${condition}`],
      ['GET /live-volume', `?id=${event}`],
    ] as const;
    for (const [route, query] of untraded) await ask(route, query);

    await bob.place({ tokenId: tokens[1], priceTicks: 6_000, lots: 1_000 });
    await alice.place({ tokenId: tokens[0], priceTicks: 4_000, lots: 1_000 });
    for (const kind of ['split', 'merge']) {
      const body = { market: condition, amount: '5', key: kind };
      t.equal((await alice.signed('POST', `/sets/${kind}`, body)).status, 200, kind);
    }
    const parent = { parent_entity_type: 'Event', parent_entity_id: Number(event) };
    const said = await alice.signed('POST', '/comments', { body: 'Bare.', ...parent });
    t.equal(said.status, 200, said.text);
    for (const [route, query] of untraded) await ask(route, query);
    const hashes = [...(asked.get('GET /activity') ?? '').matchAll(/"transactionHash":"([^"]*)"/g)];
    t.equal(new Set(hashes.map(([, hash]) => hash)).size, 3, 'trade, split and merge have hashes');
    t.match(asked.get('GET /positions'), /"endDate":""/);

    await operator('POST', `/markets/${condition}/resolve`, { payout: '1' });
    t.equal(
      (await alice.signed('POST', '/sets/redeem', { market: condition, key: 'r' })).status,
      200,
    );
    for (const [route, query] of untraded) await ask(route, query);
    t.match(asked.get('GET /closed-positions'), /"endDate":"\d{4}-\d\d-\d\dT/);
  },
);
