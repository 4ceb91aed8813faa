// Acts on markets when an order arrives: commands of the operator, before or after the order.
import t from 'tap';
import {
  NEG_RISK_DOMAIN,
  shareTestExchange,
  startTestExchange,
  type TestExchange,
} from '../../http/exchange-fixture.ts';
import { makeFault, readFault, removeFault } from '../fault-fixture.ts';

const next = await shareTestExchange(t);

/** The newest commands of the operators, the newest first. */
async function actions(exchange: TestExchange): Promise<readonly Record<string, unknown>[]> {
  const { text } = await exchange.operator('GET', '/actions?limit=3');
  return JSON.parse(text).data;
}

async function settle({ running }: TestExchange): Promise<void> {
  await running.services.exchange.balance(`0x${'0'.repeat(40)}`, '');
}

t.test('the price step changes while an order is on its way', async (t) => {
  const exchange = next();
  const { conditionId, tokenIds } = exchange.plain;
  const [tokenId] = tokenIds;
  const trader = await exchange.trader(1);
  const change = { kind: 'tick_size_change', match: { market: conditionId } };
  const before = await makeFault(exchange, { ...change, skip: 1, tick_size: '0.1' });
  const first = await trader.place({ tokenId, priceTicks: 4200 });
  t.match(first, { status: 200, body: { success: true } }, 'the fault is for the second order');
  const second = await trader.place({ tokenId, priceTicks: 4200 });
  t.match(second, { status: 400, body: { code: 'price_off_tick', limit: '0.1' } });
  t.match(await removeFault(exchange, before), {
    state: 'spent',
    matched: 2,
    hits: [{ market: conditionId, done: 'changed the price step to 0.1' }],
  });
  const after = await makeFault(exchange, { ...change, when: 'after', tick_size: '0.01' });
  t.match(await trader.place({ tokenId, priceTicks: 4200 }), { body: { code: 'price_off_tick' } });
  t.match(await readFault(exchange, after), { fired: 0 }, 'no order, no act');
  t.match(await trader.place({ tokenId, priceTicks: 4000 }), { status: 200 });
  t.match(
    await trader.place({ tokenId, priceTicks: 4200 }),
    { status: 200 },
    'it changed after it',
  );
  t.match(await removeFault(exchange, after), { fired: 1 });
});

t.test('a market is resolved before an order, and after one', async (t) => {
  for (const [when, status] of [
    ['before', 400],
    ['after', 200],
  ] as const) {
    const exchange = next();
    const { conditionId, tokenIds } = exchange.plain;
    const trader = await exchange.trader(1);
    const id = await makeFault(exchange, {
      kind: 'resolve_market',
      match: { owner: trader.address },
      when,
      payout: '0.25',
    });
    const answer = await trader.place({ tokenId: tokenIds[0], priceTicks: 4000 });
    t.equal(answer.status, status, when);
    const market = exchange.running.services.registry.market(conditionId);
    t.match(market, { status: 'resolved', payoutTicks: 2_500 });
    const done = 'resolved the market: a YES token pays 0.25';
    t.match(await removeFault(exchange, id), { hits: [{ done }] });
    const reason = `fault ${id}: resolve_market`;
    t.match((await actions(exchange))[0], { by: 'sandbox', reason });
  }
});

t.test('an act that the engine refuses is in the list, and the order goes on', async (t) => {
  const exchange = next();
  const { eventId, tokenIds } = exchange.negRisk;
  const trader = await exchange.trader(1);
  await exchange.operator('POST', `/events/${eventId}/open`, {});
  const id = await makeFault(exchange, {
    kind: 'resolve_market',
    match: { owner: trader.address },
  });
  const order = { tokenId: tokenIds[0], priceTicks: 4000, domain: NEG_RISK_DOMAIN };
  t.match(await trader.place(order), { status: 200, body: { success: true } });
  const { hits } = await removeFault(exchange, id);
  t.strictSame(
    hits.map(({ done }) => done),
    ['the exchange refused it: market_of_event'],
  );
});

