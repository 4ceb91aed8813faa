/**
 * Every method of the SDK's client, and what it does here. The SDK checks each answer field by
 * field, so a method that returns has found every field that it needs.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OrderSide, OrderType, type Paginated, type TransactionHandle } from '@polymarket/client';
import type { ListCommentsRequest } from '@polymarket/client/actions';
import type { Test } from 'tap';
import type { Check } from './checks.ts';
import type { UnifiedScene } from './unified.ts';

type Run = (scene: UnifiedScene, t: Test) => Promise<unknown>;

const { BUY, SELL } = OrderSide;
const BUILDER = `0x${'00'.repeat(12)}${'b7'.repeat(20)}`;

/** The items of the first pages, at most some hundred. */
async function itemsOf<Item>(pages: Paginated<readonly Item[]>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const { items } of pages) {
    found.push(...items);
    if (found.length > 100) break;
  }
  return found;
}

function can(runs: Readonly<Record<string, Run>>, note = ''): readonly Check<UnifiedScene>[] {
  return Object.entries(runs).map(([name, run]) => ({
    name,
    can: true,
    note,
    run: (t, scene) => run(scene, t),
  }));
}

/** Methods that must fail. */
function cannot(note: string, runs: Readonly<Record<string, Run>>): readonly Check<UnifiedScene>[] {
  return Object.entries(runs).map(([name, run]) => ({
    name,
    can: false,
    note,
    run: (t, scene) => t.rejects(run(scene, t)),
  }));
}

