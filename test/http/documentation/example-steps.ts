// What the session of the examples asks, in order. A new route gets a step here; then
// `node test/http/documentation/record-examples.ts` writes its example down.
import { setTimeout } from 'node:timers/promises';
import { isJsonObject, type Json, type JsonObject } from '../../../http/documentation/schema.ts';
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
  readonly by?: 'nobody' | 'wallet' | 'maker' | 'taker' | 'builder' | 'operator';
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
const noteKeys =
  (prefix: string) =>
  (response: Json, { notes }: World): void => {
    if (!isJsonObject(response)) return;
    for (const [key, value] of Object.entries(response)) notes.set(`${prefix}.${key}`, `${value}`);
  };
const noteNotification = (response: Json, { notes }: World): void => {
  const [first] = Array.isArray(response) ? response : [];
  if (first !== undefined && isJsonObject(first)) notes.set('notification', `${first.id}`);
};
const noted = (world: World, name: string): string => world.notes.get(name) ?? '';

const firstPage = (): Asked => ({ query: { next_cursor: 'MA==' } });
const BUILDER_CODE = `0x${'b1'.repeat(32)}`;

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
      const changes = { builder: BUILDER_CODE };
      const tokenId = yes(world);
      const taken = await taker.place({ tokenId, priceTicks: 4500, lots: 1000, changes });
      notes.set('tradeId', taken.body.tradeIDs[0] ?? '');
      notes.set('taken', taken.body.orderID);
    },
  },
];

/** What was done can be read: reads of orders and trades come from a projection. */
const SETTLED: Step = {
  prepare: async ({ exchange: { running } }) => {
    const { exchange } = running.services;
    while (exchange.projectedSeq < exchange.durableSeq) await setTimeout(2);
  },
};

// How far reads are behind is a matter of milliseconds.
const READY = {
  ready: true,
  failed: [],
  checks: {
    recovered: { ok: true },
    accepting: { ok: true, waitingCommands: 0, waitingLimit: 16384 },
    journal: { ok: true, durableSeq: 96 },
    projector: { ok: true, lagCommands: 0, lagMs: 0 },
    reader: { ok: true },
    verifiers: { ok: true, up: 1, threads: 1 },
  },
};

const SERVICE: readonly Step[] = [
  { route: 'GET /' },
  { route: 'GET /ok' },
  { route: 'GET /time' },
  { route: 'GET /version' },
  { route: 'GET /healthz' },
  { route: 'GET /readyz', show: () => READY },
  { route: 'GET /limits' },
];

const CREDENTIALS: readonly Step[] = [
  { route: 'POST /auth/api-key', by: 'wallet' },
  { route: 'GET /auth/derive-api-key', by: 'wallet' },
  { route: 'GET /auth/api-keys', by: 'maker' },
  { route: 'GET /auth/ban-status/closed-only', by: 'maker' },
  { route: 'POST /auth/readonly-api-key', by: 'maker', note: noteKeys('readonly') },
  { route: 'GET /auth/readonly-api-keys', by: 'maker' },
  {
    route: 'GET /auth/validate-readonly-api-key',
    ask: (world) => ({
      query: { address: world.maker.address, key: noted(world, 'readonly.apiKey') },
    }),
  },
  {
    route: 'DELETE /auth/readonly-api-key',
    by: 'maker',
    ask: (world) => ({ body: { key: noted(world, 'readonly.apiKey') } }),
  },
  { route: 'POST /auth/builder-api-key', by: 'maker', note: noteKeys('builder') },
  { route: 'GET /auth/builder-api-key', by: 'maker' },
  { route: 'DELETE /auth/builder-api-key', by: 'builder' },
];

/** Last of all, for the key is then gone. */
const REVOCATION: readonly Step[] = [{ route: 'DELETE /auth/api-key', by: 'taker' }];

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
  { route: 'GET /markets', ask: firstPage },
  {
    route: 'GET /markets/{id}',
    ask: (world) => ({ params: { id: conditionId(world) } }),
  },
  { route: 'GET /simplified-markets', ask: firstPage },
  { route: 'GET /sampling-markets', ask: firstPage },
  { route: 'GET /sampling-simplified-markets', ask: firstPage },
  {
    route: 'GET /fees/builder-fees/{code}',
    ask: () => ({ params: { code: BUILDER_CODE } }),
  },
];

const collateral = (): Asked => ({ query: { asset_type: 'COLLATERAL' } });

const lastHour = { interval: '1h', fidelity: 5 };

