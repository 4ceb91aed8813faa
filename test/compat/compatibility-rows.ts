/**
 * What COMPATIBILITY.md says about each route beyond the compatibility tests: which families of
 * clients call it, how far it is served, and which other tests cover it.
 */

/** `empty`: a valid answer without content; `refused`: an error that says so. */
export type Status = 'served' | 'empty' | 'refused';

export interface Row {
  /** `METHOD /path/{parameter}`, as in the table of routes. */
  readonly route: string;
  /** The families of clients that call it; '' for a route of this exchange alone. */
  readonly clients: string;
  readonly status: Status;
  /** What a client has to know about it. */
  readonly note: string;
  /** Test files outside of test/compat. */
  readonly tests: readonly string[];
}

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

type Details = Partial<Omit<Row, 'route' | 'clients'>>;

function row(route: string, clients: string, details: Details = {}): Row {
  return {
    route,
    clients,
    status: 'served',
    note: '',
    tests: [],
    ...details,
  };
}

const ALL = 'Kuest, v1, v2';
const KUEST = 'Kuest';
const OWN = '';

const EXPLORER_COMMANDS = testIn('http/explorer/commands');
const EXPLORER_RECORDS = testIn('http/explorer/records');
const EXPLORER_BALANCES = testIn('http/explorer/balances');

function testIn(...names: readonly string[]): readonly string[] {
  return names.map((name) => `test/${name}.test.ts`);
}

const health: readonly Row[] = [
  row('GET /', 'Kuest, v1, v2 (Rust)', { tests: testIn('http/server/server') }),
  row('GET /ok', 'v2'),
  row('GET /status', 'Polymarket', {
    note: 'Plain text, also under /gamma',
    tests: testIn('catalog/routes/catalog-list'),
  }),
  row('GET /time', ALL),
  row('GET /version', 'Kuest, v2', {
    note: 'Always 2; orders of version 1 are accepted too',
  }),
];

const READ_ONLY_NOTE =
  'The answer also has secret and passphrase: the key is of no use without them';

const credentials: readonly Row[] = [
  row('POST /auth/api-key', ALL, { note: 'The same nonce gives the same credentials' }),
  row('GET /auth/derive-api-key', ALL),
  row('GET /auth/api-keys', ALL),
  row('DELETE /auth/api-key', ALL),
  row('GET /auth/ban-status/closed-only', ALL, {
    note: 'Also true for a banned owner',
    tests: testIn('http/routes/markets/operator-changes'),
  }),
  row('POST /auth/readonly-api-key', ALL, { note: READ_ONLY_NOTE }),
  row('GET /auth/readonly-api-keys', ALL),
  row('DELETE /auth/readonly-api-key', ALL),
  row('GET /auth/validate-readonly-api-key', 'Kuest, v1', {
    tests: testIn('http/routes/keys/api-keys'),
  }),
  row('POST /auth/builder-api-key', ALL),
  row('GET /auth/builder-api-key', ALL),
  row('DELETE /auth/builder-api-key', ALL, {
    note: 'With builder headers it revokes that key, with L2 headers all builder keys of the owner',
  }),
];

const SAMPLING_NOTE = 'No market pays rewards, so it lists all markets that accept orders';

const markets: readonly Row[] = [
  row('GET /markets', ALL, {
    note: 'The order-book form with `next_cursor`, the catalog form without',
  }),
  row('GET /markets/{id}', ALL, { note: 'By condition id, both forms in one object' }),
  row('GET /simplified-markets', ALL),
  row('GET /sampling-markets', ALL, { note: SAMPLING_NOTE }),
  row('GET /sampling-simplified-markets', ALL, { note: SAMPLING_NOTE }),
  row('GET /clob-markets/{condition_id}', 'Kuest, v2'),
  row('GET /markets-by-token/{token_id}', 'Kuest, v2'),
  row('GET /tick-size', ALL),
  row('GET /tick-size/{token_id}', OWN, { tests: testIn('http/routes/markets/read-markets') }),
  row('GET /neg-risk', ALL),
  row('GET /neg-risk/{token_id}', KUEST, { tests: testIn('http/routes/markets/read-markets') }),
  row('GET /fee-rate', ALL, { note: "The rate of the token's market; zero without a token" }),
  row('GET /fee-rate/{token_id}', KUEST, { tests: testIn('http/routes/markets/read-markets') }),
  row('GET /fees/builder-fees/{code}', 'Kuest, v2', {
    note: 'Zero for a code that the operator has not set up',
    tests: testIn('http/routes/markets/scoring-fees'),
  }),
];

