// What strict clients read: the schemas of the newest official client on npm, the fields of its
// newest source, and the fields of the published Rust clients. They read the recorded answers of
// all routes and the recorded messages, and those about a market and accounts that have nothing but
// what they must.
import * as clob from '@polymarket/bindings/clob';
import * as data from '@polymarket/bindings/data';
import * as gamma from '@polymarket/bindings/gamma';
import t, { type Test } from 'tap';
import examples from '../../../http/documentation/examples/public.json' with { type: 'json' };
import messages from '../../../http/documentation/examples/streams.json' with { type: 'json' };
import type { Running } from '../../../venue/program.ts';
import { ROUTES } from '../../all-routes.ts';
import { shareTestExchange, type TestExchange, type Trader } from '../../http/exchange-fixture.ts';
import { StreamClient } from '../../http/streams/stream-client.ts';
import { authOf } from '../../http/streams/user/user-fixture.ts';
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

/** Recorded answers that the Rust clients are not asked to read, and why. */
const NOT_FOR_RUST: Readonly<Record<string, string>> = {
  'GET /data/trades': 'recorded with KUEST_ headers, whose times are ISO 8601 (wire 0.14)',
  'GET /auth/readonly-api-keys': 'a list, as all other clients read it (wire 1.3)',
  'GET /builder/trades': 'the builder of the example is no address (wire 0.15)',
};

/** Recorded messages that the SDK cannot read, and why. */
const NOT_FOR_SDK: Readonly<Record<string, string>> = {
  'live.comment_removed': 'it has a STAR, of which the SDK does not know (wire 8.4)',
};

/** Routes that the newest SDK calls and the exchange does not have yet. */
const NOT_SERVED = /^GET \/comments\/keyset/;

const checkRust = checkerOf(RUST);
const checkSdk = checkerOf(SDK);

const SDK_ROUTES: Readonly<Record<string, string>> = SDK.routes;
const SDK_MESSAGES: Readonly<Record<string, string>> = SDK.messages;

/** Throws if one of the clients cannot read the body. */
function read(route: string, body: unknown): void {
  SCHEMAS[route]?.parse(body);
  const { [route]: rustType } = RUST.routes;
  if (rustType !== undefined) checkRust(body, rustType, route);
  const { [route]: sdkType } = SDK_ROUTES;
  if (sdkType !== undefined) checkSdk(body, sdkType, route);
}

t.test('the clients read every recorded answer', async (t) => {
  const recorded: Readonly<Record<string, { readonly response: unknown }>> = examples;
  for (const route of Object.keys({ ...SCHEMAS, ...RUST.routes, ...SDK_ROUTES })) {
    const example = recorded[route];
    if (example === undefined && NOT_SERVED.test(route)) continue;
    t.ok(example, `${route} has an example`);
    const check = () => read(route, example?.response);
    if (NOT_FOR_RUST[route] === undefined) t.doesNotThrow(check, route);
    else t.throws(check, `${route}: ${NOT_FOR_RUST[route]}`);
  }
});

t.test('the SDK reads every recorded message', async (t) => {
  const recorded: Readonly<Record<string, unknown>> = messages;
  for (const [name, type] of Object.entries(SDK_MESSAGES)) {
    const check = () => checkSdk(recorded[name], type, name);
    if (NOT_FOR_SDK[name] === undefined) t.doesNotThrow(check, name);
    else t.throws(check, `${name}: ${NOT_FOR_SDK[name]}`);
  }
});

t.test('a field that a Rust client lacks, or cannot read, is named', async (t) => {
  const level = { price: '0.4', size: '5' };
  const rows: readonly (readonly [value: unknown, type: string, told: RegExp | undefined])[] = [
    [{ price: '0.4' }, 'Level', /\$\.size is undefined in place of Decimal/],
    [{ ...level, size: '' }, 'Level', /\$\.size is "" in place of Decimal/],
    [[level, null], '[Level]', /\$\[1\] is null/],
    [null, '[Level]', /\$ is null/],
    [{}, 'Rewards', /\$\.min_size is undefined/],
    [{ canceled: null, not_canceled: {} }, 'Cancels', undefined],
    [{ notCanceled: {}, not_canceled: {} }, 'Cancels', /one of notCanceled\|not_canceled/],
    [{ createdAt: '' }, 'Profile', /\$\.createdAt is "" in place of Date/],
    [{ proxyWallet: '', users: null }, 'Profile', undefined],
    [{ id: '1', outcomes: ['Yes'] }, 'Market', /\$\.outcomes is \["Yes"\]/],
    [{ id: '1', outcomePrices: '["0.5", "x"]' }, 'Market', /\$\.outcomePrices\[1\] is "x"/],
  ];
  for (const [value, type, told] of rows) {
    if (told === undefined) t.doesNotThrow(() => checkRust(value, type), type);
    else t.throws(() => checkRust(value, type), told);
  }
});

