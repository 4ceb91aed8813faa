/** Trades as each account had them. */
import t from 'tap';
import type { OwnTrade } from '../../../../console/browser/streams/messages.ts';
import { fillsOf, timeMsOf } from '../../../../console/browser/trading/fills.ts';

const [TAKER, MAKER, OTHER] = ['0xAa', '0xBb', '0xCc'] as const;

function maker(orderId: string, address: string) {
  return {
    ...{ order_id: orderId, owner: '', maker_address: address, matched_amount: '2.5' },
    ...{ price: '0.55', fee_rate_bps: '0', fee: '0.01', asset_id: '2', outcome: 'No' },
    side: 'BUY' as const,
  };
}

/** A mint: both sides buy. */
const TRADE: OwnTrade = {
  ...{ id: 'trade', taker_order_id: '0x1', market: '0xm', asset_id: '1', side: 'BUY', size: '5' },
  ...{ fee_rate_bps: '0', fee: '0.123456', price: '0.45', status: 'CONFIRMED' },
  ...{ match_time: '1780449126', last_update: '1780449126', outcome: 'Yes', bucket_index: 0 },
  ...{ owner: '', maker_address: TAKER, transaction_hash: '0x', trader_side: 'TAKER' },
  maker_orders: [maker('0x2', MAKER), maker('0x3', OTHER)],
};

const TAKEN = {
  ...{ key: 'trade', tradeId: 'trade', conditionId: '0xm', outcome: 'Yes', side: 'BUY' },
  ...{ priceTicks: 4_500, lots: 500, feeMicros: 123_456, role: 'taker' },
  timeMs: 1_780_449_126_000,
};
const MADE = {
  ...{ key: 'trade/0x2', tradeId: 'trade', conditionId: '0xm', outcome: 'No', side: 'BUY' },
  ...{ priceTicks: 5_500, lots: 250, feeMicros: 10_000, role: 'maker' },
  timeMs: 1_780_449_126_000,
};

t.test('each account sees its own side, size, price and fee', async (t) => {
  t.strictSame(fillsOf(TRADE, ['0xaa']), [TAKEN]);
  t.strictSame(fillsOf(TRADE, ['0xbb']), [MADE]);
  t.strictSame(fillsOf(TRADE, ['0xaa', '0xbb']), [TAKEN, MADE], 'an owner with two accounts');
  t.strictSame(fillsOf(TRADE, ['0xdd']), []);
});

t.test('times are seconds, or ISO 8601 in the other dialect', async (t) => {
  t.equal(timeMsOf('1780449126'), 1_780_449_126_000);
  t.equal(timeMsOf('2026-06-03T01:12:06.930Z'), 1_780_449_126_930);
});
