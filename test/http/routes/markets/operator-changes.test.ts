// How the public listener shows changes by the operator, and what traders may do after them.
import t from 'tap';
import { type Command, lots, ticks } from '../../../../engine/index.ts';
import { HTTP_BOUNDS } from '../../../../http/bounds/sizes.ts';
import { Registry } from '../../../../http/views/registry.ts';
import { shareTestExchange, type TestExchange } from '../../exchange-fixture.ts';

const GONE = "order can't be found - already canceled or matched";
const HALTED = "the market is halted - the order can't be canceled until trading resumes";
const UNKNOWN = `0x${'33'.repeat(32)}`;

async function done({ running }: TestExchange, command: Command): Promise<void> {
  const { events } = await running.services.exchange.submit(command);
  if (events.some(({ kind }) => kind === 'rejected')) throw new Error('the test is wrong');
}

const share = await shareTestExchange(t);

t.test('every read shows the current terms', async (t) => {
  const exchange = share();
  const { conditionId, tokenIds } = exchange.plain;
  const [tokenId] = tokenIds;
  const alice = await exchange.trader(1);
  await alice.place({ tokenId, priceTicks: 4000, lots: 500 });
  const read = async (path: string) => (await exchange.send('GET', path)).body;
  const before = await read(`/book?token_id=${tokenId}`);
  t.match(before, { tick_size: '0.01', min_order_size: '5' });
  const terms = { tickTicks: ticks(1000), minimumLots: lots(1000) };
  await done(exchange, { kind: 'change_market', conditionId, ...terms });
  const full = { minimum_tick_size: 0.1, minimum_order_size: 10 };
  const rows: [path: string, told: object][] = [
    [`/book?token_id=${tokenId}`, { tick_size: '0.1', min_order_size: '10', bids: [{}] }],
    [`/tick-size?token_id=${tokenId}`, { minimum_tick_size: 0.1 }],
    [`/clob-markets/${conditionId}`, { mts: 0.1, mos: 10, ao: true }],
    [`/clob/markets/${conditionId}`, full],
    [`/markets/${conditionId}`, { ...full, orderPriceMinTickSize: 0.1, orderMinSize: 10 }],
  ];
  for (const [path, told] of rows) t.match(await read(path), told, path);
  const refused = await alice.place({ tokenId, priceTicks: 4500, lots: 1000 });
  t.match(refused.body, { code: 'price_off_tick', limit: '0.1' });
  t.match((await alice.place({ tokenId, priceTicks: 4000, lots: 1000 })).body, { success: true });
});

t.test('a finer tick that takes over is shown, and orders follow it', async (t) => {
  const exchange = share();
  const { conditionId, tokenIds } = exchange.plain;
  const [yes, no] = tokenIds;
  const alice = await exchange.trader(1);
  const terms = (body: object) => exchange.operator('POST', `/markets/${conditionId}/terms`, body);
  t.match((await terms({ finer_tick_size: '0.001' })).body, { finer_tick_size: '0.001' });
  const place = async (tokenId: string, priceTicks: number) =>
    (await alice.place({ tokenId, priceTicks })).body;
  await place(yes, 100);
  t.match(await place(no, 9490), { code: 'price_off_tick', limit: '0.01' });
  await place(no, 9500);
  const rows = async (): Promise<unknown[]> => {
    const paths = [
      `/tick-size?token_id=${no}`,
      `/clob-markets/${conditionId}`,
      `/book?token_id=${yes}`,
    ];
    const answers = await Promise.all(paths.map((path) => exchange.send('GET', path)));
    return answers.map(({ body }) => body);
  };
  const fine = [{ minimum_tick_size: 0.001 }, { mts: 0.001 }, { tick_size: '0.001' }];
  t.match(await rows(), fine, 'the midpoint is 0.03');
  t.match(await place(no, 9490), { success: true });
  t.match((await terms({ self_trade: 'cancel_both' })).body, {
    tick_size: '0.001',
    finer_tick_size: '0',
  });
});