const ACCOUNT: readonly Step[] = [
  SETTLED,
  { route: 'GET /balance-allowance', by: 'maker', ask: collateral },
  { route: 'GET /balance-allowance/update', by: 'maker', ask: collateral },
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

const HISTORY: readonly Step[] = [
  SETTLED,
  {
    route: 'GET /prices-history',
    ask: (world) => ({ query: { market: yes(world), ...lastHour } }),
  },
  {
    route: 'POST /batch-prices-history',
    ask: (world) => ({ body: { markets: [yes(world), no(world)], ...lastHour } }),
  },
  {
    route: 'POST /data/orders',
    status: 207,
    ask: (world) => ({ body: [{ orderId: noted(world, '5500') }, { orderId: BUILDER_CODE }] }),
  },
  {
    route: 'POST /data/volumes',
    status: 207,
    ask: (world) => ({
      body: { include_24h: true, conditions: [{ conditionId: conditionId(world) }] },
    }),
  },
  {
    route: 'GET /data/pre-migration-orders',
    by: 'maker',
    ask: firstPage,
  },
  {
    route: 'GET /builder/trades',
    ask: () => ({ query: { builder_code: BUILDER_CODE, next_cursor: 'MA==' } }),
  },
  { route: 'GET /live-activity/events/{condition_id}', ask: byCondition },
  { route: 'GET /markets/live-activity/{condition_id}', ask: byCondition },
  { route: 'GET /notifications', by: 'maker', note: noteNotification },
  {
    route: 'DELETE /notifications',
    by: 'maker',
    ask: (world) => ({ query: { ids: [Number(noted(world, 'notification'))] } }),
  },
];

const HEARTBEATS: readonly Step[] = ['POST /v1/heartbeats', 'POST /heartbeats'].map((route) => ({
  route,
  by: 'maker',
  ask: () => ({ body: { heartbeat_id: '' } }),
  // Each is a random one.
  show: () => ({ heartbeat_id: 'd5b1c2f0-6c1e-4f0e-9b7e-4c1d2a3f5e60' }),
}));

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
  {
    route: 'GET /order-scoring',
    by: 'maker',
    ask: (world) => ({ query: { order_id: noted(world, '4200') } }),
  },
  {
    route: 'POST /orders-scoring',
    by: 'maker',
    ask: (world) => ({ body: [noted(world, '4000'), noted(world, '4200')] }),
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
    route: 'POST /debug/order',
    ask: (world) => ({
      body: world.taker.order({ tokenId: yes(world), priceTicks: 4500, lots: 100 }),
    }),
    show: (response) => response,
  },
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
      info: { title: 'outcome-exchange', version: '1.0.0', description: 'What it is' },
      servers: [],
      tags: [],
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

/** A write of the operator, who says why. */
const write = (
  route: string,
  reason: string,
  asked: (world: World) => { readonly params?: Record<string, string>; readonly body?: JsonObject },
): Step => ({
  route,
  by: 'operator',
  ask: (world) => {
    const { body, ...rest } = asked(world);
    return { ...rest, body: { ...body, by: 'ops@example.com', reason } };
  },
});

const OPERATOR: readonly Step[] = [
  write('POST /accounts', 'KYC file 8812 is complete', () => ({
    body: { address: OPERATOR_ACCOUNT, owner: OPERATOR_ACCOUNT, wallet: 'eoa' },
  })),
  write('POST /deposits', 'Wire of 3 June arrived', () => ({
    body: { account: OPERATOR_ACCOUNT, amount: '250.5', key: 'wire-2041' },
  })),
  write('POST /withdrawals', 'Asked for by ticket 4711', () => ({
    body: { account: OPERATOR_ACCOUNT, amount: '50', key: 'payout-117' },
  })),
  write('POST /owners/{address}/standing', 'Terms of use, section 4', () => ({
    params: { address: OPERATOR_ACCOUNT },
    body: { standing: 'closed_only' },
  })),
  write('DELETE /keys/{api_key}', 'Seen in a public repository', (world) => ({
    params: { api_key: world.maker.credentials.apiKey },
  })),
  write('POST /exchange/state', 'New version at 12:00', () => ({
    body: { state: 'cancel_only' },
  })),
  write('POST /markets/{condition_id}/state', 'The match is interrupted', (world) => ({
    params: { condition_id: conditionId(world) },
    body: { state: 'halted' },
  })),
  write('POST /markets/{condition_id}/terms', 'Its price is near 0', (world) => ({
    params: { condition_id: conditionId(world) },
    body: { tick_size: '0.001', minimum_order_size: '10' },
  })),
  write('POST /markets/{condition_id}/close', 'The match is over', (world) => ({
    params: { condition_id: conditionId(world) },
  })),
  SETTLED,
  { route: 'GET /actions', by: 'operator', ask: () => ({ query: { limit: 2 } }) },
  {
    route: 'GET /audit',
    by: 'operator',
    // The id of a heartbeat is a random one, so every state is another.
    show: (response) =>
      isJsonObject(response) ? { ...response, stateHash: '5e'.repeat(32) } : response,
  },
  { route: 'GET /healthz', by: 'operator' },
  { route: 'GET /readyz', by: 'operator', show: () => READY },
  {
    route: 'GET /metrics',
    by: 'operator',
    // They are another text at every moment.
    show: () => '# HELP process_cpu_user_seconds_total Total user CPU time spent in seconds.\n',
  },
  {
    route: 'GET /openapi.json',
    by: 'operator',
    show: () => ({
      openapi: '3.1.0',
      info: {
        title: "outcome-exchange: the operator's API",
        version: '1.0.0',
        description: 'What it is',
      },
      servers: [],
      tags: [],
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
  ...HISTORY,
  ...REWARDS,
  ...HEARTBEATS,
  ...ORDERS,
  ...DOCUMENTATION,
  ...REVOCATION,
  ...OPERATOR,
];
