// The requests of the example session, in order. A new route gets a step here; then
// `node test/http/documentation/record-examples.ts` writes its example down.

import { isJsonObject, type Json } from '../../../http/documentation/schema.ts';
import { PROGRAM_VERSION } from '../../../persistence/shared/index.ts';
import { ANALYTICS_STEPS } from './example-analytics-steps.ts';
import { CATALOG_STEPS } from './example-catalog-steps.ts';
import { EXPLORER_STEPS } from './example-explorer-steps.ts';
import { OPERATOR_STEPS } from './example-operator-steps.ts';
import {
  type Asked,
  CONSOLE_STEPS,
  conditionId,
  FIGURES_WRITTEN,
  NEG_RISK_EVENT,
  no,
  noted,
  OTHER_MARKET,
  READY,
  SETTLED,
  SIGNED_ORDER,
  type Step,
  type World,
  yes,
} from './example-step.ts';

function byToken(world: World): Asked {
  return { query: { token_id: yes(world) } };
}
function byTokenPath(world: World): Asked {
  return { params: { token_id: yes(world) } };
}
function byCondition(world: World): Asked {
  return { params: { condition_id: conditionId(world) } };
}
function bothInQuery(world: World): Asked {
  return { query: { token_ids: `${yes(world)},${no(world)}` } };
}

function bothTokens(world: World): Asked {
  return {
    body: [{ token_id: yes(world) }, { token_id: no(world) }],
  };
}
function noteKeys(prefix: string) {
  return (response: Json, { notes }: World): void => {
    if (!isJsonObject(response)) return;
    for (const [key, value] of Object.entries(response)) notes.set(`${prefix}.${key}`, `${value}`);
  };
}
function noteNotification(response: Json, { notes }: World): void {
  const [first] = Array.isArray(response) ? response : [];
  if (first !== undefined && isJsonObject(first)) notes.set('notification', `${first.id}`);
}

function firstPage(): Asked {
  return { query: { next_cursor: 'MA==' } };
}
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
  FIGURES_WRITTEN,
];

const SERVICE: readonly Step[] = [
  { route: 'GET /' },
  { route: 'GET /ok' },
  { route: 'GET /status' },
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
  { route: 'GET /transactions', by: 'builder' },
  { route: 'DELETE /auth/builder-api-key', by: 'builder' },
];

/** Comes last, because the key does not work afterwards. */
const REVOCATION: readonly Step[] = [{ route: 'DELETE /auth/api-key', by: 'taker' }];

const BOOKS: readonly Step[] = [
  { route: 'GET /book', ask: byToken },
  { route: 'GET /books', ask: bothInQuery },
  { route: 'POST /books', ask: bothTokens },
  {
    route: 'GET /price',
    ask: (world) => ({ query: { token_id: yes(world), side: 'BUY' } }),
  },
  { route: 'GET /prices', ask: bothInQuery },
  { route: 'POST /prices', ask: bothTokens },
  { route: 'GET /midpoint', ask: byToken },
  { route: 'GET /midpoints', ask: bothInQuery },
  { route: 'POST /midpoints', ask: bothTokens },
  { route: 'GET /spread', ask: byToken },
  { route: 'POST /spreads', ask: bothTokens },
  { route: 'GET /last-trade-price', ask: byToken },
  { route: 'POST /last-trades-prices', ask: bothTokens },
  { route: 'GET /last-trades-prices', ask: bothTokens },
];

const MARKETS: readonly Step[] = [
  { route: 'GET /tick-size', ask: byToken },
  { route: 'GET /tick-size/{token_id}', ask: byTokenPath },
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

function collateral(): Asked {
  return { query: { asset_type: 'COLLATERAL' } };
}

const lastHour = { interval: '1h', fidelity: 5 };

const ACCOUNT: readonly Step[] = [
  SETTLED,
  { route: 'GET /balance-allowance', by: 'maker', ask: collateral },
  { route: 'GET /balance-allowance/update', by: 'maker', ask: collateral },
  { route: 'PUT /balance-allowance', by: 'maker', ask: collateral },
  { route: 'GET /v1/user/rate-limit-tier', by: 'maker' },
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
  // While there are open orders.
  { route: 'GET /orders', by: 'operator', ask: () => ({ query: { limit: 1 } }) },
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
  // Each id is random.
  show: () => ({ heartbeat_id: 'd5b1c2f0-6c1e-4f0e-9b7e-4c1d2a3f5e60', status: 'ok' }),
}));

function day(): Asked {
  return { query: { date: '2026-06-03' } };
}

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
    by: 'taker',
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

const WHY = { by: 'ops@example.com', reason: 'For the examples' };

