// Opening imported markets: the terms that they take, and the fees that the catalog then shows. In
// the past the catalog went on to show the fees of the source, which nobody was charged here.
import t from 'tap';
import { eventRecord, hex, marketRecord } from '../../../catalog/fixture.ts';
import { shareTestExchange } from '../../exchange-fixture.ts';

const SCHEDULE = { exponent: 1, rate: 0.0441, takerOnly: true, rebateRate: 0.25 };
const CHARGED = {
  feesEnabled: true,
  feeType: 'crypto_fees',
  takerBaseFee: 1000,
  makerBaseFee: 1000,
};

const EVENT = 800_000;
const marketId = (number: number) => EVENT + number;
const markets = [
  { ...CHARGED, feeSchedule: SCHEDULE },
  { ...CHARGED, feeSchedule: SCHEDULE },
  { ...CHARGED, feeSchedule: { ...SCHEDULE, exponent: 4 } },
  { ...CHARGED },
  { feesEnabled: false, feeSchedule: SCHEDULE },
  {},
].map((fees, index) =>
  marketRecord(marketId(index), { ...fees, orderPriceMinTickSize: 0.01, orderMinSize: 5 }),
);

const { operator, send, running } = (await shareTestExchange(t))();
const { catalog } = running.services.exchange;
await catalog.write.putPage({
  source: 'https://a.example',
  kind: 'events',
  text: Buffer.from(JSON.stringify([eventRecord(EVENT, { markets })])),
  mark: '',
});

const open = (index: number, body: object = {}) =>
  operator('POST', `/markets/${hex(marketId(index))}/open`, body);
async function feesOf(index: number): Promise<Record<string, unknown>> {
  // Safe: the test reads only members that it expects.
  const market = (await send('GET', `/markets/${marketId(index)}`)).body as unknown as Record<
    string,
    unknown
  >;
  const names = ['feesEnabled', 'feeType', 'feeSchedule', 'takerBaseFee', 'makerBaseFee'];
  return Object.fromEntries(
    names.flatMap((name) => (name in market ? [[name, market[name]]] : [])),
  );
}
const NO_FEES = {
  feesEnabled: false,
  takerBaseFee: 0,
  makerBaseFee: 0,
  feeSchedule: { exponent: 0, rate: 0, takerOnly: true, rebateRate: 0 },
};

t.test('an imported market shows the fees of its source until it trades here', async (t) => {
  t.strictSame(await feesOf(0), { ...CHARGED, feeSchedule: SCHEDULE });
  t.strictSame(await feesOf(5), {}, 'a source that tells nothing');
  const opened = await open(0);
  t.match(opened, {
    status: 200,
    body: {
      market: hex(marketId(0)),
      taker_fee_bps: 0,
      maker_fee_bps: 0,
      tick_size: '0.01',
      minimum_order_size: '5',
      source_fees: SCHEDULE,
      duplicate: false,
    },
  });
  t.strictSame(await feesOf(0), NO_FEES, 'it charges none, and says so');
  t.match((await open(0, { fees: 'source' })).body, { taker_fee_bps: 0, duplicate: true });
  await operator('POST', `/markets/${hex(marketId(0))}/terms`, {
    taker_fee_bps: 150,
    fee_exponent: 2,
  });
  t.match(await feesOf(0), {
    feesEnabled: true,
    takerBaseFee: 150,
    feeSchedule: { rate: 0.015, exponent: 2 },
  });
});

t.test('an imported market can take the fees of its source, or terms of the body', async (t) => {
  const body = { fees: 'source', tick_size: '0.001', maker_fee_bps: 7 };
  t.match(await open(1, body), {
    status: 200,
    body: { ...body, fees: undefined, taker_fee_bps: 441, fee_exponent: 1, finer_tick_size: '0' },
  });
  t.match(await feesOf(1), {
    feesEnabled: true,
    takerBaseFee: 441,
    makerBaseFee: 7,
    feeSchedule: { ...SCHEDULE, takerOnly: false, rebateRate: 0 },
  });
  const token = `${marketId(1)}001`;
  t.match((await send('GET', `/fee-rate?token_id=${token}`)).body, { base_fee: 441 }, 'as charged');
});

t.test('fees of a source that this exchange cannot charge are refused', async (t) => {
  for (const index of [2, 3, 4, 5]) {
    t.match(await open(index, { fees: 'source' }), {
      status: 400,
      body: { code: 'invalid_payload', field: 'fees' },
    });
  }
  t.match(await open(2, { taker_fee_bps: 441, fee_exponent: 1 }), {
    status: 200,
    body: { source_fees: { exponent: 4 }, taker_fee_bps: 441 },
  });
  t.match(await open(4), { status: 200, body: { source_fees: null } });
});
