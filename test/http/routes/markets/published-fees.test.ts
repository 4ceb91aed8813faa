// The published client, unchanged, spends an account's whole balance in a market that charges fees,
// with a builder who earns its own fees. The client computes the fees that the exchange charges.
import { Chain, OrderType, Side } from '@polymarket/clob-client-v2';
import t from 'tap';
import { FEE_ACCOUNT } from '../../../../engine/index.ts';
import { newTrader, type Trader } from '../../../published-client.ts';
import { shareTestExchange, type TestExchange } from '../../exchange-fixture.ts';

/** The builder's rates on the cash of takers and makers. */
const RATES = { fee_share_bps: 0, taker_rate_bps: 50, maker_rate_bps: 10 };
const TERMS = { taker_fee_bps: 441, fee_exponent: 1 };

interface Cash {
  readonly balance: string;
  readonly available: string;
  readonly held: string;
}

/** The answer to an order. */
interface Placed {
  readonly success: boolean;
  readonly status: string;
  readonly makingAmount: string;
  readonly takingAmount: string;
}

async function done(answer: Promise<{ readonly status: number; readonly text: string }>) {
  const { status, text } = await answer;
  if (status !== 200) throw new Error(text);
  return text;
}

async function cashOf({ operator }: TestExchange, account: string): Promise<Cash> {
  // Safe: the route's schema says so.
  return JSON.parse(await done(operator('GET', `/accounts/${account.toLowerCase()}`))) as Cash;
}

function micros(amount: string): number {
  return Math.round(Number(amount) * 1_000_000);
}

/** A new trader with this much cash. */
async function withCash(exchange: TestExchange, name: string, amount: string): Promise<Trader> {
  const trader = await newTrader(name, exchange.running.url, Chain.POLYGON);
  const account = trader.address.toLowerCase();
  await done(exchange.operator('POST', '/deposits', { account, amount, key: account }));
  return trader;
}

/** The exchange uses this machine's clock, like the published client. */
const share = await shareTestExchange(t, { now: Date.now, funding: 'ledger' });
let builders = 0;

/**
 * A market with fees, YES on offer at 0.42, 0.5 and 0.6, and a builder with its code; and what the
 * fee account had before, in micros.
 */
async function started() {
  const exchange = share();
  builders += 1;
  const code = `0x${String(builders).padStart(64, '0')}`;
  const { conditionId, tokenIds } = exchange.plain;
  const [yes, no] = tokenIds;
  const maker = await withCash(exchange, 'Alice', '100000');
  const builder = await withCash(exchange, 'Carol', '1');
  await done(exchange.operator('POST', `/markets/${conditionId}/terms`, TERMS));
  const account = builder.address.toLowerCase();
  await done(exchange.operator('POST', `/builders/${code}`, { account, ...RATES }));
  for (const price of [0.58, 0.5, 0.4]) {
    const order = { tokenID: no, side: Side.BUY, price, size: 100 };
    await maker.client.createAndPostOrder(order, {}, OrderType.GTC);
  }
  const feesBefore = micros((await cashOf(exchange, FEE_ACCOUNT)).balance);
  return { exchange, yes, no, builder, code, feesBefore };
}

type Scene = Awaited<ReturnType<typeof started>>;

/** What fee account and builder have earned since `started`; the builder began with 1 unit. */
async function collected({ exchange, builder, feesBefore }: Scene): Promise<number> {
  const [fees, earned] = [
    await cashOf(exchange, FEE_ACCOUNT),
    await cashOf(exchange, builder.address),
  ];
  return micros(fees.balance) - feesBefore + micros(earned.balance) - 1_000_000;
}

t.test('a market order of the whole balance is accepted and leaves no debt', async (t) => {
  const scene = await started();
  const { exchange, yes, code } = scene;
  const rows: [balance: string, type: OrderType.FOK | OrderType.FAK, builderCode?: string][] = [
    ['7.77', OrderType.FOK],
    ['10', OrderType.FOK, code],
    ['33.333333', OrderType.FAK, code],
    ['80', OrderType.FOK, code],
    ['100', OrderType.FAK],
  ];
  let paidBefore = 0;
  for (const [index, [balance, type, builderCode]] of rows.entries()) {
    const who = `${balance} ${type}`;
    const { client, address } = await withCash(exchange, `Bob-${index}`, balance);
    const placed = (await client.createAndPostMarketOrder(
      {
        tokenID: yes,
        side: Side.BUY,
        amount: Number(balance),
        userUSDCBalance: Number(balance),
        orderType: type,
        ...(builderCode === undefined ? {} : { builderCode }),
      },
      {},
      type,
    )) as Placed; // the client returns the answer as it is
    t.match(placed, { success: true, status: 'matched' }, who);
    const after = await cashOf(exchange, address);
    const fees = (await collected(scene)) - paidBefore;
    paidBefore += fees;
    t.ok(fees > 0, `${who} pays fees`);
    t.equal(micros(balance) - micros(placed.makingAmount) - fees, micros(after.balance), who);
    t.equal(after.held, '0', who);
    t.match((await exchange.operator('GET', '/audit')).body, { ok: true }, who);
  }
});