const CATALOG = 'Kuest, Polymarket';
const POLYMARKET = 'Polymarket';
const CATALOG_TEST: Details = { tests: testIn('catalog/routes/shapes') };
const RELATED_TEST: Details = { tests: testIn('catalog/routes/related-tags') };
const PEOPLE_TEST: Details = { tests: testIn('catalog/routes/people') };

const catalog: readonly Row[] = [
  row('GET /events', CATALOG, {
    note: 'A `limit` above 100 counts as 100 or is refused, by dialect',
    tests: testIn('catalog/routes/event-list'),
  }),
  row('GET /events/{id}', CATALOG, {
    note: 'The only answer whose markets name the market that they mirror',
    ...CATALOG_TEST,
  }),
  row('GET /events/slug/{slug}', CATALOG, CATALOG_TEST),
  row('GET /events/{id}/tags', CATALOG, CATALOG_TEST),
  row('GET /events/{id}/comments/count', CATALOG, PEOPLE_TEST),
  row('GET /events/creators', CATALOG, PEOPLE_TEST),
  row('GET /events/creators/{id}', CATALOG, PEOPLE_TEST),
  row('GET /events/keyset', POLYMARKET, {
    note: 'A cursor goes with its filters and order; the last page has no `next_cursor`',
    tests: testIn('catalog/routes/event-list'),
  }),
  row('GET /markets/keyset', POLYMARKET, { tests: testIn('catalog/routes/event-list') }),
  row('GET /events/pagination', POLYMARKET, {
    note: '`totalResults` is counted up to 10,000',
    tests: testIn('catalog/routes/event-list'),
  }),
  row('POST /markets/information', POLYMARKET, {
    note: 'Lists of at most 100 values; `rewardsMinSize` is refused',
    tests: testIn('catalog/routes/catalog-list'),
  }),
  row('GET /markets/slug/{slug}', CATALOG, CATALOG_TEST),
  row('GET /markets/{id}/description', CATALOG, CATALOG_TEST),
  row('GET /markets/{id}/tags', CATALOG, CATALOG_TEST),
  row('GET /series', CATALOG, CATALOG_TEST),
  row('GET /series/{id}', CATALOG, CATALOG_TEST),
  row('GET /series/{id}/comments/count', CATALOG, PEOPLE_TEST),
  row('GET /tags', CATALOG, CATALOG_TEST),
  row('GET /tags/{id}', CATALOG, CATALOG_TEST),
  row('GET /tags/slug/{slug}', CATALOG, CATALOG_TEST),
  row('GET /tags/{id}/related-tags', POLYMARKET, {
    note: 'Tags that share events, the most frequent first; no source states relations',
    tests: testIn('catalog/routes/related-tags'),
  }),
  row('GET /tags/slug/{slug}/related-tags', POLYMARKET, RELATED_TEST),
  row('GET /tags/{id}/related-tags/tags', POLYMARKET, RELATED_TEST),
  row('GET /tags/slug/{slug}/related-tags/tags', POLYMARKET, RELATED_TEST),
  row('GET /comments', CATALOG, PEOPLE_TEST),
  row('GET /comments/keyset', POLYMARKET, PEOPLE_TEST),
  row('GET /comments/{id}', CATALOG, PEOPLE_TEST),
  row('GET /comments/user_address/{user_address}', CATALOG, PEOPLE_TEST),
  row('GET /public-profile', CATALOG, PEOPLE_TEST),
  row('GET /profiles/user_address/{user_address}', KUEST, PEOPLE_TEST),
  row('GET /public-search', CATALOG, {
    note: 'Events are returned in full; `search_profiles` is accepted and finds none',
    tests: testIn('catalog/routes/search'),
  }),
  row('POST /comments', OWN, {
    note: 'No published client writes comments; fields are those of the reads, in snake_case',
    tests: testIn('catalog/routes/content/comments'),
  }),
  row('PUT /comments/{id}', OWN, { tests: testIn('catalog/routes/content/comments') }),
  row('DELETE /comments/{id}', OWN, { tests: testIn('catalog/routes/content/comments') }),
  row('POST /comments/{id}/reports', OWN, { tests: testIn('catalog/routes/content/comments') }),
  row('POST /comments/{id}/reactions', OWN, { tests: testIn('catalog/routes/content/reactions') }),
  row('DELETE /comments/{id}/reactions', OWN, {
    tests: testIn('catalog/routes/content/reactions'),
  }),
  row('PUT /profile', OWN, { tests: testIn('catalog/routes/content/put-profile') }),
  row('GET /teams', CATALOG, PEOPLE_TEST),
  row('GET /sports', CATALOG, PEOPLE_TEST),
  row('GET /sports/market-types', CATALOG, PEOPLE_TEST),
  row('GET /market-clarifications', CATALOG, {
    status: 'empty',
    note: "a market's description is changed instead",
    tests: ['test/compat/clients/unified-checks.ts'],
  }),
];