t.test('a field that the SDK lacks, or cannot read, is named', async (t) => {
  const page = { limit: 1, has_more: false, next_cursor: null };
  const notice = { id: 1, type: 4, owner: '', timestamp: 1 };
  const rows: readonly (readonly [value: unknown, type: string, told: RegExp | undefined])[] = [
    [{ data: [], pagination: page }, 'DataPage[Fill]', undefined],
    [{ data: [{}], pagination: page }, 'DataPage[Fill]', /\$\.data\[0\]\.proxy_wallet is undef/],
    [{ data: [], pagination: { ...page, next_cursor: '' } }, 'DataPage[Fill]', /next_cursor is ""/],
    [{ data: null }, 'Data[UserStats!]', undefined],
    [{}, 'Data[UserStats!]', /\$\.data is undefined in place of an object/],
    [{ ...notice, payload: {} }, 'Notification', /payload\.accepting_orders is undefined/],
    [{ ...notice, type: 2, payload: {} }, 'Notification', /payload\.asset_id is undefined/],
    [{ ...notice, type: 11, payload: {} }, 'Notification', /type is 11 in place of =1/],
    [{ r: null }, 'MarketFeeInfo', /\$\.r is null in place of f/],
    [{}, 'MarketFeeInfo', undefined],
    [{ price: '0.5', side: '' }, 'LastTradePrice', undefined],
    [{ price: '0.5', side: 'buy' }, 'LastTradePrice', /\$\.side is "buy" in place of =BUY/],
    [{ minimum_tick_size: '0.01' }, 'TickSize', /is "0\.01" in place of TickNumber/],
  ];
  for (const [value, type, told] of rows) {
    if (told === undefined) t.doesNotThrow(() => checkSdk(value, type), type);
    else t.throws(() => checkSdk(value, type), told);
  }
});

/** Imported records with the least that they can have. */
const LEAST: Readonly<Record<string, object>> = {
  events: {
    id: '900',
    slug: 'least',
    title: 'Least',
    tags: [{ id: '900', slug: 'least-tag', label: 'Least' }],
    series: [{ id: '900', slug: 'least-series', title: 'Least' }],
    markets: [
      {
        id: '900',
        slug: 'least-market',
        question: 'Least?',
        conditionId: `0x${'90'.repeat(32)}`,
        clobTokenIds: '["9001", "9002"]',
        outcomes: '["Yes", "No"]',
      },
    ],
  },
  creators: { id: '900' },
  teams: { id: 900, name: 'Least' },
  sports: { id: 900, sport: 'least' },
};

async function importLeast({ services }: Running): Promise<void> {
  const { write } = services.exchange.catalog;
  for (const [kind, record] of Object.entries(LEAST)) {
    const text = Buffer.from(JSON.stringify([record]));
    // Safe: the names are kinds.
    const page = { source: 'https://least.example', kind: kind as 'teams', text, mark: '' };
    await write.putPage(page);
  }
}

const share = await shareTestExchange(t);

interface Bare {
  readonly event: string;
  readonly condition: string;
  readonly token: string;
  readonly user: string;
}

