// The resolution of markets and neg-risk events: requests, payouts and messages.
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import type { RedemptionMode } from '../../../../http/settings/settings.ts';
import { shareTestExchange, type TestExchange, type Trader } from '../../exchange-fixture.ts';

const UNKNOWN = `0x${'33'.repeat(32)}`;

const [share, shareAutomatic] = [
  await shareTestExchange(t),
  await shareTestExchange(t, { redemption: 'automatic' }),
];

function lockedIn({ running }: TestExchange): number {
  return running.services.exchange.state.totals().lockedMicros;
}

async function cashOf({ running }: TestExchange, { address }: Trader): Promise<number> {
  return (await running.services.exchange.balance(address, '')).available / 1_000_000;
}

t.test('a resolved market pays its tokens once and has no orders left', async (t) => {
  const exchange = share();
  const locked = lockedIn(exchange);
  const { operator, plain, send } = exchange;
  const { conditionId: market, tokenIds } = plain;
  const [tokenId] = tokenIds;
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  await alice.signed('POST', '/sets/split', { market, amount: '100', key: 's' });
  await alice.place({ tokenId, side: 'SELL', priceTicks: 6000, lots: 4000 });
  await bob.place({ tokenId, priceTicks: 6000, lots: 1000 });
  const path = `/markets/${market}/resolve`;
  const resolve = async (body: object) => {
    const answer = await operator('POST', path, { redeem_all: false, ...body });
    return [answer.status, answer.body];
  };
  const wrong: [body: object, told: object][] = [
    [{}, { code: 'missing_field', field: 'payout' }],
    [{ payout: 1 }, { code: 'invalid_payload', field: 'payout' }],
    [{ payout: '1.1' }, { code: 'invalid_payload', field: 'payout', actual: '1.1' }],
    [{ payout: '0.30001' }, { code: 'invalid_payload', field: 'payout' }],
    [
      { payout: '1', redeem_all: 'no' },
      { code: 'invalid_payload', field: 'redeem_all' },
    ],
  ];
  for (const [body, told] of wrong) t.match(await resolve(body), [400, told]);
  const told = { market, payout: '0.3', status: 'resolved', redeem_all: false };
  t.strictSame(await resolve({ payout: '0.30' }), [200, { ...told, duplicate: false }]);
  t.strictSame(await resolve({ payout: '0.3' }), [200, { ...told, duplicate: true }]);
  const other = { code: 'market_resolved', field: 'payout', limit: '0.3', actual: '1' };
  t.match(await resolve({ payout: '1' }), [409, other]);
  t.match((await send('GET', `/book?token_id=${tokenId}`)).body, { asks: [], bids: [] });
  t.match((await alice.place({ tokenId })).body, { code: 'market_closed' });
  t.match((await send('GET', `/markets/${market}`)).body, {
    closed: true,
    status: 'closed',
    accepting_orders: false,
    outcomePrices: '["0.3", "0.7"]',
    is_50_50_outcome: false,
    tokens: [
      { price: 0.3, winner: false },
      { price: 0.7, winner: false },
    ],
  });
  const redeem = async (who: Trader, key: string) =>
    (await who.signed('POST', '/sets/redeem', { market, key })).body;
  const before = await cashOf(exchange, alice);
  const paid = { account: alice.address, market, yes: '90', no: '100', cash: '97', key: 'r' };
  t.strictSame(await redeem(alice, 'r'), { ...paid, duplicate: false });
  t.strictSame(await redeem(alice, 'r'), { ...paid, duplicate: true });
  t.equal(await cashOf(exchange, alice), before + 97);
  t.match(await redeem(alice, 'again'), { code: 'nothing_to_redeem', field: 'account' });
  const body = { market, key: 'r' };
  const answer = await operator('POST', `/accounts/${bob.address}/redeem`, body);
  t.match(answer.body, { yes: '10', no: '0', cash: '3', duplicate: false });
  t.equal(lockedIn(exchange), locked, 'all its locked collateral is paid out');
});

t.test('a resolved market shows its winner, or that the payout is even', async (t) => {
  const { operator, send } = share();
  const rows: [payout: string, prices: string, winners: boolean[], isEven: boolean][] = [
    ['1', '["1", "0"]', [true, false], false],
    ['0', '["0", "1"]', [false, true], false],
    ['0.5', '["0.5", "0.5"]', [false, false], true],
  ];
  for (const [payout, outcomePrices, winners, isEven] of rows) {
    const path = `/markets/${share().plain.conditionId}`;
    await operator('POST', `${path}/resolve`, { payout, redeem_all: true });
    const tokens = winners.map((winner) => ({ winner }));
    const told = { outcomePrices, tokens, is_50_50_outcome: isEven };
    t.match((await send('GET', path)).body, told, payout);
    t.match((await send('GET', `/clob${path}`)).body, { tokens, is_50_50_outcome: isEven }, payout);
  }
});

