import t from 'tap';
import { Compile } from 'typebox/compile';
import { lots, micros, ticks } from '../../../engine/index.ts';
import type { Dialect } from '../../../http/codec/headers.ts';
import { formatBuilderTrade } from '../../../http/format/builder-trade.ts';
import { AccountTrade, formatTrade } from '../../../http/format/trade.ts';
import { CONDITION, CREATED_MS, NO_TOKEN, YES_TOKEN } from '../durable-commands.ts';
import {
  LABELS,
  MAKER,
  MAKER_CHECKSUM,
  MAKER_KEY,
  TAKER,
  TAKER_CHECKSUM,
  TAKER_KEY,
  tradeRecord,
} from './records.ts';

const schema = Compile(AccountTrade);
const time = new Date(CREATED_MS).toISOString();

t.test("a mint shows the taker's view, and the maker in its own token and price", async (t) => {
  const trade = formatTrade(tradeRecord(), LABELS, {
    owner: TAKER,
    userAgent: '',
    dialect: 'kuest',
  });
  t.same(trade, {
    id: '28c4d2eb-bbea-40e7-a9f0-b2fdb56b2c2e',
    taker_order_id: `0x${'4c'.repeat(32)}`,
    market: CONDITION,
    asset_id: YES_TOKEN,
    side: 'BUY',
    size: '60',
    fee_rate_bps: '0',
    fee: '0',
    price: '0.55',
    status: 'CONFIRMED',
    match_time: time,
    last_update: time,
    outcome: 'Rain',
    bucket_index: 1,
    owner: TAKER_KEY,
    maker_address: TAKER_CHECKSUM,
    transaction_hash: `0x${'9a'.repeat(32)}`,
    journal_seq: tradeRecord().seq,
    maker_orders: [
      {
        order_id: `0x${'5d'.repeat(32)}`,
        owner: MAKER_KEY,
        maker_address: MAKER_CHECKSUM,
        matched_amount: '60',
        price: '0.45',
        fee_rate_bps: '0',
        fee: '0',
        asset_id: NO_TOKEN,
        outcome: 'No rain',
        side: 'BUY',
      },
    ],
    type: 'TAKER',
    trader_side: 'TAKER',
  });
  t.ok(schema.Check(trade), 'matches its schema');
});

t.test('the maker of a trade sees the same trade in its own role', async (t) => {
  const asTaker = formatTrade(tradeRecord(), LABELS, {
    owner: TAKER,
    userAgent: '',
    dialect: 'kuest',
  });
  const asMaker = formatTrade(tradeRecord(), LABELS, {
    owner: MAKER,
    userAgent: '',
    dialect: 'kuest',
  });
  t.same(asMaker, { ...asTaker, type: 'MAKER', trader_side: 'MAKER' });
});

t.test('each side has its own rate and fee', async (t) => {
  const [maker] = tradeRecord().makers;
  if (maker === undefined) throw new Error('the record has a maker');
  const ofMaker = { feeMicros: micros(0), builderFeeMicros: micros(0), feeBps: 25 };
  const ofTaker = { feeMicros: micros(654_890), builderFeeMicros: micros(5), feeBps: 441 };
  const record = tradeRecord({ ...ofTaker, makers: [{ ...maker, ...ofMaker }] });
  t.match(formatTrade(record, LABELS, { owner: MAKER, userAgent: '', dialect: 'kuest' }), {
    fee_rate_bps: '441',
    fee: '0.65489',
    maker_orders: [{ fee_rate_bps: '25', fee: '0' }],
  });
});

t.test('a builder sees the fees of all its orders in a trade', async (t) => {
  const [maker] = tradeRecord().makers;
  if (maker === undefined) throw new Error('the record has a maker');
  const [code, other] = [`0x${'b1'.repeat(32)}`, `0x${'b2'.repeat(32)}`];
  const makers = [
    { ...maker, builder: code, feeMicros: micros(40), builderFeeMicros: micros(30) },
    { ...maker, builder: other, feeMicros: micros(70), builderFeeMicros: micros(7) },
    { ...maker, builder: code, feeMicros: micros(20), builderFeeMicros: micros(10) },
  ];
  const fees = { feeMicros: micros(1_000_000), builderFeeMicros: micros(500_000), feeBps: 441 };
  const rows: [taker: string, builder: string, builderFee: string][] = [
    ['', code, '0.00004'],
    [code, code, '0.50004'],
    [other, code, '0.00004'],
    [other, other, '0.500007'],
    [code, '', '0.50004'],
  ];
  for (const [takerBuilder, builder, builderFee] of rows) {
    const record = tradeRecord({ ...fees, takerBuilder, makers });
    const reader = { builder, account: '', owner: '', userAgent: '', dialect: 'kuest' } as const;
    const told = formatBuilderTrade(record, LABELS, reader);
    t.match(told, { fee: '1', feeUsdc: '1', fee_rate_bps: '441', builderFee });
  }
});

t.test('several makers are listed in order', async (t) => {
  const [maker] = tradeRecord().makers;
  if (maker === undefined) throw new Error('the record has a maker');
  const makers = [1, 2, 3].map((size) => ({ ...maker, lots: lots(size), priceTicks: ticks(1) }));
  const trade = formatTrade(tradeRecord({ makers }), LABELS, {
    owner: TAKER,
    userAgent: '',
    dialect: 'kuest',
  });
  t.same(
    trade.maker_orders.map((order) => `${order.matched_amount}@${order.price}`),
    ['0.01@0.0001', '0.02@0.0001', '0.03@0.0001'],
  );
});

const seconds = `${Math.floor(CREATED_MS / 1_000)}`;
const agents: readonly (readonly [string, Dialect, string])[] = [
  ['rs_clob_client', 'kuest', seconds],
  ['rs_clob_client/0.4', 'kuest', seconds],
  ['py_clob_client', 'kuest', time],
  ['', 'kuest', time],
  ['py_clob_client', 'polymarket', seconds],
  ['', 'polymarket', seconds],
];
t.test('times are those of the dialect, and seconds for the clients that need them', async (t) => {
  for (const [userAgent, dialect, expected] of agents) {
    const trade = formatTrade(tradeRecord(), LABELS, { owner: TAKER, userAgent, dialect });
    const times = { match_time: expected, last_update: expected };
    t.match(trade, times, `${dialect}, ${userAgent || 'no User-Agent'}`);
  }
});