t.test('every read shows the current fees and delays', async (t) => {
  const exchange = share();
  const { conditionId, tokenIds } = exchange.plain;
  const [tokenId] = tokenIds;
  const list = async (path: string, id: string) => {
    const { data } = (await exchange.send('GET', `/clob${path}`)).body;
    return data.find((one) => 'condition_id' in one && one.condition_id === id);
  };
  const fees = { takerFeeBps: 441, makerFeeBps: 30, feeExponent: 1 } as const;
  const terms = { ...fees, takerDelayMs: 250 };
  await done(exchange, { kind: 'change_market', conditionId, ...terms });
  const shared = { maker_base_fee: 30, taker_base_fee: 441, seconds_delay: 0 };
  const full = { ...shared, itode: true, taker_order_delay_ms: 250 };
  const fd = { r: 0.0441, e: 1, to: false };
  const rows: [path: string, told: object][] = [
    [`/fee-rate?token_id=${tokenId}`, { base_fee: 441, fd, fee_schedule: { rate: 0.0441 } }],
    [`/fee-rate/${tokenIds[1]}`, { base_fee: 441, fd }],
    [`/clob-markets/${conditionId}`, { fd, mbf: 30, tbf: 441, sd: 0, itode: true }],
    [`/clob/markets/${conditionId}`, full],
    [`/markets/${conditionId}`, full],
  ];
  for (const [path, told] of rows) {
    t.match((await exchange.send('GET', path)).body, told, path);
  }
  t.match(await list('/markets', conditionId), full);
  t.match(await list('/sampling-markets', conditionId), shared);
  const other = exchange.negRisk.conditionId;
  const none = { maker_base_fee: 0, taker_base_fee: 0, seconds_delay: 0 };
  t.match(await list('/markets', other), { ...none, itode: false, taker_order_delay_ms: 0 });
  await done(exchange, { kind: 'change_market', conditionId, delaySeconds: 3, takerDelayMs: 0 });
  const slower = { seconds_delay: 3, itode: true, taker_order_delay_ms: 0 };
  t.match((await exchange.send('GET', `/markets/${conditionId}`)).body, slower);
  const short = await exchange.send('GET', `/clob-markets/${conditionId}`);
  t.match(short.body, { sd: 3, itode: true });
});

t.test('an order is checked against the terms at its turn', async (t) => {
  const exchange = share();
  const { conditionId, tokenIds } = exchange.plain;
  const [tokenId] = tokenIds;
  const alice = await exchange.trader(1);
  const bob = await exchange.trader(2);
  await bob.place({ tokenId: tokenIds[1], priceTicks: 5800, lots: 1000 });
  const changes = { makerAmount: '4250000', takerAmount: '10000000' };
  const order = alice.order({ tokenId, orderType: 'FAK', changes });
  const { intake, registry } = exchange.running.services;
  // The market as it was when the order arrived: the first look-up returns this.
  const arrived = [registry.token(tokenId)];
  const finer = { tickTicks: ticks(10), finerTickTicks: 0 } as const;
  await done(exchange, { kind: 'change_market', conditionId, ...finer });
  const { token } = Registry.prototype;
  t.intercept(registry, 'token', {
    value: (id: string) => arrived.pop() ?? token.call(registry, id),
  });
  const placed = intake.place(alice.caller, [order]);
  t.match(await placed, [{ success: true, makingAmount: '4.2' }]);
});

t.test('a market that accepts no orders says so in every form', async (t) => {
  const exchange = share();
  const { conditionId, tokenIds } = exchange.plain;
  const [tokenId] = tokenIds;
  const alice = await exchange.trader(1);
  const tell = async () => {
    const [short, full, refused, foreseen] = await Promise.all([
      exchange.send('GET', `/clob-markets/${conditionId}`),
      exchange.send('GET', `/markets/${conditionId}`),
      alice.place({ tokenId }),
      exchange.send('POST', '/debug/order', { body: JSON.stringify(alice.order({ tokenId })) }),
    ]);
    return { ...full.body, ...short.body, refused: refused.body, steps: foreseen.body };
  };
  const state = (of: string, to: 'open' | 'cancel_only' | 'halted'): Command => ({
    kind: 'set_trading_state',
    conditionId: of,
    state: to,
  });
  const shut = { ao: false, accepting_orders: false, acceptingOrders: false, closed: false };
  const paused = { ...shut, status: 'paused' };
  const rows: [command: Command, told: object, code: string, fact: object][] = [
    [state('', 'halted'), paused, 'exchange_paused', { exchange: 'halted', market: 'open' }],
    [state('', 'cancel_only'), paused, 'exchange_paused', { exchange: 'cancel_only' }],
    [state(conditionId, 'halted'), paused, 'exchange_paused', { market: 'halted' }],
    [state('', 'open'), paused, 'market_paused', { exchange: 'open', market: 'halted' }],
    [
      { kind: 'close_market', conditionId },
      { ...shut, closed: true, status: 'closed' },
      'market_closed',
      { market: 'closed' },
    ],
  ];
  for (const [command, told, code, fact] of rows) {
    await done(exchange, command);
    const found = await tell();
    const step = { step: 'trading', ok: false, code, ...fact };
    t.match(found, { ...told, refused: { code } }, code);
    const { steps } = found.steps as unknown as { steps: readonly { readonly step: string }[] };
    t.match(
      steps.find((one) => one.step === 'trading'),
      step,
      code,
    );
  }
});