const BY_QUERY = {
  note: 'In the public documents; no published client was found to call it',
  tests: testIn('http/routes/prices/by-query'),
};
const SIDE_NOTE = '`BUY` is the best bid or the best ask, by dialect';

const prices: readonly Row[] = [
  row('GET /book', ALL),
  row('GET /books', OWN, BY_QUERY),
  row('POST /books', ALL),
  row('GET /price', ALL, { note: SIDE_NOTE }),
  row('GET /prices', OWN, BY_QUERY),
  row('POST /prices', ALL, { note: SIDE_NOTE }),
  row('GET /midpoint', ALL),
  row('GET /midpoints', OWN, BY_QUERY),
  row('POST /midpoints', ALL),
  row('GET /spread', ALL),
  row('POST /spreads', ALL),
  row('GET /last-trade-price', ALL),
  row('POST /last-trades-prices', ALL),
  row('GET /last-trades-prices', 'Kuest (Rust), v1 and v2 (Rust)', {
    note: 'With a JSON body, as the Rust clients send it',
    tests: testIn('http/routes/prices/read-prices'),
  }),
  row('GET /prices-history', ALL, { note: '`interval=1m` is a month or a minute, by dialect' }),
  row('POST /batch-prices-history', KUEST, { tests: testIn('http/routes/prices/price-history') }),
];

const STAYS_NOTE = '`not_canceled` lists your orders that stay, in a halted market or delayed';
const DELAY_NOTE = 'In a market with a delay, the profile says how long the answer is held';

const orders: readonly Row[] = [
  row('POST /order', ALL, { note: DELAY_NOTE }),
  row('POST /orders', ALL, { note: DELAY_NOTE }),
  row('DELETE /order', ALL),
  row('DELETE /orders', ALL),
  row('DELETE /cancel-all', ALL, { note: STAYS_NOTE }),
  row('DELETE /cancel-market-orders', ALL, { note: STAYS_NOTE }),
  row('GET /data/order/{id}', ALL, { note: 'Kept permanently, also after a fill or cancel' }),
  row('GET /data/orders', ALL, {
    note: 'Live and delayed orders; the end is by dialect',
  }),
  row('POST /data/orders', KUEST, { tests: testIn('http/routes/orders/data-orders') }),
  row('GET /data/trades', ALL, {
    note: '`fee`, the amount beside `fee_rate_bps`, is an addition of this exchange',
  }),
  row('GET /data/pre-migration-orders', 'v2', {
    status: 'empty',
    note: 'Nothing was ever migrated',
  }),
  row('GET /builder/trades', ALL),
  row('POST /data/volumes', KUEST, { tests: testIn('http/routes/analytics/data-volumes') }),
];