const RESOLUTION: Step = {
  prepare: async ({ exchange, taker, notes }) => {
    const { plain, negRisk, running, operator } = exchange;
    const markets = [...running.services.registry.markets()];
    const other = markets.find(
      ({ eventId, conditionId: id }) => eventId === plain.eventId && id !== plain.conditionId,
    );
    const market = other?.conditionId ?? '';
    notes.set(OTHER_MARKET, market);
    notes.set(NEG_RISK_EVENT, negRisk.eventId);
    await taker.signed('POST', '/sets/split', { market, amount: '20', key: 'split-2' });
    const sets = { market: negRisk.conditionId, amount: '30', key: 'split-3' };
    await taker.signed('POST', '/sets/split', sets);
    await operator('POST', `/events/${negRisk.eventId}/open`, WHY);
    const payout = { payout: '1', redeem_all: false, ...WHY };
    await operator('POST', `/markets/${market}/resolve`, payout);
  },
};

const SETS: readonly Step[] = [
  {
    route: 'POST /sets/split',
    by: 'taker',
    ask: (world) => ({ body: { market: conditionId(world), amount: '25', key: 'split-1' } }),
  },
  {
    route: 'POST /sets/merge',
    by: 'taker',
    ask: (world) => ({ body: { market: conditionId(world), amount: '7.5', key: 'merge-1' } }),
  },
  RESOLUTION,
  {
    route: 'POST /sets/redeem',
    by: 'taker',
    ask: (world) => ({ body: { market: noted(world, OTHER_MARKET), key: 'redeem-1' } }),
  },
  {
    route: 'POST /sets/convert',
    by: 'taker',
    ask: (world) => ({
      body: {
        event_id: noted(world, NEG_RISK_EVENT),
        markets: [world.exchange.negRisk.conditionId],
        amount: '10',
        key: 'convert-1',
      },
    }),
  },
  {
    route: 'POST /faucet',
    ask: (world) => ({
      body: { address: world.taker.address, amount: '250', key: 'faucet-1' },
    }),
  },
];

const TRANSACTION = 'transaction';

function byOwner({ taker }: World): Asked {
  return { query: { address: taker.address, type: 'WALLET' } };
}

const RELAYER: readonly Step[] = [
  { route: 'GET /deployed', ask: byOwner },
  { route: 'GET /nonce', ask: byOwner },
  { route: 'GET /relay-payload', ask: byOwner },
  { route: 'GET /v1/account/transactions/params', ask: byOwner },
  {
    route: 'POST /submit',
    ask: ({ taker }) => ({
      body: {
        type: 'WALLET-CREATE',
        from: taker.address,
        to: '0x00000000000fb5c9adea0298d729a0cb3823cc07',
      },
    }),
    note: (answer, { notes }) => {
      if (isJsonObject(answer)) notes.set(TRANSACTION, `${answer.transactionID}`);
    },
  },
  {
    route: 'GET /transaction',
    ask: (world) => ({ query: { id: noted(world, TRANSACTION) } }),
  },
  {
    route: 'GET /v1/account/transactions/{id}',
    ask: (world) => ({ params: { id: noted(world, TRANSACTION) } }),
  },
  {
    route: 'POST /rpc',
    ask: () => ({ body: { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] } }),
  },
];

const DOCUMENTATION: readonly Step[] = [
  {
    route: 'GET /openapi.json',
    show: () => ({
      openapi: '3.1.0',
      info: { title: 'outcome-exchange', version: PROGRAM_VERSION, description: 'What it is' },
      servers: [],
      tags: [],
      paths: {},
      components: {},
    }),
  },
  {
    route: 'GET /asyncapi.json',
    show: () => ({
      asyncapi: '3.0.0',
      info: {
        title: 'outcome-exchange: streams',
        version: PROGRAM_VERSION,
        description: 'What they are',
      },
      servers: {},
      defaultContentType: 'application/json',
      channels: {},
      operations: {},
      components: {},
    }),
  },
  { route: 'GET /docs', status: 308 },
  { route: 'GET /llms.txt', show: () => '# outcome-exchange\n' },
  {
    route: 'GET /docs/{file}',
    ask: () => ({ params: { file: 'start.js' } }),
    show: () => 'SwaggerUIBundle({',
  },
  ...CONSOLE_STEPS,
  {
    route: 'GET /images/{file}',
    ask: () => ({ params: { file: 'weather.svg' } }),
    show: () => '<svg xmlns="http://www.w3.org/2000/svg">',
  },
];

export const STEPS: readonly Step[] = [
  ...PREPARATION,
  ...SERVICE,
  ...CREDENTIALS,
  ...BOOKS,
  ...MARKETS,
  ...CATALOG_STEPS,
  ...ACCOUNT,
  ...HISTORY,
  ...REWARDS,
  ...HEARTBEATS,
  ...ORDERS,
  ...SETS,
  ...ANALYTICS_STEPS,
  ...EXPLORER_STEPS,
  ...RELAYER,
  ...DOCUMENTATION,
  ...REVOCATION,
  ...OPERATOR_STEPS,
  SIGNED_ORDER,
];
