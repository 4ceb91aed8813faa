// Orders that wait for the delay of their market, as the public listener shows them (wire 9.8).
import t, { type Test } from 'tap';
import { Compile } from 'typebox/compile';
import { isoTime } from '../../../../http/codec/time.ts';
import { getDataOrder } from '../../../../http/routes/orders/get-data-orders.ts';
import { postOrder } from '../../../../http/routes/orders/place-orders.ts';
import { StoreError } from '../../../../persistence/index.ts';
import { EARLIER } from '../../../default-settings.ts';
import { type OrderWishes, shareTestExchange, type Trader } from '../../exchange-fixture.ts';

const GONE = "order can't be found - already canceled or matched";
const DELAYED = "the order is delayed by its market - it can't be canceled until the delay ends";
const UNKNOWN = `0x${'33'.repeat(32)}`;
const DELAY_MS = 250;
const isResult = Compile(postOrder.response);
const isOrder = Compile(getDataOrder.response);

// It answers `delayed` at once.
const share = await shareTestExchange(t, { profile: EARLIER });
/** The number of the operator's deposits so far; makes their keys unique. */
let key = 0;

/** A market with a delay, where alice sells 10 YES at 0.6, and bob has tokens of it too. */
async function startDelayed(t: Test) {
  const exchange = share();
  const { operator, clock, plain } = exchange;
  const { conditionId: market, tokenIds } = plain;
  const [yes, no] = tokenIds;
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  await operator('POST', `/markets/${market}/terms`, { itode: true });
  for (const who of [alice, bob]) {
    await who.signed('POST', '/sets/split', { market, amount: '100', key: 's' });
  }
  const sell = async (lots: number): Promise<string> =>
    (await alice.place({ tokenId: yes, side: 'SELL', priceTicks: 6000, lots })).body.orderID;
  const resting = await sell(1000);
  /** Moves the clock; then another command makes the engine process what was due. */
  const pass = async (ms: number): Promise<void> => {
    clock.ms += ms;
    key += 1;
    const money = { account: alice.address, amount: '0.000001', key: `k${key}` };
    await operator('POST', '/deposits', money);
  };
  const wishes: OrderWishes = { tokenId: yes, priceTicks: 6000, lots: 1000 };
  const buy = async (changes: Partial<OrderWishes> = {}): Promise<string> => {
    const { body } = await bob.place({ ...wishes, ...changes });
    t.match(body, { success: true, status: 'delayed' });
    return body.orderID;
  };
  const tell = async (who: Trader, orderId: string) => {
    const { body } = await who.signed('GET', `/data/order/${orderId}`);
    t.ok(isOrder.Check(body), 'as documented');
    return body;
  };
  return { ...exchange, market, yes, no, alice, bob, sell, resting, pass, wishes, buy, tell };
}

t.test('an order that would trade at once is delayed, and its retry says so', async (t) => {
  const { clock, bob, wishes, pass, tell, operator } = await startDelayed(t);
  const payload = bob.order(wishes);
  const place = async () => (await bob.signed('POST', '/order', payload)).body;
  const releaseAt = isoTime(clock.ms + DELAY_MS);
  const first = await place();
  t.ok(isResult.Check(first), 'as documented');
  const { orderID } = first;
  const delayed = {
    success: true,
    errorMsg: '',
    orderID,
    orderHash: orderID,
    takingAmount: '',
    makingAmount: '',
    status: 'delayed',
    transactionsHashes: [],
    tradeIDs: [],
    releaseAt,
  };
  t.strictSame(first, delayed);
  t.strictSame(await place(), { ...delayed, duplicate: true });
  t.match(await tell(bob, orderID), { status: 'DELAYED', size_matched: '0', releaseAt });
  await pass(DELAY_MS - 1);
  t.match(await place(), { status: 'delayed' });
  await pass(1);
  const matched = { status: 'matched', takingAmount: '10', makingAmount: '6', duplicate: true };
  const after = await place();
  t.match(after, { ...matched, tradeIDs: [/./], transactionsHashes: [/^0x/] });
  t.equal(after.tradeIDs.length, 1);
  t.match(await tell(bob, orderID), { status: 'MATCHED', size_matched: '10', releaseAt });
  const trades = (await bob.signed('GET', `/data/trades?id=${after.tradeIDs[0]}`)).body.data;
  t.match(trades, [{ taker_order_id: orderID, trader_side: 'TAKER', size: '10' }]);
  const fill = { type: 2, payload: { order_id: orderID, matched_size: '10' } };
  t.match((await bob.signed('GET', '/notifications')).body, [fill], 'not in its answer');
  t.match((await operator('GET', '/audit')).body, { ok: true });
});