const account: readonly Row[] = [
  row('GET /balance-allowance', ALL, { note: 'Allowances are unlimited: there is no chain' }),
  row('GET /balance-allowance/update', ALL, {
    note: 'The same answer: there is no chain to query',
  }),
  row('PUT /balance-allowance', OWN, {
    tests: testIn('http/routes/account/balance-allowance'),
    note: "In the venue's documents; it changes nothing",
  }),
  row('GET /v1/user/rate-limit-tier', 'v2 (Python)', {
    tests: testIn('http/admission/exchange'),
    note: 'The tier as the profile has it; the fields of the answer were never published',
  }),
  row('GET /notifications', ALL, { note: 'Types 1, 2 and 4; `payout` of a resolved market' }),
  row('DELETE /notifications', ALL),
  row('GET /order-scoring', ALL, { status: 'empty', note: 'Never scoring: no rewards are paid' }),
  row('POST /orders-scoring', ALL, { status: 'empty', note: 'As above' }),
  row('POST /v1/heartbeats', ALL),
  row('POST /heartbeats', KUEST, { tests: testIn('http/routes/orders/heartbeats') }),
  row('GET /live-activity/events/{condition_id}', 'Kuest, v1', {
    tests: testIn('http/routes/markets/live-activity'),
  }),
  row('GET /markets/live-activity/{condition_id}', 'v2'),
];

const NO_REWARDS: Details = { status: 'empty', note: 'No rewards or rebates are paid' };
const NO_QUOTES: Details = {
  status: 'refused',
  note: '404 `rfq_disabled`: requests for quotes are not served',
  tests: testIn('http/routes/account/rewards-rfq'),
};

const rewards: readonly Row[] = [
  row('GET /rewards/user', ALL, NO_REWARDS),
  row('GET /rewards/user/total', ALL, NO_REWARDS),
  row('GET /rewards/user/percentages', ALL, NO_REWARDS),
  row('GET /rewards/user/markets', ALL, NO_REWARDS),
  row('GET /rewards/markets/current', ALL, NO_REWARDS),
  row('GET /rewards/markets/multi', KUEST, {
    ...NO_REWARDS,
    tests: testIn('http/routes/account/rewards-rfq'),
  }),
  row('GET /rewards/markets/{condition_id}', ALL, NO_REWARDS),
  row('GET /rebates/current', 'Kuest, v2 (Rust)', {
    ...NO_REWARDS,
    tests: testIn('http/routes/account/rewards-rfq'),
  }),
  row('GET /rfq/config', 'Kuest, v1', {
    note: 'Says that requests for quotes are not enabled',
    tests: testIn('http/routes/account/rewards-rfq'),
  }),
  row('POST /rfq/request', 'Kuest, v1', NO_QUOTES),
  row('DELETE /rfq/request', 'Kuest, v1', NO_QUOTES),
  row('GET /rfq/data/requests', 'Kuest, v1', NO_QUOTES),
  row('POST /rfq/quote', 'Kuest, v1', NO_QUOTES),
  row('DELETE /rfq/quote', 'Kuest, v1', NO_QUOTES),
  row('GET /rfq/data/quotes', 'Kuest, v1', NO_QUOTES),
  row('GET /rfq/data/requester/quotes', 'Kuest, v1', NO_QUOTES),
  row('GET /rfq/data/quoter/quotes', 'Kuest, v1', NO_QUOTES),
  row('GET /rfq/data/best-quote', 'Kuest, v1', NO_QUOTES),
  row('POST /rfq/request/accept', 'Kuest, v1', NO_QUOTES),
  row('POST /rfq/quote/approve', 'Kuest, v1', NO_QUOTES),
];

