// What the session of the examples asks, in order. A new route gets a step here; then
// `node test/http/documentation/record-examples.ts` writes its example down.
import type { Json } from '../../../http/documentation/schema.ts';
import type { TestExchange, Trader } from '../exchange-fixture.ts';

export interface World {
  readonly exchange: TestExchange;
  readonly maker: Trader;
  readonly taker: Trader;
  /** What later steps need of earlier answers. */
  readonly notes: Map<string, string>;
}

/** What a request says. */
export interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, Json>>;
  readonly body?: Json;
}

/** A request that becomes an example, or, without a route, what has to be done before one. */
export interface Step {
  /** `METHOD /path`. */
  readonly route?: string;
  readonly prepare?: (world: World) => Promise<unknown>;
  /** Who asks: `wallet` is the maker with a wallet's signature. */
  readonly by?: 'nobody' | 'wallet' | 'maker' | 'taker' | 'operator';
  readonly ask?: (world: World) => Asked;
  /** Of the answer, where it is not 200. */
  readonly status?: number;
  /** What is shown of the answer, where that is not all of it with its lists cut. */
  readonly show?: (response: Json) => Json;
  readonly note?: (response: Json, world: World) => void;
}

const yes = ({ exchange }: World): string => exchange.plain.tokenIds[0];
const no = ({ exchange }: World): string => exchange.plain.tokenIds[1];
const conditionId = ({ exchange }: World): string => exchange.plain.conditionId;

const byToken = (world: World): Asked => ({ query: { token_id: yes(world) } });
const byTokenPath = (world: World): Asked => ({ params: { token_id: yes(world) } });
const byCondition = (world: World): Asked => ({ params: { condition_id: conditionId(world) } });
const bothTokens = (world: World): Asked => ({
  body: [{ token_id: yes(world) }, { token_id: no(world) }],
});
const noted = (world: World, name: string): string => world.notes.get(name) ?? '';

const PREPARATION: readonly Step[] = [
  {
    // A book with both sides, and a trade: 10 YES at 0.45 are minted against a BUY of NO.
    prepare: async (world) => {
      const { maker, taker, notes } = world;
      const orders = [
        [yes(world), 4000],
        [yes(world), 4200],
        [no(world), 5200],
        [no(world), 5500],
      ] as const;
      for (const [tokenId, priceTicks] of orders) {
        const { body } = await maker.place({ tokenId, priceTicks, lots: 2500 });
        notes.set(`${priceTicks}`, body.orderID);
      }
      const taken = await taker.place({ tokenId: yes(world), priceTicks: 4500, lots: 1000 });
      notes.set('tradeId', taken.body.tradeIDs[0] ?? '');
      notes.set('taken', taken.body.orderID);
    },
  },
];

const SERVICE: readonly Step[] = [
  { route: 'GET /' },
  { route: 'GET /ok' },
  { route: 'GET /time' },
  { route: 'GET /version' },
];

const CREDENTIALS: readonly Step[] = [
  { route: 'POST /auth/api-key', by: 'wallet' },
  { route: 'GET /auth/derive-api-key', by: 'wallet' },
];

const BOOKS: readonly Step[] = [
  { route: 'GET /book', ask: byToken },
  { route: 'POST /books', ask: bothTokens },
  {
    route: 'GET /price',
    ask: (world) => ({ query: { token_id: yes(world), side: 'BUY' } }),
  },
  { route: 'POST /prices', ask: bothTokens },
  { route: 'GET /midpoint', ask: byToken },
  { route: 'POST /midpoints', ask: bothTokens },
  { route: 'GET /spread', ask: byToken },
  { route: 'POST /spreads', ask: bothTokens },
  { route: 'GET /last-trade-price', ask: byToken },
  { route: 'POST /last-trades-prices', ask: bothTokens },
  { route: 'GET /last-trades-prices', ask: bothTokens },
];

const MARKETS: readonly Step[] = [
  { route: 'GET /tick-size', ask: byToken },
  { route: 'GET /neg-risk', ask: byToken },
  { route: 'GET /neg-risk/{token_id}', ask: byTokenPath },
  { route: 'GET /fee-rate', ask: byToken },
  { route: 'GET /fee-rate/{token_id}', ask: byTokenPath },
  { route: 'GET /clob-markets/{condition_id}', ask: byCondition },
  { route: 'GET /markets-by-token/{token_id}', ask: byTokenPath },
  { route: 'GET /simplified-markets', ask: () => ({ query: { next_cursor: 'MA==' } }) },
];