t.test('cancels list the orders that a halted market keeps', async (t) => {
  const exchange = share();
  const { plain, negRisk } = exchange;
  const [tokenId] = plain.tokenIds;
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const place = async (who = alice, token = tokenId) =>
    (await who.place({ tokenId: token, priceTicks: 3000, lots: 500 })).body.orderID;
  const [kept, other, foreign] = [await place(), await place(), await place(bob)];
  const elsewhere = await place(alice, plain.tokenIds[1]);
  const halt = (conditionId: string, state: 'open' | 'halted') =>
    done(exchange, { kind: 'set_trading_state', conditionId, state });
  await halt(negRisk.conditionId, 'halted');
  t.strictSame((await alice.cancel(UNKNOWN)).body, {
    canceled: [],
    not_canceled: { [UNKNOWN]: GONE },
  });
  t.strictSame((await alice.cancel(elsewhere)).body, { canceled: [elsewhere], not_canceled: {} });
  await halt(plain.conditionId, 'halted');
  const stays = { [kept]: HALTED, [other]: HALTED };
  const spelled = kept.toUpperCase().replace('0X', '0x');
  const market = plain.conditionId;
  const rows: [path: string, body: unknown, notCanceled: object][] = [
    ['/order', { orderID: spelled }, { [spelled]: HALTED }],
    ['/order', { orderID: foreign }, { [foreign]: GONE }],
    ['/order', { orderID: elsewhere }, { [elsewhere]: GONE }],
    ['/orders', [kept, foreign, 'no id'], { [kept]: HALTED, [foreign]: GONE, 'no id': GONE }],
    ['/cancel-market-orders', { market }, stays],
    ['/cancel-market-orders', { asset_id: tokenId }, stays],
    ['/cancel-market-orders', { asset_id: plain.tokenIds[1] }, {}],
    ['/cancel-market-orders', { market: negRisk.conditionId }, {}],
    ['/cancel-all', undefined, stays],
  ];
  for (const [path, body, not_canceled] of rows) {
    const { body: told } = await alice.signed('DELETE', path, body);
    t.strictSame(told, { canceled: [], not_canceled }, `${path} ${JSON.stringify(body)}`);
  }
  await halt(plain.conditionId, 'open');
  t.strictSame((await alice.signed('DELETE', '/cancel-all')).body, {
    canceled: [kept, other],
    not_canceled: {},
  });
});

t.test('a halted exchange refuses every cancel', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const state = { kind: 'set_trading_state', conditionId: '', state: 'halted' } as const;
  await done(exchange, state);
  const rows: [path: string, body: unknown][] = [
    ['/order', { orderID: UNKNOWN }],
    ['/orders', Array(HTTP_BOUNDS.ordersPerCancel).fill(UNKNOWN)],
    ['/cancel-market-orders', { market: exchange.plain.conditionId }],
    ['/cancel-all', undefined],
  ];
  for (const [path, body] of rows) {
    const { status, body: told } = await alice.signed('DELETE', path, body);
    t.match([status, told], [409, { error: 'system_paused', code: 'exchange_halted' }], path);
  }
  await done(exchange, { ...state, state: 'open' });
});

t.test('the route shows that an owner may only close positions', async (t) => {
  const exchange = share();
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const told = async (who = alice) =>
    (await who.signed('GET', '/auth/ban-status/closed-only')).body;
  for (const [standing, closedOnly] of [
    ['closed_only', true],
    ['banned', true],
    ['good', false],
  ] as const) {
    await done(exchange, { kind: 'set_standing', owner: alice.address, standing });
    t.strictSame(await told(), { closed_only: closedOnly, closedOnly }, standing);
    t.strictSame(await told(bob), { closed_only: false, closedOnly: false });
  }
});