t.test(
  'all accounts are paid automatically if the resolution or the setting says so',
  async (t) => {
    const rows: [redemption: RedemptionMode, said: boolean | undefined, isPaid: boolean][] = [
      ['on-request', undefined, false],
      ['on-request', true, true],
      ['automatic', undefined, true],
      ['automatic', false, false],
    ];
    for (const [redemption, redeem_all, isPaid] of rows) {
      const exchange = redemption === 'automatic' ? shareAutomatic() : share();
      const { operator, plain } = exchange;
      const locked = lockedIn(exchange);
      const { conditionId: market } = plain;
      const traders = await Promise.all([1, 2, 3].map((number) => exchange.trader(number)));
      const before = await Promise.all(traders.map((trader) => cashOf(exchange, trader)));
      for (const trader of traders) {
        await trader.signed('POST', '/sets/split', { market, amount: '10', key: 's' });
      }
      const resolve = async (body: object) =>
        (await operator('POST', `/markets/${market}/resolve`, { payout: '1', ...body })).body;
      const what = `${redemption}, ${redeem_all}`;
      const told = { redeem_all: isPaid, duplicate: false };
      t.match(await resolve({ redeem_all }), told, what);
      const again = { redeem_all: isPaid, duplicate: true };
      t.match(await resolve({ redeem_all: !isPaid }), again, `${what}: the first resolution stays`);
      if (isPaid) while (lockedIn(exchange) > locked) await setTimeout(2);
      else
        for (const one of traders) await one.signed('POST', '/sets/redeem', { market, key: 'r' });
      const after = await Promise.all(traders.map((trader) => cashOf(exchange, trader)));
      t.strictSame(after, before, what);
      const { command } = (await operator('GET', '/actions?kind=resolve_market')).body.data[0] as {
        readonly command?: unknown;
      };
      t.match(command, { redeemAll: isPaid }, `${what}: journaled`);
    }
  },
);

/** A new event, a trader with 10 sets of each of its markets, and helpers for requests. */
async function startEvent(name: string) {
  const exchange = share();
  const { operator, running } = exchange;
  const locked = lockedIn(exchange);
  const made = await operator('POST', '/events', {
    slug: name,
    title: name,
    negRisk: true,
    markets: [1, 2, 3, 4].map((place) => {
      return { slug: `${name}-${place}`, question: `Will ${place} win?` };
    }),
  });
  const event: string = JSON.parse(made.text).event_id;
  const markets = [...running.services.registry.markets()].filter(
    ({ eventId }) => eventId === event,
  );
  const ids = markets.map(({ conditionId }) => conditionId);
  const alice = await exchange.trader(1);
  for (const [index, market] of ids.entries()) {
    await alice.signed('POST', '/sets/split', { market, amount: '10', key: `s${index}` });
  }
  const ask = async (path: string, body: object) => {
    const answer = await operator('POST', path, body);
    return [answer.status, answer.body];
  };
  const convert = async (changes: object) => {
    const body = { event_id: event, markets: ids.slice(0, 2), amount: '4', key: 'c', ...changes };
    const answer = await alice.signed('POST', '/sets/convert', body);
    return [answer.status, answer.body];
  };
  const win = (winner: string, of = event) =>
    ask(`/events/${of}/resolve`, { winner, redeem_all: false });
  return { exchange, locked, event, markets, ids, alice, ask, convert, win };
}

t.test('a neg-risk event is opened once, and only then converted', async (t) => {
  const { exchange, event, ids, ask, convert } = await startEvent('opened');
  const [first = '', , third = ''] = ids;
  t.match(await convert({}), [409, { code: 'event_not_sealed', field: 'event_id' }]);
  const plain = { code: 'event_malformed' };
  t.match(await ask(`/events/${exchange.plain.eventId}/open`, {}), [400, plain]);
  t.match(await ask('/events/999/open', {}), [404, { code: 'event_unknown', actual: '999' }]);
  t.match(await ask(`/events/${event}/open`, { none: UNKNOWN }), [400, { field: 'none' }]);
  const opened = { event_id: event, markets: ids, none: third };
  const none = third.toUpperCase().replace('0X', '0x');
  t.strictSame(await ask(`/events/${event}/open`, { none }), [
    200,
    { ...opened, duplicate: false },
  ]);
  t.strictSame(await ask(`/events/${event}/open`, { none }), [200, { ...opened, duplicate: true }]);
  t.match(await ask(`/events/${event}/open`, {}), [409, { code: 'event_sealed', field: 'none' }]);
  const alone = await ask(`/markets/${first}/resolve`, { payout: '1', redeem_all: false });
  t.match(alone, [409, { code: 'market_of_event', field: 'condition_id' }]);
});