t.test('the outcome of an order when its delay is over', async (t) => {
  const told = ['10', '0', '6', '0'] as const;
  const fok = { orderType: 'FOK', changes: { makerAmount: '6000000', takerAmount: '10000000' } };
  const fak = { ...fok, orderType: 'FAK' };
  const rows: [wishes: Partial<OrderWishes>, left: number, status: string, size: string][] = [
    [{}, 1000, 'MATCHED', told[0]],
    [{}, 600, 'LIVE', told[2]],
    [{}, 0, 'LIVE', told[1]],
    [fok, 1000, 'MATCHED', told[0]],
    [fok, 600, 'UNMATCHED', told[1]],
    [fak, 600, 'MATCHED', told[2]],
    [fak, 0, 'UNMATCHED', told[3]],
  ];
  const { alice, bob, buy, pass, sell, resting, tell } = await startDelayed(t);
  let asks = resting;
  for (const [wishes, left, status, size] of rows) {
    const what = `${wishes.orderType ?? 'GTC'} when ${left} are left: ${status}`;
    const orderId = await buy(wishes);
    await alice.cancel(asks);
    if (left > 0) await sell(left);
    await pass(DELAY_MS);
    t.match(await tell(bob, orderId), { status, size_matched: size }, what);
    for (const who of [alice, bob]) await who.signed('DELETE', '/cancel-all');
    asks = await sell(1000);
  }
  const reasons = (await bob.signed('GET', '/notifications')).body;
  const unmatched = { type: 1, payload: { reason: 'unmatched' } };
  t.match(reasons, [unmatched, { type: 2 }, unmatched, { type: 2 }], 'their owner is notified');
});

t.test('a batch reports for each order whether it is delayed', async (t) => {
  const { bob, wishes, yes } = await startDelayed(t);
  const orders = [
    { ...wishes, lots: 500 },
    { ...wishes, priceTicks: 3000 },
    { ...wishes, postOnly: true },
    { ...wishes, lots: 500, orderType: 'FAK', side: 'BUY' as const },
  ].map((one) => bob.order({ ...one, tokenId: yes }));
  const { status, body } = await bob.signed('POST', '/orders', orders);
  t.equal(status, 200);
  t.match(body, [
    { success: true, status: 'delayed', tradeIDs: [] },
    { success: true, status: 'live' },
    { success: false, status: 'error', code: 'post_only_would_cross' },
    { success: true, status: 'delayed', tradeIDs: [] },
  ]);
});

t.test('a delayed order is live in each list of orders', async (t) => {
  const { bob, alice, buy, yes, send, resting } = await startDelayed(t);
  const { orderID } = (await bob.place({ tokenId: yes, priceTicks: 3000 })).body;
  const delayed = await buy();
  const open = (await bob.signed('GET', '/data/orders')).body.data;
  t.match(open, [
    { id: orderID, status: 'LIVE' },
    { id: delayed, status: 'DELAYED', releaseAt: /Z$/ },
  ]);
  t.equal(open.length, 2);
  const ids = [delayed, resting].map((orderId) => ({ orderId }));
  const several = (await send('POST', '/data/orders', { body: JSON.stringify(ids) })).body;
  t.match(several, [{ order: { status: 'DELAYED' } }, { order: { status: 'LIVE' } }]);
  const { bids } = (await send('GET', `/book?token_id=${yes}`)).body;
  t.strictSame(bids, [{ price: '0.3', size: '10' }], 'it is not on the book');
  const other = await alice.signed('GET', `/data/order/${delayed}`);
  t.equal(other.status, 404, 'other owners do not see it');
});