/** Places a bid that rests, and returns its id. */
async function restingBid({ client, yes }: UnifiedScene) {
  const placed = await client.placeLimitOrder({ tokenId: yes, price: 0.01, size: 10, side: BUY });
  if (placed.ok) return placed.orderId;
  throw new Error(placed.message);
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

const trading = can({
  createLimitOrder: async ({ client, yes }, t) => {
    const order = await client.createLimitOrder({ tokenId: yes, price: 0.4, size: 10, side: BUY });
    t.match(order, { makerAmount: '4000000', takerAmount: '10000000' });
  },
  createMarketOrder: async ({ client, yes }, t) => {
    const order = await client.createMarketOrder({ tokenId: yes, amount: 5, side: BUY });
    t.match(order, { makerAmount: '5000000', orderType: OrderType.FAK });
  },
  placeLimitOrder: async ({ client, yes }, t) => {
    const far = { tokenId: yes, price: 0.02, size: 10, side: BUY };
    t.match(await client.placeLimitOrder(far), { ok: true, status: 'live' });
  },
  placeMarketOrder: async ({ client, yes }, t) => {
    const buy = await client.placeMarketOrder({ tokenId: yes, amount: 3, side: BUY });
    t.match(buy, { ok: true, status: 'matched' });
    const sell = { tokenId: yes, shares: 5, side: SELL, orderType: OrderType.FAK } as const;
    t.match(await client.placeMarketOrder(sell), { ok: true, status: 'matched' });
  },
  postOrder: async ({ client, yes }, t) => {
    const order = await client.createLimitOrder({ tokenId: yes, price: 0.03, size: 8, side: BUY });
    t.match(await client.postOrder(order), { ok: true, status: 'live' });
  },
  postOrders: async ({ client, yes }, t) => {
    const terms = { tokenId: yes, price: 0.03, size: 9, side: BUY };
    const orders = [await client.createLimitOrder(terms), await client.createLimitOrder(terms)];
    t.match(await client.postOrders(orders), [{ ok: true }, { ok: true }]);
  },
  waitForOrderFillSettlement: async ({ client, yes }, t) => {
    const taking = { tokenId: yes, price: 0.55, size: 5, side: BUY };
    const placed = await client.placeLimitOrder(taking);
    if (!placed.ok) throw new Error(placed.message);
    t.match(await client.waitForOrderFillSettlement(placed), [/^0x[0-9a-f]{64}$/]);
  },
  listOpenOrders: async (scene, t) => {
    const id = await restingBid(scene);
    const open = await itemsOf(scene.client.listOpenOrders());
    t.ok(open.some((order) => order.id === id));
  },
  fetchOrder: async (scene, t) => {
    const id = await restingBid(scene);
    t.match(await scene.client.fetchOrder({ orderId: id }), { id, originalSize: '10' });
  },
  fetchOrderScoring: async (scene, t) =>
    t.equal(await scene.client.fetchOrderScoring({ orderId: await restingBid(scene) }), false),
  fetchOrdersScoring: async (scene, t) => {
    const id = await restingBid(scene);
    t.same(Object.entries(await scene.client.fetchOrdersScoring({ orderIds: [id] })), [
      [id, false],
    ]);
  },
  listAccountTrades: async ({ client }, t) =>
    t.ok((await itemsOf(client.listAccountTrades())).length > 0),
  cancelOrder: async (scene, t) => {
    const id = await restingBid(scene);
    t.same(await scene.client.cancelOrder({ orderId: id }), { canceled: [id], notCanceled: {} });
  },
  cancelOrders: async (scene, t) => {
    const ids = [await restingBid(scene), await restingBid(scene)];
    t.same(await scene.client.cancelOrders({ orderIds: ids }), { canceled: ids, notCanceled: {} });
  },
  cancelMarketOrders: async (scene, t) => {
    const id = await restingBid(scene);
    const { canceled } = await scene.client.cancelMarketOrders({ market: scene.conditionId });
    t.ok(canceled.some((one) => one === id));
  },
  cancelAll: async (scene, t) => {
    const id = await restingBid(scene);
    t.same(await scene.client.cancelAll(), { canceled: [id], notCanceled: {} });
  },
});

const account = can({
  fetchClosedOnlyMode: async ({ client }, t) => t.equal(await client.fetchClosedOnlyMode(), false),
  fetchNotifications: ({ client }) => client.fetchNotifications(),
  dropNotifications: ({ client }) => client.dropNotifications({ ids: ['1'] }),
  listPositions: async ({ client, user, yes }, t) =>
    t.match(await itemsOf(client.listPositions({ user })), [{ tokenId: yes }]),
  listClosedPositions: async ({ client, user }, t) =>
    t.same(await itemsOf(client.listClosedPositions({ user })), []),
  fetchPortfolioValue: async ({ client, user }, t) =>
    t.match(await client.fetchPortfolioValue({ user }), [{ user }]),
  fetchTradedMarketCount: async ({ client, user }, t) =>
    t.match(await client.fetchTradedMarketCount({ user }), { user, traded: 1 }),
  listActivity: async ({ client, user }, t) =>
    t.match(await itemsOf(client.listActivity({ user })), [{ wallet: user }]),
});

const EMPTY = 'empty, because nothing is paid out yet';
const rewards = can(
  {
    listCurrentRewards: ({ client }) => itemsOf(client.listCurrentRewards()),
    listMarketRewards: ({ client, conditionId }) =>
      itemsOf(client.listMarketRewards({ conditionId })),
    listUserEarningsForDay: ({ client }) =>
      itemsOf(client.listUserEarningsForDay({ date: today() })),
    fetchTotalEarningsForUserForDay: ({ client }) =>
      client.fetchTotalEarningsForUserForDay({ date: today() }),
    listUserEarningsAndMarketsConfig: ({ client }) =>
      itemsOf(client.listUserEarningsAndMarketsConfig({ date: today() })),
    fetchRewardPercentages: ({ client }) => client.fetchRewardPercentages(),
  },
  EMPTY,
);

const prices = can({
  fetchMidpoint: async ({ client, yes }, t) =>
    t.ok(Number(await client.fetchMidpoint({ tokenId: yes })) > 0),
  fetchMidpoints: ({ client, yes }) => client.fetchMidpoints([{ tokenId: yes }]),
  fetchPrice: ({ client, yes }) => client.fetchPrice({ tokenId: yes, side: BUY }),
  fetchPrices: ({ client, yes }) => client.fetchPrices([{ tokenId: yes, side: BUY }]),
  fetchOrderBook: async ({ client, yes }, t) =>
    t.match(await client.fetchOrderBook({ tokenId: yes }), { tokenId: yes }),
  fetchOrderBooks: ({ client, yes }) => client.fetchOrderBooks([{ tokenId: yes }]),
  fetchSpread: ({ client, yes }) => client.fetchSpread({ tokenId: yes }),
  fetchSpreads: ({ client, yes }) => client.fetchSpreads([{ tokenId: yes }]),
  fetchLastTradePrice: ({ client, yes }) => client.fetchLastTradePrice({ tokenId: yes }),
  fetchLastTradePrices: ({ client, yes }) => client.fetchLastTradePrices([{ tokenId: yes }]),
  fetchPriceHistory: ({ client, yes }) => client.fetchPriceHistory({ tokenId: yes }),
  estimateMarketPrice: ({ client, yes }) =>
    client.estimateMarketPrice({ tokenId: yes, side: BUY, amount: 5 }),
});

const analytics = can({
  listTrades: async ({ client }, t) => t.ok((await itemsOf(client.listTrades({}))).length > 0),
  listOpenInterest: ({ client, conditionId }) => client.listOpenInterest({ market: [conditionId] }),
  listMarketHolders: ({ client, conditionId }) =>
    client.listMarketHolders({ market: [conditionId] }),
  listMarketPositions: ({ client, conditionId }) =>
    itemsOf(client.listMarketPositions({ market: conditionId })),
  listTraderLeaderboard: ({ client }) => itemsOf(client.listTraderLeaderboard()),
  listBuilderTrades: async ({ client }, t) =>
    t.ok((await itemsOf(client.listBuilderTrades({ builderCode: BUILDER }))).length > 0),
  listBuilderLeaderboard: ({ client }) => itemsOf(client.listBuilderLeaderboard()),
  fetchBuilderVolume: ({ client }) => client.fetchBuilderVolume(),
  fetchEventLiveVolume: async ({ client }) => {
    const [event] = await itemsOf(client.listEvents());
    return client.fetchEventLiveVolume({ id: event?.id ?? '' });
  },
});

const catalog = can({
  listEvents: async ({ client }, t) => t.ok((await itemsOf(client.listEvents())).length > 1),
  fetchEvent: async ({ client }, t) => {
    const [event] = await itemsOf(client.listEvents());
    const { id = '', slug } = event ?? {};
    t.match(await client.fetchEvent({ id }), { id, slug });
    if (typeof slug === 'string') t.match(await client.fetchEvent({ slug }), { id });
  },
  fetchEventTags: async ({ client }) => {
    const [event] = await itemsOf(client.listEvents());
    return client.fetchEventTags({ id: event?.id ?? '' });
  },
  listMarkets: async ({ client, conditionId }, t) =>
    t.match(await itemsOf(client.listMarkets({ conditionIds: [conditionId] })), [{ conditionId }]),
  fetchMarket: async ({ client, conditionId }, t) => {
    const [market] = await itemsOf(client.listMarkets({ conditionIds: [conditionId] }));
    t.match(await client.fetchMarket({ id: market?.id ?? '' }), { conditionId });
  },
  fetchMarketTags: async ({ client, conditionId }) => {
    const [market] = await itemsOf(client.listMarkets({ conditionIds: [conditionId] }));
    return client.fetchMarketTags({ id: market?.id ?? '' });
  },
  listSeries: async ({ client }, t) => t.ok((await itemsOf(client.listSeries())).length > 0),
  fetchSeries: async ({ client }) => {
    const [series] = await itemsOf(client.listSeries());
    return client.fetchSeries({ id: series?.id ?? '' });
  },
  listTags: async ({ client }, t) => t.ok((await itemsOf(client.listTags())).length > 0),
  fetchTag: async ({ client }, t) =>
    t.match(await client.fetchTag({ slug: 'politics' }), { slug: 'politics' }),
  fetchRelatedTags: ({ client }) => client.fetchRelatedTags({ slug: 'politics' }),
  fetchRelatedTagResources: ({ client }) => client.fetchRelatedTagResources({ slug: 'politics' }),
  search: async ({ client }, t) => {
    const { items } = await client.search({ q: 'will' }).firstPage();
    t.ok(items.events.length > 0);
  },
  listMarketClarifications: async ({ client, stage }, t) => {
    stage.recorder.take();
    t.same(await itemsOf(client.listMarketClarifications({})), []);
    t.same(stage.recorder.take(), ['GET /market-clarifications']);
  },
  listSports: ({ client }) => client.listSports(),
  fetchSportsMarketTypes: ({ client }) => client.fetchSportsMarketTypes(),
  listTeams: ({ client }) => itemsOf(client.listTeams()),
  fetchPublicProfile: ({ client, user }) => client.fetchPublicProfile({ address: user }),
  listComments: async ({ client }) => {
    const [event] = await itemsOf(client.listEvents());
    // Safe: the package exports the enumeration's type alone, and this is one of its values.
    const parentEntityType = 'Event' as ListCommentsRequest['parentEntityType'];
    return itemsOf(client.listComments({ parentEntityId: event?.id ?? '', parentEntityType }));
  },
  fetchCommentsById: ({ client }, t) =>
    t.rejects(client.fetchCommentsById({ id: '999' }), { message: /not found/ }),
  listCommentsByUserAddress: ({ client, user }) =>
    itemsOf(client.listCommentsByUserAddress({ address: user })),
});

const streams = can({
  subscribe: async (scene, t) => {
    const { client, yes } = scene;
    const events = await client.subscribe([
      { topic: 'market', tokenIds: [yes] },
      { topic: 'user' },
    ]);
    await restingBid(scene);
    const topics = new Set<string>();
    for await (const { topic } of events) {
      topics.add(topic);
      if (topics.size === 2) break;
    }
    await events.close();
    t.same([...topics].toSorted(), ['market', 'user']);
    await client.closeSubscriptions();
  },
});

const combos = cannot('combinations of markets are not served', {
  listComboPositions: ({ client, user }) => itemsOf(client.listComboPositions({ user })),
  listComboActivity: ({ client, user }) => itemsOf(client.listComboActivity({ user })),
  listComboMarkets: ({ client }) => itemsOf(client.listComboMarkets({})),
  openRfqSession: ({ client }) => client.openRfqSession(),
});

/** Any address: what is refused does not look at it. */
const SOMEBODY = `0x${'5'.repeat(40)}`;
const NO_TRANSFER = 'tokens and money stay in their account';

/** A plain market of which the trader got sets, and which is then resolved. */
async function resolvedMarket({ client, conditionId, stage }: UnifiedScene) {
  const { operator, running, send } = stage.exchange;
  const markets = [...running.services.registry.markets()];
  const other = markets.find((one) => !one.negRisk && one.conditionId !== conditionId);
  const id = other?.conditionId ?? '';
  await (await client.splitPosition({ conditionId: id, amount: 2_000_000n })).wait();
  await operator('POST', `/markets/${id}/close`, {});
  await operator('POST', `/markets/${id}/resolve`, { payout: '1' });
  // The catalog's lists follow the resolution.
  const closed = `/gamma/markets?condition_ids=${id}&closed=true`;
  while ((await send('GET', closed, {})).text === '[]') await nextTurn();
  return id;
}

const approvals = can(
  { setupTradingApprovals: ({ client }) => client.setupTradingApprovals() },
  'none is missing, because all are unlimited',
);

/** Waits for a transaction of the trader's own key. */
async function mined(sent: Promise<TransactionHandle>, t: Test) {
  const outcome = await (await sent).wait();
  t.match(outcome, { transactionHash: /^0x[0-9a-f]{64}$/ });
}

const chain = can(
  {
    approveErc20: ({ client }, t) =>
      mined(
        client.approveErc20({ amount: 1n, spenderAddress: SOMEBODY, tokenAddress: SOMEBODY }),
        t,
      ),
    approveErc1155ForAll: ({ client }, t) =>
      mined(
        client.approveErc1155ForAll({
          approved: true,
          operatorAddress: SOMEBODY,
          tokenAddress: SOMEBODY,
        }),
        t,
      ),
    splitPosition: async ({ client, conditionId }, t) => {
      await mined(client.splitPosition({ conditionId, amount: 3_000_000n }), t);
      const tooMuch = await client.splitPosition({ conditionId, amount: 99_000_000_000_000n });
      await t.rejects(tooMuch.wait(), { message: /reverted/ });
    },
    mergePositions: ({ client, conditionId }, t) =>
      mined(client.mergePositions({ conditionId, amount: 1_000_000n }), t),
    redeemPositions: async (scene, t) =>
      mined(scene.client.redeemPositions({ conditionId: await resolvedMarket(scene) }), t),
  },
  'sent to `POST /rpc`',
);

const transfers = cannot(NO_TRANSFER, {
  transferErc20: ({ client }) =>
    client.transferErc20({ amount: 1n, recipientAddress: SOMEBODY, tokenAddress: SOMEBODY }),
});

const snapshot = can({
  downloadAccountingSnapshot: async ({ client, user }, t) =>
    t.ok((await client.downloadAccountingSnapshot({ user })).size > 0),
});

const OTHERS = [
  ...['depositToPerps', 'executeCollateralReturnPlan', 'fetchPerpsBook', 'fetchPerpsFees'],
  ...['fetchPerpsInstruments', 'fetchPerpsTicker', 'fetchPerpsTickers', 'listPerpsCandles'],
  ...['listPerpsFundingHistory', 'listPerpsTrades', 'openPerpsSession', 'planCollateralReturn'],
  ...['revokePerpsCredentials', 'withdrawFromPerps'],
];

/** Called without arguments: no route of these products exists, whatever they are asked. */
const perpetuals = OTHERS.flatMap((name) =>
  cannot('perpetuals and combinations are other products', {
    [name]: async ({ client }) => {
      // Safe: the names are those of its methods, which the test of all names compares.
      const method = client[name as keyof typeof client] as () => unknown;
      const result = await method();
      if (typeof result !== 'object' || result === null || !('firstPage' in result)) return result;
      return (result as Paginated<unknown>).firstPage();
    },
  }),
);

export const UNIFIED_CHECKS: readonly Check<UnifiedScene>[] = [
  ...trading,
  ...account,
  ...rewards,
  ...prices,
  ...analytics,
  ...catalog,
  ...streams,
  ...combos,
  ...approvals,
  ...chain,
  ...transfers,
  ...snapshot,
  ...perpetuals,
];
