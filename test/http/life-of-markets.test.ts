// The whole life of markets over HTTP: created, traded with a delay, paused, resolved and redeemed,
// until all cash is withdrawn and the exchange holds exactly nothing.
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { FEE_ACCOUNT } from '../../engine/index.ts';
import type { RedemptionMode } from '../../http/settings/settings.ts';
import { NEG_RISK_DOMAIN } from './exchange-fixture.ts';
import { createEvent, DEPOSIT, type Life, type MadeMarket, startLife } from './market-life.ts';

const DELAY_MS = 250;

interface End {
  readonly payout: string;
  readonly terms?: object;
  /** The profits or losses of alice, bob, carol and the account of fees. */
  readonly made: readonly [number, number, number, number];
}

/** Bob takes 30 tokens in all: at a tenth of a unit each he pays 3. */
const FEES = { taker_fee_bps: 1000, fee_exponent: 0 };
const ENDS: readonly End[] = [
  { payout: '1', made: [-8, 13.5, -5.5, 0] },
  { payout: '0', made: [12, -16.5, 4.5, 0] },
  { payout: '0.5', made: [2, -1.5, -0.5, 0] },
  { payout: '1', made: [-8, 10.5, -5.5, 3], terms: FEES },
  { payout: '0.37', made: [4.6, -5.4, 0.8, 0] },
];
const MODES: readonly RedemptionMode[] = ['on-request', 'automatic'];

/**
 * Alice makes 50 sets and sells bob 20 YES at 0.6; bob and carol pay 0.45 and 0.55 for 10 new sets.
 * Orders rest, wait and are killed on the way, and some of each are left for the resolution.
 */
async function trade(life: Life, { condition_id: market, token_ids: [yes, no] }: MadeMarket) {
  const { alice, bob, carol, act, ask, place, pass } = life;
  const state = `/markets/${market}/state`;
  await ask(alice, '/sets/split', { market, amount: '60', key: `s-${market}` });
  await ask(alice, '/sets/merge', { market, amount: '10', key: `m-${market}` });
  const asked = await place(alice, { tokenId: yes, side: 'SELL', priceTicks: 6000, lots: 3000 });
  const first = await place(bob, { tokenId: yes, priceTicks: 6000, lots: 2000 });
  await pass(DELAY_MS);
  await place(carol, { tokenId: no, priceTicks: 5500, lots: 2000 });
  const killed = await place(bob, { tokenId: yes, priceTicks: 5000, lots: 1000 });
  await act(state, { state: 'cancel_only' });
  await pass(DELAY_MS);
  await act(state, { state: 'open' });
  const second = await place(bob, { tokenId: yes, priceTicks: 5000, lots: 1000 });
  await pass(DELAY_MS);
  const waiting = await place(bob, { tokenId: yes, priceTicks: 6000, lots: 500 });
  const orders = { asked, first, killed, second, waiting };
  const statuses = new Map<string, unknown>();
  for (const [name, { status, orderID }] of Object.entries(orders)) {
    const who = name === 'asked' ? alice : bob;
    const now = (await who.signed('GET', `/data/order/${orderID}`)).body;
    statuses.set(name, [status, 'status' in now && now.status]);
  }
  return { statuses: Object.fromEntries(statuses), waiting: `${waiting.orderID}` };
}

const isZero = { available: '0', held: '0', locked: '0' };