const ours: readonly Row[] = [
  row('POST /debug/order', OWN, {
    note: 'Explains an order without placing it',
    tests: testIn('http/debug/order-steps', 'http/debug/order-verdict'),
  }),
  ...(
    [
      ['sets/split', 'Cash into complete sets, once for each key', 'http/routes/account/sets'],
      ['sets/merge', 'Complete sets into cash, once for each key', 'http/routes/account/sets'],
      ['sets/redeem', 'Tokens of a resolved market into cash', 'http/routes/account/sets'],
      ['sets/convert', 'NO of a neg-risk event into cash and YES', 'http/routes/account/sets'],
      ['faucet', 'Play money, or complete sets, for any account', 'sandbox/faucet/faucet'],
      ['invitations/accept', 'Opens the account of an invited owner', 'sandbox/faucet/faucet'],
      ['sign-order', 'Signs as a dev account, places nothing', 'sandbox/sign-order'],
    ] as const
  ).map(([path, note, test]) => row(`POST /${path}`, OWN, { note, tests: testIn(test) })),
  ...[
    ['GET /deployed', 'Whether the wallet is an open account'],
    ['GET /nonce', 'Goes up with each batch of the owner'],
    ['GET /relay-payload', 'The address is the one of no key'],
    ['GET /v1/account/transactions/params', 'The same as GET /relay-payload'],
    ['POST /submit', 'Approvals, splits, merges, redemptions, conversions; all kinds of wallets'],
    ['GET /transaction', 'The newest 4,096 at least'],
    ['GET /transactions', 'Of the builder key, or of RELAYER_API_KEY_ADDRESS'],
    ['GET /v1/account/transactions/{id}', 'Final at once'],
    ['POST /rpc', 'Chain, blocks, balances, wallets; calls of own keys'],
  ].map(([route = '', note = '']) =>
    row(route, 'unified, relayer clients', {
      note: `${note}; paper funding only`,
      tests: testIn('sandbox/relay/default-account'),
    }),
  ),
  row('GET /balance-history', OWN, {
    note: "Cash and the value of tokens over time, of the caller's accounts",
    tests: EXPLORER_BALANCES,
  }),
  row('GET /explorer/commands', OWN, {
    note: 'Commands, newest first; the explorer is public only in a sandbox',
    tests: EXPLORER_COMMANDS,
  }),
  row('GET /explorer/commands/{seq}', OWN, { tests: EXPLORER_COMMANDS }),
  row('GET /explorer/orders/{id}', OWN, { tests: EXPLORER_RECORDS }),
  row('GET /explorer/trades/{id}', OWN, { tests: EXPLORER_RECORDS }),
  row('GET /explorer/accounts/{address}', OWN, { tests: EXPLORER_RECORDS }),
  row('GET /explorer/accounts/{address}/balances', OWN, { tests: EXPLORER_BALANCES }),
  row('GET /explorer/markets/{condition_id}', OWN, { tests: EXPLORER_RECORDS }),
  row('GET /limits', OWN, { note: 'The rate limits', tests: testIn('http/admission/exchange') }),
  row('GET /openapi.json', OWN, { tests: testIn('http/documentation/docs-page') }),
  row('GET /asyncapi.json', OWN, { tests: testIn('http/documentation/streams') }),
  row('GET /docs', OWN, { tests: testIn('http/documentation/docs-page') }),
  row('GET /docs/{file}', OWN, { tests: testIn('http/documentation/docs-page') }),
  row('GET /llms.txt', OWN, { tests: testIn('http/documentation/docs-page') }),
  row('GET /ui', OWN, { note: 'Leads to the console', tests: testIn('console/routes') }),
  row('GET /ui/', OWN, { note: 'The console', tests: testIn('console/routes') }),
  row('GET /ui/{file}', OWN, { tests: testIn('console/routes') }),
  row('GET /ui/facts.json', OWN, {
    note: 'What a page of the exchange has to know of it',
    tests: testIn('console/facts'),
  }),
  row('GET /images/{file}', OWN, { tests: testIn('catalog/routes/get-image') }),
  row('GET /healthz', OWN, { tests: testIn('http/metrics/health') }),
  row('GET /readyz', OWN, { tests: testIn('http/metrics/health') }),
];

const POSITIONS = testIn('http/routes/analytics/positions');

const BOARDS = testIn('http/routes/analytics/boards');

const FILLS = testIn('http/routes/analytics/fills');