/** Routes and paths that anybody may ask. */
function questionsAbout({ event, condition, token, user }: Bare) {
  return [
    ['GET /events', '/events?slug=bare'],
    ['GET /events', '/events?slug=none'],
    ['GET /events/{id}', `/events/${event}`],
    ['GET /events/slug/{slug}', '/events/slug/bare'],
    ['GET /events/{id}/tags', `/events/${event}/tags`],
    ['GET /markets/keyset', '/markets/keyset?slug=bare'],
    ['GET /markets/slug/{slug}', '/markets/slug/bare'],
    ['GET /markets/{id}', `/clob/markets/${condition}`],
    ['GET /clob-markets/{condition_id}', `/clob-markets/${condition}`],
    ['GET /simplified-markets', '/simplified-markets'],
    ['GET /public-search', '/public-search?q=bare'],
    ['GET /public-search', '/public-search?q=nobody'],
    ['GET /comments', `/comments?parent_entity_type=Event&parent_entity_id=${event}`],
    ['GET /comments/user_address/{user_address}', `/comments/user_address/${user}`],
    ['GET /public-profile', `/public-profile?address=${user}`],
    ['GET /events', '/events?slug=least'],
    ['GET /events/slug/{slug}', '/events/slug/least'],
    ['GET /markets/slug/{slug}', '/markets/slug/least-market'],
    ['GET /series', '/series?slug=least-series'],
    ['GET /tags/slug/{slug}', '/tags/slug/least-tag'],
    ['GET /teams', '/teams'],
    ['GET /sports', '/sports'],
    ['GET /book', `/book?token_id=${token}`],
    ['GET /prices-history', `/prices-history?market=${token}&interval=max`],
    ['GET /trades', `/trades?user=${user}`],
    ['GET /activity', `/activity?user=${user}`],
    ['GET /positions', `/positions?user=${user}`],
    ['GET /closed-positions', `/closed-positions?user=${user}`],
    ['GET /value', `/value?user=${user}`],
    ['GET /traded', `/traded?user=${user}`],
    ['GET /holders', `/holders?market=${condition}`],
    ['GET /v1/market-positions', `/v1/market-positions?market=${condition}`],
    ['GET /v1/leaderboard', '/v1/leaderboard'],
    ['GET /v1/builders/leaderboard', '/v1/builders/leaderboard'],
    ['GET /v1/builders/volume', '/v1/builders/volume'],
    ['GET /oi', `/oi?market=${condition}`],
    ['GET /live-volume', `/live-volume?id=${event}`],
  ] as const;
}

/** The same of Data API v2, of which only the served ones are asked. */
function newerQuestionsAbout({ condition, user }: Bare): readonly (readonly [string, string])[] {
  const byUser = 'trades activity positions value user-stats user-pnl user-volume approvals'.split(
    ' ',
  );
  const byCondition = 'trades positions holders oi resolutions'.split(' ');
  const boards = 'leaderboard builders/leaderboard builders/volume biggest-winners'.split(' ');
  const asked = [
    ...byUser.map((name) => [name, `user=${user}`]),
    ...byCondition.map((name) => [name, `condition=${condition}`]),
    ...boards.map((name) => [name, '']),
  ];
  return asked
    .map(([name, query]) => [`GET /v2/${name}`, `/v2/${name}?${query}`] as const)
    .filter(([route]) => ROUTES.some(({ method, path }) => `${method} ${path}` === route));
}

/** Routes and paths that an account asks with its key. */
const SIGNED = [
  ['GET /auth/api-keys', '/auth/api-keys'],
  ['GET /auth/ban-status/closed-only', '/auth/ban-status/closed-only'],
  ['GET /auth/builder-api-key', '/auth/builder-api-key'],
  ['GET /data/orders', '/data/orders'],
  ['GET /data/trades', '/data/trades'],
  ['GET /notifications', '/notifications'],
  ['GET /balance-allowance', '/balance-allowance?asset_type=COLLATERAL'],
  ['GET /rewards/user/percentages', '/rewards/user/percentages'],
  ['GET /rewards/user/markets', '/rewards/user/markets?date=2026-06-03'],
  ['DELETE /cancel-all', '/cancel-all'],
] as const;

/** Listens as the SDK does: to the tokens of a market, to a trader's orders, and to comments. */
async function listen(exchange: TestExchange, trader: Trader, tokens: readonly string[]) {
  const { url } = exchange.running;
  const all = { custom_feature_enabled: true };
  const asked = {
    market: { type: 'market', assets_ids: tokens, ...all },
    user: { type: 'user', markets: [], auth: authOf(trader), ...all },
    live: { action: 'subscribe', subscriptions: [{ topic: 'comments', type: '*' }] },
  };
  const clients: (readonly [channel: string, client: StreamClient])[] = [];
  for (const [channel, request] of Object.entries(asked)) {
    const client = await StreamClient.open(url, `/ws/${channel}`);
    client.send(request);
    await client.settled();
    clients.push([channel, client]);
  }
  return {
    heard: async (t: Test): Promise<ReadonlySet<string>> => {
      const names = new Set<string>();
      for (const [channel, client] of clients) {
        await client.settled();
        for (const message of client.messages) {
          const name = `${channel}.${message.event_type ?? message.type}`;
          const type = SDK_MESSAGES[name];
          if (type === undefined) continue;
          names.add(name);
          t.doesNotThrow(() => checkSdk(message, type, name), name);
        }
        client.close();
      }
      return names;
    },
  };
}