t.test('a limit order of the whole balance is accepted, whether it trades or rests', async (t) => {
  const scene = await started();
  const { exchange, yes, code } = scene;
  const rows: [balance: string, price: number, status: string][] = [
    ['21.37', 0.42, 'matched'],
    ['10', 0.42, 'matched'],
    ['9.99', 0.3, 'live'],
  ];
  let paidBefore = 0;
  for (const [index, [balance, price, status]] of rows.entries()) {
    const { client, address } = await withCash(exchange, `Bob-${index}`, balance);
    const userUSDCBalance = Number(balance);
    const wish = { tokenID: yes, side: Side.BUY, price, size: userUSDCBalance / price };
    const placed: unknown = await client.createAndPostOrder(
      { ...wish, userUSDCBalance, builderCode: code },
      {},
      OrderType.GTC,
    );
    t.match(placed, { success: true, status }, balance);
    const after = await cashOf(exchange, address);
    const fees = (await collected(scene)) - paidBefore;
    paidBefore += fees;
    t.equal(fees > 0, status === 'matched', balance);
    t.ok(micros(after.available) >= 0);
    t.equal(micros(after.held) > 0, status === 'live');
    t.match((await exchange.operator('GET', '/audit')).body, { ok: true });
  }
});

t.test('trades show the collected fees, and the operator can withdraw all of them', async (t) => {
  const { exchange, yes, builder, code, feesBefore } = await started();
  const { client } = await withCash(exchange, 'Bob', '50');
  const order = { tokenID: yes, side: Side.BUY, price: 0.5, size: 60, builderCode: code };
  await client.createAndPostOrder(order, {}, OrderType.GTC);
  const trades = await client.getTrades();
  t.match(trades, [{ fee_rate_bps: '441', maker_orders: [{ fee_rate_bps: '0', fee: '0' }] }]);
  // 60 x 0.0441 x 0.42 x 0.58 to the exchange, and 0.5% of the cash to the builder.
  t.match(trades, [{ price: '0.42', fee: '0.77057' }]);
  const { trades: built } = await client.getBuilderTrades({ builder_code: code });
  t.match(built, [{ fee: '0.77057', feeUsdc: '0.77057', builderFee: '0.126' }]);
  t.match(await cashOf(exchange, builder.address), { balance: '1.126' });
  const { balance: amount } = await cashOf(exchange, FEE_ACCOUNT);
  t.equal(micros(amount) - feesBefore, 644_570);
  const withdrawal = { account: FEE_ACCOUNT, amount, key: 'fees-of-june' };
  await done(exchange.operator('POST', '/withdrawals', withdrawal));
  t.match(await cashOf(exchange, FEE_ACCOUNT), { balance: '0', available: '0' });
  t.match((await exchange.operator('GET', '/audit')).body, { ok: true });
});

t.test('an order of version 1 may be signed for any fee rate', async (t) => {
  const { exchange, yes } = await started();
  const { client } = await withCash(exchange, 'Bob', '100');
  const order = { tokenID: yes, side: Side.BUY, price: 0.1, size: 10 };
  const byItself = await client.createOrder(order, { version: 1 });
  t.match(byItself, { feeRateBps: '441' }, 'the client asks for the rate');
  t.match(await client.postOrder(byItself), { success: true, status: 'live' });
  for (const feeRateBps of [0, 1, 10_000]) {
    const grid = { tickSize: '0.01', negRisk: false } as const;
    const signed = await client.orderBuilder.buildOrder({ ...order, feeRateBps }, grid, 1);
    t.match(await client.postOrder(signed), { success: true, status: 'live' }, `${feeRateBps}`);
  }
});
