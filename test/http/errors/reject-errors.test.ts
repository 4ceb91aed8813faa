import t from 'tap';
import { REJECT_CODES, type RejectCode, type Rejected } from '../../../engine/index.ts';
import { commandRejectError, orderRejectError } from '../../../http/errors/reject-errors.ts';

const ORDER = { orderHash: '0xab', isBuy: true };
function rejected(code: RejectCode, details: Omit<Rejected, 'kind' | 'code'>): Rejected {
  return {
    kind: 'rejected',
    code,
    ...details,
  };
}

type Row = [code: RejectCode, details: Omit<Rejected, 'kind' | 'code'>, wire: object];

const ROWS: readonly Row[] = [
  [
    'price_off_tick',
    { field: 'priceTicks', limit: 100, actual: 5750 },
    { field: 'price', limit: '0.01', actual: '0.575' },
  ],
  [
    'price_out_of_bounds',
    { field: 'priceTicks', limit: '100..9900', actual: 12_000 },
    { field: 'price', limit: '0.01..0.99', actual: '1.2' },
  ],
  [
    'size_below_minimum',
    { field: 'lots', limit: 500, actual: 499 },
    { field: 'size', limit: '5', actual: '4.99' },
  ],
  [
    'budget_below_minimum',
    { field: 'budgetMicros', limit: 1_000_000, actual: 999_999 },
    { field: 'amount', limit: '1', actual: '0.999999' },
  ],
  [
    'expiration_too_soon',
    { field: 'expiresAtMs', limit: 1_780_449_186_930, actual: 1_780_449_150_000 },
    { field: 'order.expiration', limit: '1780449187', actual: '1780449150' },
  ],
  [
    'not_enough_cash',
    { field: 'account', asset: 'cash', required: 5_700_000, available: 3_400_000, held: 10 },
    {
      field: 'order.maker',
      asset: 'cash',
      required: '5.7',
      available: '3.4',
      held: '0.00001',
    },
  ],
  [
    'not_enough_tokens',
    { field: 'account', asset: '77', required: 1250, available: 0, held: 200 },
    { field: 'order.maker', asset: '77', required: '12.5', available: '0', held: '2' },
  ],
  [
    'fill_or_kill_unfilled',
    { field: 'lots', limit: 1000, actual: 1200 },
    { field: 'size', limit: '10', actual: '12' },
  ],
  [
    'post_only_would_cross',
    { field: 'priceTicks', limit: 5600, actual: 5700 },
    { field: 'price', limit: '0.56', actual: '0.57', crossed: 'ask' },
  ],
  [
    'too_many_live_orders',
    { field: 'account', limit: 10_000, actual: 10_000 },
    { field: 'order.maker', limit: 10_000, actual: 10_000 },
  ],
  [
    'too_many_delayed_orders',
    { field: 'orderId', limit: 10_000, actual: 10_000 },
    { field: 'orderHash', limit: 10_000, actual: 10_000 },
  ],
  [
    'order_id_reused',
    { field: 'type', limit: 'GTC', actual: 'FOK' },
    { field: 'orderType', limit: 'GTC', actual: 'FOK' },
  ],
  [
    'order_id_reused',
    { field: 'expiresAtMs', limit: '4102444800000', actual: '0' },
    { field: 'order.expiration', limit: '4102444800', actual: '0' },
  ],
  ['nothing_to_match', { field: 'priceTicks', actual: 5700 }, { field: 'price', actual: '0.57' }],
];

t.test('the details of a reject are in the units of the wire', async (t) => {
  for (const [code, details, wire] of ROWS) {
    const error = orderRejectError(rejected(code, details), ORDER);
    t.equal(error.code, code);
    t.strictSame(error.details, { ...wire, orderHash: '0xab' }, code);
  }
});

t.test('a SELL would cross the best bid', async (t) => {
  const reject = rejected('post_only_would_cross', { field: 'priceTicks', limit: 5600, actual: 1 });
  t.match(orderRejectError(reject, { ...ORDER, isBuy: false }).details, { crossed: 'bid' });
});

t.test("the operator's commands keep the operator's fields", async (t) => {
  const reject = rejected('amount_out_of_bounds', {
    field: 'amountMicros',
    limit: '1..1000000000000000',
    actual: 0,
  });
  t.strictSame(commandRejectError(reject).details, {
    field: 'amount',
    limit: '0.000001..1000000000',
    actual: '0',
  });
  const unknown = rejected('account_unknown', { field: 'account', actual: '0xab' });
  t.strictSame(commandRejectError(unknown).details, { field: 'account', actual: '0xab' });
});

t.test("a client's long value is cut", async (t) => {
  const reject = rejected('event_unknown', { field: 'eventId', actual: 'x'.repeat(5_000) });
  const details = { field: 'event_id', actual: `${'x'.repeat(128)}...` };
  t.strictSame(commandRejectError(reject).details, details);
});

t.test('every reject code of the engine has an error of the same name', async (t) => {
  for (const code of REJECT_CODES) {
    t.equal(orderRejectError(rejected(code, {}), ORDER).code, code);
  }
});