/** Comments on an event, and adds and removes another's reaction; returns the comment's path. */
async function talk(speaker: Trader, other: Trader, event: string): Promise<string> {
  const parent = { parent_entity_type: 'Event', parent_entity_id: Number(event) };
  const said = await speaker.signed('POST', '/comments', { body: 'Bare.', ...parent });
  const comment = `/comments/${JSON.parse(said.text).id}`;
  await other.signed('POST', `${comment}/reactions`, { reaction_type: 'HEART' });
  await other.signed('DELETE', `${comment}/reactions?reaction_type=HEART`);
  return comment;
}

t.test(
  'the clients read answers with the least that a market and an account can have',
  async (t) => {
    const exchange = share();
    const { running, trader, operator, send } = exchange;
    await importLeast(running);
    const [alice, bob] = [await trader(1), await trader(2)];
    const bare = [{ slug: 'bare', question: 'Is it bare?' }];
    const made = await operator('POST', '/events', { slug: 'bare', title: 'Bare', markets: bare });
    const { event_id: event, markets } = JSON.parse(made.text);
    const [{ condition_id: condition, token_ids: tokens }] = markets;
    const answered = new Map<string, string>();
    const check = (route: string, { status, text }: { status: number; text: string }) => {
      t.equal(status, 200, `${route} ${text}`);
      t.doesNotThrow(() => read(route, JSON.parse(text)), route);
      answered.set(route, text);
    };
    const about = { event, condition, token: tokens[0], user: alice.address };
    const questions = [...questionsAbout(about), ...newerQuestionsAbout(about)];
    const askAll = async () => {
      for (const [route, path] of questions) check(route, await send('GET', path));
      for (const [route, path] of SIGNED) {
        const [method = ''] = route.split(' ');
        check(route, await alice.signed(method, path));
      }
    };
    const listeners = await listen(exchange, alice, tokens);
    await askAll();
    // As the public venue documents it; only the Rust clients read a side of their own for it.
    const untraded = await send('GET', `/last-trade-price?token_id=${tokens[0]}`);
    t.equal(untraded.text, '{"price":"0.5","side":""}');
    t.doesNotThrow(() => checkRust(untraded.body, 'LastPrice'));

    await bob.place({ tokenId: tokens[1], priceTicks: 6_000, lots: 1_000 });
    const builder = `0x${'0'.repeat(24)}${bob.address.slice(2)}`;
    const wishes = { tokenId: tokens[0], priceTicks: 4_000, lots: 1_500, changes: { builder } };
    const ordered = await alice.place(wishes);
    check('POST /order', ordered);
    const order = ordered.body.orderID;
    check('GET /data/order/{id}', await alice.signed('GET', `/data/order/${order}`));
    for (const kind of ['split', 'merge']) {
      const body = { market: condition, amount: '5', key: kind };
      t.equal((await alice.signed('POST', `/sets/${kind}`, body)).status, 200, kind);
    }
    const comment = await talk(alice, bob, event);
    await askAll();
    const hashes = [
      ...(answered.get('GET /activity') ?? '').matchAll(/"transactionHash":"([^"]*)"/g),
    ];
    t.equal(new Set(hashes.map(([, hash]) => hash)).size, 3, 'trade, split and merge have hashes');
    t.match(answered.get('GET /positions'), /"endDate":""/);
    check('GET /builder/trades', await send('GET', `/builder/trades?builder_code=${builder}`));
    t.match(answered.get('GET /builder/trades'), /"takerOrderHash"/);
    t.match(answered.get('GET /data/trades'), /"match_time":"\d{10}"/);

    await operator('POST', `/markets/${condition}/terms`, { tick_size: '0.001' });
    await operator('POST', `/markets/${condition}/resolve`, { payout: '1' });
    t.equal(
      (await alice.signed('POST', '/sets/redeem', { market: condition, key: 'r' })).status,
      200,
    );
    await askAll();
    t.equal((await alice.signed('DELETE', comment)).status, 200);
    const next = [{ slug: 'next', question: 'Is it the next?' }];
    await operator('POST', '/events', { slug: 'next', title: 'Next', markets: next });
    const heard = await listeners.heard(t);
    const missing = Object.keys(SDK_MESSAGES).filter((name) => !heard.has(name));
    t.strictSame(missing, []);
    t.match(answered.get('GET /closed-positions'), /"endDate":"\d{4}-\d\d-\d\dT/);
  },
);