t.test('an act that follows an order does not follow a refused one', async (t) => {
  const exchange = next();
  const { conditionId } = exchange.plain;
  const trader = await exchange.trader(1);
  const order = { tokenId: exchange.plain.tokenIds[0], priceTicks: 4000 };
  const other = await makeFault(exchange, {
    kind: 'pause_market',
    match: { owner: trader.address, market: exchange.negRisk.conditionId },
  });
  const id = await makeFault(exchange, {
    kind: 'pause_market',
    match: { owner: trader.address, market: conditionId },
    count: 3,
    when: 'after',
  });
  t.match(await trader.place(order), { status: 200 });
  t.match(await trader.place(order), { status: 409 });
  const batch = await trader.signed('POST', '/orders', [trader.order(order)]);
  t.match(batch, { status: 200, body: [{ success: false }] });
  const { hits } = await removeFault(exchange, id);
  t.strictSame(
    hits.map(({ done }) => done),
    ['set the market to cancel_only'],
  );
  t.match(await removeFault(exchange, other), { fired: 0 }, 'they were orders of another market');
});

t.test('of the markets of a batch, the one that the fault names changes', async (t) => {
  const exchange = next();
  const trader = await exchange.trader(1);
  const [first, second] = [exchange.plain, next().plain];
  const id = await makeFault(exchange, {
    kind: 'pause_market',
    match: { owner: trader.address, market: second.conditionId },
  });
  const batch = [first, second].map(({ tokenIds }) => trader.order({ tokenId: tokenIds[0] }));
  const { body } = await trader.signed('POST', '/orders', batch);
  t.match(body, [{ success: true }, { success: false, code: 'market_paused' }]);
  t.match(await removeFault(exchange, id), { hits: [{ market: second.conditionId }] });
});

t.test('a paused market opens when the fault is removed', async (t) => {
  const exchange = next();
  const [tokenId] = exchange.plain.tokenIds;
  const trader = await exchange.trader(1);
  const id = await makeFault(exchange, {
    kind: 'pause_market',
    match: { owner: trader.address },
    resume_seconds: 86_400,
  });
  t.match(await trader.place({ tokenId }), { status: 409, body: { code: 'market_paused' } });
  t.match(await trader.place({ tokenId }), { status: 409 }, 'it stays paused');
  await removeFault(exchange, id);
  await settle(exchange);
  t.match(await trader.place({ tokenId }), { status: 200 });
  t.match((await actions(exchange))[0], { by: 'sandbox', reason: `fault ${id}: pause_market` });
});

t.test('a market that the operator paused before stays paused', async (t) => {
  const exchange = next();
  const { conditionId, tokenIds } = exchange.plain;
  const [tokenId] = tokenIds;
  const trader = await exchange.trader(1);
  const path = `/markets/${conditionId}/state`;
  t.match(await exchange.operator('POST', path, { state: 'cancel_only' }), { status: 200 });
  const match = { market: conditionId };
  const id = await makeFault(exchange, { kind: 'pause_market', match, resume_seconds: 60 });
  t.match(await trader.place({ tokenId }), { status: 409 });
  const { hits } = await removeFault(exchange, id);
  t.match(hits, [{ done: 'set the market to cancel_only, as it was before' }]);
  await settle(exchange);
  t.match(await trader.place({ tokenId }), { status: 409 });
});

t.test('a paused market opens when the time of the exchange comes', async (t) => {
  const exchange = await startTestExchange(t);
  const [tokenId] = exchange.plain.tokenIds;
  const trader = await exchange.trader(1);
  const match = { market: exchange.plain.conditionId };
  const pause = { kind: 'pause_market', match, market_state: 'halted', resume_seconds: 60 };
  await makeFault(exchange, pause);
  t.match(await trader.place({ tokenId }), { status: 409 });
  await exchange.operator('POST', '/time', { seconds: 59.999 });
  t.match(await trader.place({ tokenId }), { status: 409 }, 'a moment before');
  await exchange.operator('POST', '/time', { seconds: 0.001 });
  t.match(await trader.place({ tokenId }), { status: 200 });
});