const analytics: readonly Row[] = [
  row('GET /trades', CATALOG, {
    note: 'Each row has an `id`, which cursors use, and an `eventId` as on Polymarket',
    tests: FILLS,
  }),
  row('GET /activity', CATALOG, {
    note: 'Without rewards and rebates',
    tests: FILLS,
  }),
  row('GET /positions', CATALOG, {
    note: 'Positions that lost or were closed are only in GET /closed-positions',
    tests: POSITIONS,
  }),
  row('GET /closed-positions', CATALOG, {
    note: 'Percentages are of the amount paid',
    tests: POSITIONS,
  }),
  row('GET /value', CATALOG, { tests: POSITIONS }),
  row('GET /traded', CATALOG, { tests: POSITIONS }),
  row('GET /volume', KUEST, { note: 'Called by the site alone', tests: POSITIONS }),
  row('GET /holders', CATALOG, {
    note: '`limit` holders of each token; markets x limit x 2 is at most 5,000',
    tests: POSITIONS,
  }),
  row('GET /v1/market-positions', CATALOG, {
    note: '`limit` and `offset` count the positions of each token',
    tests: BOARDS,
  }),
  row('GET /oi', CATALOG, {
    note: 'One element, `GLOBAL`, without `market`',
    tests: POSITIONS,
  }),
  row('GET /live-volume', CATALOG, {
    note: 'By `market`, or by the `id` of an event as Polymarket does',
    tests: POSITIONS,
  }),
  row('GET /v1/leaderboard', CATALOG, {
    note: 'Calendar days, weeks and months in UTC; realised profit; categories by tags of events',
    tests: BOARDS,
  }),
  row('GET /v1/builders/leaderboard', CATALOG, {
    note: 'A builder without a name is shown by its code',
    tests: BOARDS,
  }),
  row('GET /v1/builders/volume', CATALOG, {
    note: 'The newest 366 days, of each the 50 largest builders',
    tests: BOARDS,
  }),
  row('GET /v1/accounting/snapshot', 'SDK', { tests: testIn('http/routes/analytics/accounting') }),
];

/** A route of Data API v2, which the SDK calls. */
function newer(name: string, file: string, note = '', status: Status = 'served'): Row {
  return row(`GET /v2/${name}`, 'SDK', {
    ...{ note, status },
    tests: testIn(`http/routes/data-v2/${file}`),
  });
}

const NO_COMBOS = 'No combos exist here';

const dataV2: readonly Row[] = [
  newer('trades', 'feeds'),
  newer('activity', 'feeds', 'Without rewards and rebates'),
  newer('activity/combos', 'feeds', NO_COMBOS, 'empty'),
  newer('positions', 'figures', 'What lost is REDEEMABLE_LOST until it is redeemed'),
  newer('positions/combos', 'bad-input', NO_COMBOS, 'empty'),
  newer('value', 'figures'),
  newer('user-volume', 'figures'),
  newer(
    'user-pnl',
    'figures',
    'Profit by the day; what is held, and fees, only at the last point, which is now',
  ),
  newer('user-stats', 'figures', '`views` is 0 and `join_date` null: neither is known here'),
  newer('oi', 'boards'),
  newer('live-volume', 'boards'),
  newer('prices-history', 'boards', 'Midpoints at equal steps, without a settlement point'),
  newer(
    'leaderboard',
    'boards',
    'Realised profit; volumes in tokens; equal accounts have ranks of their own',
  ),
  newer('builders/leaderboard', 'boards', 'In the order of the cash that was traded'),
  newer('builders/volume', 'boards', 'By day, week and month, not by year'),
  newer('biggest-winners', 'figures', 'A win is the profit of all time of a position, with fees'),
  newer('holders', 'markets'),
  newer('resolutions', 'markets', 'Markets are `active` until they are resolved; no disputes'),
  newer('approvals', 'markets', 'All contracts of the public venue, approved: none is needed here'),
  newer('status', 'markets', 'Blocks are numbers of changes'),
];

export const SECTIONS: readonly Section[] = [
  { title: 'Health, time and version', rows: health },
  { title: 'Credentials', rows: credentials },
  { title: 'Markets', rows: markets },
  { title: 'Catalog', rows: catalog },
  { title: 'Analytics', rows: analytics },
  { title: 'Data API v2', rows: dataV2 },
  { title: 'Books and prices', rows: prices },
  { title: 'Orders and trades', rows: orders },
  { title: 'Account', rows: account },
  { title: 'Rewards, rebates and quotes', rows: rewards },
  { title: 'Only on this exchange', rows: ours },
];

export const ROWS: readonly Row[] = SECTIONS.flatMap(({ rows }) => rows);