for (const redemption of MODES) {
  t.test(`whatever a market resolves to, all of its cash is paid: ${redemption}`, async (t) => {
    const life = await startLife(t, { redemption });
    const { exchange, alice, bob, carol, act, cashOf, collateral } = life;
    const { markets } = await createEvent(life, {
      slug: 'weather',
      title: 'Weather',
      markets: ENDS.map(({ terms }, place) => ({
        slug: `rain-on-day-${place}`,
        question: `Does it rain on day ${place}?`,
        itode: true,
        ...terms,
      })),
    });
    const people = [alice, bob, carol, { address: FEE_ACCOUNT }];
    const balances = () => Promise.all(people.map(cashOf));
    for (const [index, { payout, made }] of ENDS.entries()) {
      const market = markets[index]!;
      const { condition_id: id } = market;
      const before = await balances();
      const { statuses, waiting } = await trade(life, market);
      t.strictSame(statuses, {
        asked: ['live', 'LIVE'],
        first: ['delayed', 'MATCHED'],
        killed: ['delayed', 'CANCELED'],
        second: ['delayed', 'MATCHED'],
        waiting: ['delayed', 'DELAYED'],
      });
      const isAutomatic = redemption === 'automatic';
      const told = { status: 'resolved', payout, redeem_all: isAutomatic, duplicate: false };
      t.match(await act(`/markets/${id}/resolve`, { payout }), told);
      const ended = (await bob.signed('GET', `/data/order/${waiting}`)).body;
      t.match(ended, { status: 'CANCELED' }, 'the waiting order is canceled');
      for (const who of [alice, bob, carol]) {
        const key = `r-${id}`;
        const answer = await who.signed('POST', '/sets/redeem', { market: id, key });
        const isPaid = isAutomatic ? /done|nothing_to_redeem/ : /done/;
        t.match(answer.body.code ?? 'done', isPaid, 'redeemed now, or paid before');
      }
      await life.pass(1);
      while ((await collateral()).locked !== '0') await setTimeout(2);
      const after = await balances();
      t.strictSame(
        after.map((cash, place) => Math.round((cash - before[place]!) * 1e6) / 1e6),
        made,
        `${payout}: profits`,
      );
      t.match((await exchange.send('GET', `/markets/${id}`)).body, { closed: true });
    }
    const [first] = JSON.parse((await bob.signed('GET', '/notifications')).text);
    t.match(first, { type: 4, payload: { payout: '0.37', yes_size: '30', amount: '11.1' } });
    const sums = { available: `${3 * DEPOSIT}`, held: '0', locked: '0', withdrawals: '0' };
    t.match(await collateral(), sums);
    await life.withdrawAll();
    t.match(await collateral(), { ...isZero, deposits: '30000', withdrawals: '30000' });
  });
}

t.test('a neg-risk event is traded, converted, resolved to none, and leaves nothing', async (t) => {
  const life = await startLife(t);
  const { exchange, alice, bob, carol, act, ask, place, pass, cashOf, collateral } = life;
  const { eventId, markets } = await createEvent(life, {
    slug: 'election',
    title: 'Who wins?',
    negRisk: true,
    open: true,
    none: 'nobody',
    markets: ['red', 'blue', 'nobody'].map((slug) => ({
      slug,
      question: `Does ${slug} win?`,
      seconds_delay: 1,
    })),
  });
  const ids = markets.map(({ condition_id }) => condition_id);
  const [red, blue, nobody] = ids;
  for (const market of [red, blue]) {
    await ask(alice, '/sets/split', { market, amount: '20', key: `s-${market}` });
  }
  // Alice sells her YES of red to bob, whose order is delayed. He and carol mint sets of nobody.
  const domain = NEG_RISK_DOMAIN;
  const yesOf = (place: number) => markets[place]?.token_ids[0] ?? '';
  const sale = { tokenId: yesOf(0), priceTicks: 3000, lots: 2000, domain };
  await place(alice, { ...sale, side: 'SELL' });
  t.match(await place(bob, sale), { status: 'delayed' });
  const bet = { priceTicks: 1000, lots: 1000, domain };
  await place(carol, { ...bet, tokenId: yesOf(2) });
  const other = { ...bet, tokenId: markets[2]?.token_ids[1] ?? '', priceTicks: 9000 };
  t.match(await place(bob, other), { status: 'delayed' });
  await pass(1_000);
  const convert = { event_id: eventId, markets: [red, blue], amount: '20', key: 'c' };
  t.match(await ask(alice, '/sets/convert', convert), { cash: '20', duplicate: false });
  t.match(await collateral(), { locked: '30', held: '0' });
  const resolve = `/events/${eventId}/resolve`;
  t.match(await act(resolve, { winner: nobody, redeem_all: false }), { duplicate: false });
  t.match(await act(resolve, { winner: nobody }), { duplicate: true, redeem_all: false });
  t.match(await collateral(), { locked: '30' });
  const rows: [who: typeof alice, market: string | undefined, told: object][] = [
    [alice, blue, { yes: '20', no: '0', cash: '0' }],
    [alice, nobody, { yes: '20', no: '0', cash: '20' }],
    [bob, red, { yes: '20', cash: '0' }],
    [bob, nobody, { yes: '0', no: '10', cash: '0' }],
    [carol, nobody, { yes: '10', no: '0', cash: '10' }],
  ];
  for (const [who, market, told] of rows) {
    t.match(await ask(who, '/sets/redeem', { market, key: `r-${market}` }), told);
  }
  t.match(await collateral(), { locked: '0', held: '0' });
  const made = await Promise.all([alice, bob, carol].map(cashOf));
  t.strictSame(
    made.map((cash) => cash - DEPOSIT),
    [6, -15, 9],
  );
  for (const id of ids) {
    const winner = id === nobody;
    const tokens = [{ winner }, { winner: !winner }];
    t.match((await exchange.send('GET', `/markets/${id}`)).body, { closed: true, tokens });
  }
  await life.withdrawAll();
  t.match(await collateral(), { ...isZero, deposits: '30000', withdrawals: '30000' });
});