const ACCOUNT: readonly Step[] = [
  {
    route: 'GET /data/order/{id}',
    by: 'maker',
    ask: (world) => ({ params: { id: noted(world, '5500') } }),
  },
  {
    route: 'GET /data/orders',
    by: 'maker',
    ask: (world) => ({ query: { market: conditionId(world), next_cursor: 'MA==' } }),
  },
  {
    route: 'GET /data/trades',
    by: 'taker',
    ask: (world) => ({ query: { market: conditionId(world), next_cursor: 'MA==' } }),
  },
];

const day = (): Asked => ({ query: { date: '2026-06-03' } });

const REWARDS: readonly Step[] = [
  { route: 'GET /rewards/user', by: 'maker', ask: day },
  { route: 'GET /rewards/user/total', by: 'maker', ask: day },
  { route: 'GET /rewards/user/percentages', by: 'maker' },
  { route: 'GET /rewards/user/markets', by: 'maker', ask: day },
  { route: 'GET /rewards/markets/current' },
  { route: 'GET /rewards/markets/multi' },
  { route: 'GET /rewards/markets/{condition_id}', ask: byCondition },
  {
    route: 'GET /rebates/current',
    ask: ({ maker }) => ({ query: { date: '2026-06-03', maker_address: maker.address } }),
  },
  { route: 'GET /rfq/config' },
  ...[
    'POST /rfq/request',
    'DELETE /rfq/request',
    'GET /rfq/data/requests',
    'POST /rfq/quote',
    'DELETE /rfq/quote',
    'GET /rfq/data/quotes',
    'GET /rfq/data/requester/quotes',
    'GET /rfq/data/quoter/quotes',
    'GET /rfq/data/best-quote',
    'POST /rfq/request/accept',
    'POST /rfq/quote/approve',
  ].map((route): Step => ({ route, status: 404 })),
];

const ORDERS: readonly Step[] = [
  {
    route: 'POST /order',
    by: 'taker',
    ask: (world) => ({
      body: world.taker.order({ tokenId: yes(world), priceTicks: 4500, lots: 500 }),
    }),
  },
  {
    route: 'POST /orders',
    by: 'maker',
    ask: (world) => ({
      body: [
        world.maker.order({ tokenId: yes(world), priceTicks: 4100, lots: 1000 }),
        world.maker.order({ tokenId: yes(world), priceTicks: 4155, lots: 1000 }),
      ],
    }),
  },
  {
    route: 'DELETE /order',
    by: 'maker',
    ask: (world) => ({ body: { orderID: noted(world, '4000') } }),
  },
  {
    route: 'DELETE /orders',
    by: 'maker',
    ask: (world) => ({ body: [noted(world, '4200'), noted(world, 'taken')] }),
  },
  {
    route: 'DELETE /cancel-market-orders',
    by: 'maker',
    ask: (world) => ({ body: { market: conditionId(world), asset_id: yes(world) } }),
  },
  { route: 'DELETE /cancel-all', by: 'maker' },
];

const DOCUMENTATION: readonly Step[] = [
  {
    route: 'GET /openapi.json',
    show: () => ({
      openapi: '3.1.0',
      info: { title: 'outcome-exchange', version: '1.0.0' },
      paths: {},
      components: {},
    }),
  },
  { route: 'GET /docs', show: () => '<!DOCTYPE html>' },
  {
    route: 'GET /docs/{file}',
    ask: () => ({ params: { file: 'start.js' } }),
    show: () => 'SwaggerUIBundle({',
  },
];

const OPERATOR_ACCOUNT = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

const OPERATOR: readonly Step[] = [
  {
    route: 'POST /accounts',
    by: 'operator',
    ask: () => ({
      body: { address: OPERATOR_ACCOUNT, owner: OPERATOR_ACCOUNT, wallet: 'eoa' },
    }),
  },
  {
    route: 'POST /deposits',
    by: 'operator',
    ask: () => ({ body: { account: OPERATOR_ACCOUNT, amount: '250.5', key: 'wire-2041' } }),
  },
  {
    route: 'POST /withdrawals',
    by: 'operator',
    ask: () => ({ body: { account: OPERATOR_ACCOUNT, amount: '50', key: 'payout-117' } }),
  },
  { route: 'GET /audit', by: 'operator' },
  {
    route: 'GET /openapi.json',
    by: 'operator',
    show: () => ({
      openapi: '3.1.0',
      info: { title: "outcome-exchange: the operator's API", version: '1.0.0' },
      paths: {},
      components: {},
    }),
  },
];

export const STEPS: readonly Step[] = [
  ...PREPARATION,
  ...SERVICE,
  ...CREDENTIALS,
  ...BOOKS,
  ...MARKETS,
  ...ACCOUNT,
  ...REWARDS,
  ...ORDERS,
  ...DOCUMENTATION,
  ...OPERATOR,
];