t.test('an answer leaves out orders whose delay ends within its command', async (t) => {
  const { clock, buy, yes, no, market, bob, tell, trader, sell } = await startDelayed(t);
  const carol = await trader(3);
  const rest = { tokenId: yes, priceTicks: 100, lots: 500 };
  const nothing = { takingAmount: '', makingAmount: '', tradeIDs: [], transactionsHashes: [] };
  const first = await buy();
  clock.ms += DELAY_MS;
  const placed = (await carol.place(rest)).body;
  t.match(placed, { status: 'live', ...nothing });
  t.equal(placed.tradeIDs.length, 0);
  t.match(await tell(bob, first), { status: 'MATCHED' }, 'it traded within that command');
  await sell(1000);
  const second = await buy();
  clock.ms += DELAY_MS;
  const canceled = (await carol.cancel(placed.orderID)).body;
  t.strictSame(canceled, { canceled: [placed.orderID], not_canceled: {} });
  t.match(await tell(bob, second), { status: 'MATCHED' });
  await sell(1000);
  const third = await buy();
  clock.ms += DELAY_MS;
  const split = { market, amount: '5', key: 'x' };
  t.match((await carol.signed('POST', '/sets/split', split)).body, { amount: '5', cash: '-5' });
  t.match(await tell(bob, third), { status: 'MATCHED' });
  const sold = await carol.place({ tokenId: no, side: 'SELL', priceTicks: 9000, lots: 500 });
  t.match(sold.body, { status: 'live', ...nothing });
});

t.test("a delayed order can't be cancelled, and each cancel says so", async (t) => {
  const { alice, bob, buy, yes, no, market, negRisk, tell, pass } = await startDelayed(t);
  const live = async () => (await bob.place({ tokenId: yes, priceTicks: 3000 })).body.orderID;
  const [first, second] = [await buy({ lots: 500 }), await buy({ lots: 500 })];
  const both = { [first]: DELAYED, [second]: DELAYED };
  const spelled = `0x${first.slice(2).toUpperCase()}`;
  const shut = negRisk.conditionId;
  const cancel = async (who: Trader, path: string, body?: unknown) => {
    const answer = await who.signed('DELETE', path, body);
    return [answer.status, answer.body];
  };
  const named = [first, UNKNOWN, second];
  const rows: [path: string, body: unknown, left: object, cancels: boolean][] = [
    ['/order', { orderID: first }, { [first]: DELAYED }, false],
    ['/order', { orderId: spelled }, { [spelled]: DELAYED }, false],
    ['/orders', named, { ...both, [UNKNOWN]: GONE }, false],
    ['/cancel-all', undefined, both, true],
    ['/cancel-market-orders', { market }, both, true],
    ['/cancel-market-orders', { asset_id: yes }, both, true],
    ['/cancel-market-orders', { market, asset_id: yes }, both, true],
    ['/cancel-market-orders', { asset_id: no }, {}, false],
    ['/cancel-market-orders', { market: shut }, {}, false],
    ['/cancel-market-orders', { market: shut, asset_id: yes }, {}, false],
  ];
  for (const [path, body, not_canceled, cancels] of rows) {
    const orderId = cancels ? await live() : '';
    const canceled = cancels ? [orderId] : [];
    const what = `${path} ${JSON.stringify(body)}`;
    t.strictSame(await cancel(bob, path, body), [200, { canceled, not_canceled }], what);
  }
  const gone = { canceled: [], not_canceled: { [first]: GONE } };
  t.strictSame(await cancel(alice, '/order', { orderID: first }), [200, gone], "another's");
  await pass(DELAY_MS);
  t.strictSame(await cancel(bob, '/order', { orderID: first }), [200, gone], 'it has traded');
  t.match(await tell(bob, second), { status: 'MATCHED' });
});

