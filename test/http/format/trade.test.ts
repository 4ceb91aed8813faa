import t from 'tap';
import { Compile } from 'typebox/compile';
import { lots, ticks } from '../../../engine/index.ts';
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

t.test('a mint shows the taker on top and the maker in its own token and price', async (t) => {
  const trade = formatTrade(tradeRecord(), LABELS, { owner: TAKER, userAgent: '' });
  t.same(trade, {
    id: '28c4d2eb-bbea-40e7-a9f0-b2fdb56b2c2e',
    taker_order_id: `0x${'4c'.repeat(32)}`,
    market: CONDITION,
    asset_id: YES_TOKEN,
    side: 'BUY',
    size: '60',
    fee_rate_bps: '0',
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
        asset_id: NO_TOKEN,
        outcome: 'No rain',
        side: 'BUY',
      },
    ],
    type: 'TAKER',
    trader_side: 'TAKER',
  });
  t.ok(schema.Check(trade), 'and is what the documents say');
});

t.test('the maker of a trade sees the same trade in its own role', async (t) => {
  const asTaker = formatTrade(tradeRecord(), LABELS, { owner: TAKER, userAgent: '' });
  const asMaker = formatTrade(tradeRecord(), LABELS, { owner: MAKER, userAgent: '' });
  t.same(asMaker, { ...asTaker, type: 'MAKER', trader_side: 'MAKER' });
});

t.test('several makers are listed in order', async (t) => {
  const [maker] = tradeRecord().makers;
  if (maker === undefined) throw new Error('the record has a maker');
  const makers = [1, 2, 3].map((size) => ({ ...maker, lots: lots(size), priceTicks: ticks(1) }));
  const trade = formatTrade(tradeRecord({ makers }), LABELS, { owner: TAKER, userAgent: '' });
  t.same(
    trade.maker_orders.map((order) => `${order.matched_amount}@${order.price}`),
    ['0.01@0.0001', '0.02@0.0001', '0.03@0.0001'],
  );
});

const seconds = `${Math.floor(CREATED_MS / 1_000)}`;
const agents: readonly (readonly [string, string])[] = [
  ['rs_clob_client', seconds],
  ['rs_clob_client/0.4', seconds],
  ['py_clob_client', time],
  ['@polymarket/clob-client', time],
  ['', time],
];
t.test('times are ISO 8601, and seconds for the clients that need them', async (t) => {
  for (const [userAgent, expected] of agents) {
    const trade = formatTrade(tradeRecord(), LABELS, { owner: TAKER, userAgent });
    t.match(trade, { match_time: expected, last_update: expected }, userAgent || 'no User-Agent');
  }
});