t.test(
  'NO tokens of some markets of an event become cash and YES tokens of the others',
  async (t) => {
    const { exchange, event, markets, ids, alice, ask, convert } = await startEvent('converted');
    const [first = '', second = ''] = ids;
    await ask(`/events/${event}/open`, {});
    const rows: [changes: object, status: number, told: object][] = [
      [{ markets: [] }, 400, { code: 'invalid_payload', field: 'markets' }],
      [{ markets: Array(501).fill(first) }, 400, { code: 'too_many_items', limit: 500 }],
      [{ markets: [first, first] }, 400, { code: 'conversion_malformed', field: 'markets' }],
      [{ markets: [UNKNOWN] }, 400, { code: 'conversion_malformed', actual: UNKNOWN }],
      [{ event_id: '999' }, 404, { code: 'event_unknown', field: 'event_id' }],
      [{ amount: '4.001' }, 400, { code: 'amount_off_grid', field: 'amount' }],
      [{ amount: '11' }, 400, { code: 'not_enough_tokens', asset: markets[0]?.tokenIds[1] }],
    ];
    for (const [changes, status, told] of rows) {
      t.match(await convert(changes), [status, told], JSON.stringify(told));
    }
    const told = { account: alice.address, event_id: event, markets: [first, second] };
    const converted = { ...told, amount: '4', cash: '4', key: 'c' };
    t.strictSame(await convert({}), [200, { ...converted, duplicate: false }]);
    t.strictSame(await convert({}), [200, { ...converted, duplicate: true }]);
    const { exchange: store } = exchange.running.services;
    const held = await store.balance(alice.address, markets[2]?.tokenIds[0] ?? '');
    t.equal(held.available, 1400, '10 YES of the split and 4 of the conversion');
    const body = { event_id: event, markets: ids, amount: '1', key: 'o' };
    t.match(await ask(`/accounts/${alice.address}/convert`, body), [200, { cash: '3' }]);
  },
);

// In the past the operator had to find out that an event is opened before it is resolved.
t.test('an event that trades but was not opened resolves in one step', async (t) => {
  const { exchange, ids, ask, convert, win } = await startEvent('unopened');
  const [first = '', second = ''] = ids;
  const wrong = { code: 'event_malformed', field: 'winner', actual: UNKNOWN };
  t.match(await win(UNKNOWN), [400, wrong], 'a wrong winner opens nothing');
  t.match(await convert({}), [409, { code: 'event_not_sealed' }]);
  t.match(await win(first), [200, { winner: first, duplicate: false }]);
  t.match(await win(first), [200, { winner: first, duplicate: true }]);
  t.match(await win(second), [409, { code: 'event_resolved' }]);
  const { registry } = exchange.running.services;
  t.strictSame(
    ids.map((id) => registry.market(id)?.payoutTicks),
    ids.map((_, index) => (index === 0 ? 10_000 : 0)),
  );
  const plain = await ask(`/events/${exchange.plain.eventId}/resolve`, {
    winner: exchange.plain.conditionId,
  });
  t.match(plain, [400, { code: 'event_malformed' }], 'an event that is not neg-risk');
  const actions = (await exchange.operator('GET', '/actions')).text;
  t.match(actions, /open_event/, 'both commands are listed with who asked for them');
});

t.test('a neg-risk event resolves as a whole and pays out all locked collateral', async (t) => {
  const { exchange, locked, event, ids, alice, ask, convert, win } = await startEvent('resolved');
  const { registry } = exchange.running.services;
  const [first = '', , third = ''] = ids;
  await ask(`/events/${event}/open`, {});
  await convert({});
  t.match(await win(UNKNOWN), [400, { code: 'event_malformed', field: 'winner' }]);
  t.match(await win(first, '999'), [404, { code: 'event_unknown' }]);
  const resolved = { event_id: event, winner: third, status: 'resolved', redeem_all: false };
  const spelled = third.toUpperCase().replace('0X', '0x');
  t.strictSame(await win(spelled), [200, { ...resolved, duplicate: false }]);
  t.strictSame(await win(third), [200, { ...resolved, duplicate: true }]);
  t.match(await win(first), [409, { code: 'event_resolved', field: 'winner' }]);
  t.match(await convert({ key: 'late' }), [409, { code: 'event_resolved' }]);
  for (const [index, market] of ids.entries()) {
    t.equal(registry.market(market)?.payoutTicks, index === 2 ? 10_000 : 0);
    await alice.signed('POST', '/sets/redeem', { market, key: `r${index}` });
  }
  t.match((await exchange.operator('GET', '/audit')).body, { ok: true });
  t.equal(lockedIn(exchange), locked);
});
