// The operator cancels open orders of an owner.
import t from 'tap';
import { READ_BOUNDS } from '../../../../http/bounds/read-bounds.ts';
import { StoreError } from '../../../../persistence/index.ts';
import { type AnswerBody, shareTestExchange, type Trader } from '../../exchange-fixture.ts';

const share = await shareTestExchange(t);

async function rest(trader: Trader, tokenId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let place = 0; place < count; place++) {
    const { body } = await trader.place({ tokenId, priceTicks: 100, lots: 500 });
    ids.push(body.orderID);
  }
  return ids;
}

t.test('orders of an owner are cancelled: all, those of a market, or those named', async (t) => {
  const exchange = share();
  const { trader, operator, plain } = exchange;
  const other = exchange.negRisk;
  const [ann, ben] = [await trader(1), await trader(2)];
  const [tokenId] = plain.tokenIds;
  const path = `/owners/${ann.address}/orders`;
  const openOf = async ({ address }: Trader) =>
    (await operator('GET', `/orders?owner=${address}`)).body.data.map(({ id }) => id);
  const ids = await rest(ann, tokenId, 3);
  const kept = await rest(ben, tokenId, 1);
  const [first = '', second = ''] = ids;
  const named = await operator('DELETE', path, {
    order_ids: [first.toUpperCase().replace('0X', '0x'), ...kept],
  });
  t.match(named.body, { canceled: [first], next_after: null });
  t.match(
    named.text,
    /not_canceled":\{"0x.*can't be found/,
    'an order of somebody else is unknown',
  );
  t.same(await openOf(ann), ids.slice(1));
  const elsewhere = await operator('DELETE', path, { market: other.conditionId });
  t.match(elsewhere.body, { canceled: [], next_after: null }, 'none in this market');
  const all = await operator('DELETE', path, { market: plain.conditionId, reason: 'ticket 7' });
  t.match(all.body, { canceled: [second, ids[2]], next_after: null });
  t.same(await openOf(ann), []);
  t.same(await openOf(ben), kept);
  const actions = await operator('GET', '/actions?kind=cancel_orders&limit=2');
  t.match(actions.body.data, [
    { by: 'test', reason: 'ticket 7', command: { owner: ann.address, orderIds: [second, ids[2]] } },
    { command: { orderIds: [first, ...kept] } },
  ]);
});

t.test('more orders than a page has are cancelled page by page', async (t) => {
  const { trader, operator, plain } = share();
  const ann = await trader(1);
  const ids = await rest(ann, plain.tokenIds[0], READ_BOUNDS.ordersPerPage + 1);
  const cancel = async (after?: string) => {
    const { body } = await operator(
      'DELETE',
      `/owners/${ann.address}/orders`,
      after ? { after } : {},
    );
    // Safe: the route's schema has it.
    return body as AnswerBody & { next_after: string | null };
  };
  const one = await cancel();
  t.same(one.canceled, ids.slice(0, -1));
  t.equal(one.next_after, ids.at(-2));
  t.match(await cancel(one.next_after ?? ''), { canceled: ids.slice(-1), next_after: null });
});

t.test('orders of a halted market stay, with the reason', async (t) => {
  const { trader, operator, plain } = share();
  const ann = await trader(1);
  const [id = ''] = await rest(ann, plain.tokenIds[0], 1);
  const state = `/markets/${plain.conditionId}/state`;
  await operator('POST', state, { state: 'halted' });
  const { text } = await operator('DELETE', `/owners/${ann.address}/orders`, {});
  t.match(JSON.parse(text), { canceled: [], not_canceled: { [id]: /the market is halted/ } });
  await operator('POST', state, { state: 'open' });
});

// History: a refused read of the delayed orders made the answer 503, although the cancel was done.
t.test('a cancel is answered although the delayed orders can not be read', async (t) => {
  const { trader, operator, plain, running } = share();
  const ann = await trader(1);
  const [id = ''] = await rest(ann, plain.tokenIds[0], 1);
  const full = new StoreError('overloaded', 'too many reads wait');
  t.intercept(running.services.exchange, 'read', { value: () => Promise.reject(full) });
  const answer = await operator('DELETE', `/owners/${ann.address}/orders`, { order_ids: [id] });
  t.match(answer, { status: 200, body: { canceled: [id] } });
});

t.test('wrong requests cancel nothing', async (t) => {
  const { trader, operator, plain, stateHash } = share();
  const ann = await trader(1);
  const [id = ''] = await rest(ann, plain.tokenIds[0], 1);
  const before = stateHash();
  const rows: readonly (readonly [body: object, refusal: object])[] = [
    [{ order_ids: [] }, { code: 'invalid_payload', field: 'order_ids' }],
    [{ order_ids: Array(101).fill(id) }, { code: 'too_many_items', limit: 100 }],
    [{ order_ids: ['0x12'] }, { code: 'invalid_parameter', field: 'order_ids.0' }],
    [
      { order_ids: [id], market: plain.conditionId },
      { code: 'invalid_payload', field: 'market' },
    ],
    [
      { order_ids: [id], after: id },
      { code: 'invalid_payload', field: 'after' },
    ],
    [{ after: `0x${'11'.repeat(32)}` }, { code: 'invalid_parameter', field: 'after' }],
    [{ market: 'x' }, { code: 'invalid_parameter', field: 'market' }],
  ];
  for (const [body, refusal] of rows) {
    t.match((await operator('DELETE', `/owners/${ann.address}/orders`, body)).body, refusal);
  }
  t.equal(stateHash(), before);
});
