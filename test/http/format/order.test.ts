import t from 'tap';
import { Compile } from 'typebox/compile';
import { lots, micros, ticks } from '../../../engine/index.ts';
import { AccountOrder, formatOrder } from '../../../http/format/order.ts';
import type { OrderRecord } from '../../../persistence/index.ts';
import { CONDITION, CREATED_MS, NO_TOKEN, YES_TOKEN } from '../durable-commands.ts';
import { LABELS, orderRecord, TAKER_CHECKSUM, TAKER_KEY } from './records.ts';

const schema = Compile(AccountOrder);

t.test('a resting order has the keys of the interface and those that clients read', async (t) => {
  const order = formatOrder(orderRecord({ tradeIds: ['a', 'b'], filledLots: lots(250) }), LABELS);
  t.same(order, {
    id: `0x${'4c'.repeat(32)}`,
    status: 'LIVE',
    market: CONDITION,
    asset_id: YES_TOKEN,
    side: 'BUY',
    price: '0.5',
    original_size: '10',
    size_matched: '2.5',
    outcome: 'Rain',
    owner: TAKER_KEY,
    maker_address: TAKER_CHECKSUM,
    order_type: 'GTC',
    expiration: '0',
    associate_trades: ['a', 'b'],
    created_at: Math.floor(CREATED_MS / 1_000),
    associateTrades: ['a', 'b'],
    originalSize: '10',
    sizeMatched: '2.5',
    makerAddress: TAKER_CHECKSUM,
    assetId: YES_TOKEN,
    createdAt: new Date(CREATED_MS).toISOString(),
  });
  t.ok(schema.Check(order), 'matches its schema');
});

const budget = { type: 'FOK', side: 'BUY', lots: lots(0), priceTicks: ticks(3_000) } as const;
const rows: readonly (readonly [string, Partial<OrderRecord>, Record<string, string>])[] = [
  [
    'a sale of the other outcome',
    { side: 'SELL', outcome: 1, tokenId: NO_TOKEN },
    {
      side: 'SELL',
      outcome: 'No rain',
      asset_id: NO_TOKEN,
      assetId: NO_TOKEN,
    },
  ],
  [
    'a GTD order',
    { type: 'GTD', expiresAtMs: 1_780_449_200_000 },
    {
      order_type: 'GTD',
      expiration: '1780449200',
    },
  ],
  [
    'a matched order',
    { status: 'matched', filledLots: lots(1_000) },
    {
      status: 'MATCHED',
      size_matched: '10',
    },
  ],
  [
    'a delayed order',
    { status: 'delayed', releaseMs: CREATED_MS + 250 },
    { status: 'DELAYED', releaseAt: new Date(CREATED_MS + 250).toISOString() },
  ],
  [
    'a delayed order that matched nothing',
    { status: 'unmatched', closeReason: 'unmatched', releaseMs: CREATED_MS },
    { status: 'UNMATCHED', releaseAt: new Date(CREATED_MS).toISOString() },
  ],
  ['a canceled order', { status: 'canceled', closeReason: 'expired' }, { status: 'CANCELED' }],
  // 10 of cash at 0.3 buy 33.33 tokens.
  [
    'a budget that bought nothing',
    { ...budget, budgetMicros: micros(10_000_000) },
    {
      original_size: '33.33',
      size_matched: '0',
    },
  ],
  [
    'a budget that met better prices',
    {
      ...budget,
      budgetMicros: micros(10_000_000),
      filledLots: lots(5_000),
    },
    { original_size: '50', size_matched: '50', originalSize: '50', sizeMatched: '50' },
  ],
];
t.test('each kind of order has its own values', async (t) => {
  for (const [name, changes, expected] of rows) {
    const order = formatOrder(orderRecord(changes), LABELS);
    t.match(order, expected, name);
    t.ok(schema.Check(order), `${name}, as documented`);
  }
});