t.test("a cancel after the delay finds the order's outcome", async (t) => {
  const { clock, alice, bob, buy, resting } = await startDelayed(t);
  const orderId = await buy();
  await alice.cancel(resting);
  clock.ms += DELAY_MS;
  const canceled = { canceled: [orderId], not_canceled: {} };
  t.strictSame((await bob.cancel(orderId)).body, canceled, 'it was released, and rested');
});

t.test('a cancel is answered although the delayed orders are unknown', async (t) => {
  const { bob, buy, yes, running } = await startDelayed(t);
  const { orderID } = (await bob.place({ tokenId: yes, priceTicks: 3000 })).body;
  const delayed = await buy();
  const refusals: [refusal: Error, status: number, told: object][] = [
    [
      new StoreError('overloaded', 'too many wait for the disk'),
      200,
      { canceled: [orderID], not_canceled: { [delayed]: GONE } },
    ],
    [new Error('a mistake of ours'), 500, { code: 'internal_error' }],
  ];
  for (const [refusal, status, told] of refusals) {
    t.intercept(running.services.exchange, 'read', {
      value: () => Promise.reject(refusal),
    });
    const answer = await bob.signed('DELETE', '/orders', [orderID, delayed]);
    t.match([answer.status, answer.body], [status, told]);
  }
});

t.test('a delayed order ends with trading, and its owner is notified', async (t) => {
  const { alice, bob, buy, market, operator, tell, pass, resting } = await startDelayed(t);
  const state = `/markets/${market}/state`;
  const rows: [path: string, body: object, again: object | undefined, reason: string][] = [
    [state, { state: 'cancel_only' }, { state: 'open' }, 'trading_paused'],
    [state, { state: 'halted' }, { state: 'open' }, 'trading_paused'],
    ['/exchange/state', { state: 'halted' }, { state: 'open' }, 'trading_paused'],
    [
      `/owners/${bob.address}/standing`,
      { standing: 'closed_only' },
      { standing: 'good' },
      'closed_only',
    ],
    [
      `/owners/${bob.address}/standing`,
      { standing: 'banned' },
      { standing: 'good' },
      'owner_banned',
    ],
    [`/markets/${market}/terms`, { itode: false }, { itode: true }, ''],
    [`/markets/${market}/resolve`, { payout: '0.37' }, undefined, 'market_resolved'],
  ];
  for (const [path, body, again, reason] of rows) {
    const orderId = await buy({ lots: 500 });
    await operator('POST', path, body);
    const canceled = await bob.cancel(orderId);
    const what = `${path} ${JSON.stringify(body)}`;
    const left = { not_canceled: { [orderId]: reason === '' ? DELAYED : GONE } };
    t.match(canceled.body, path === '/exchange/state' ? { code: 'exchange_halted' } : left, what);
    if (again !== undefined) await operator('POST', path, again);
    await pass(DELAY_MS);
    t.match(await tell(bob, orderId), { status: reason === '' ? 'MATCHED' : 'CANCELED' }, what);
    const told = JSON.parse((await bob.signed('GET', '/notifications')).text);
    const [last] = told.filter(({ type }: { type: number }) => type !== 4);
    t.match(last, { type: reason === '' ? 2 : 1, payload: { order_id: orderId, reason } }, what);
  }
  t.match(await tell(alice, resting), { status: 'CANCELED', size_matched: '5' });
  t.match((await operator('GET', '/audit')).body, { ok: true });
});
