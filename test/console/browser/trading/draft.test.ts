/** What is typed into a ticket becomes an order, or a fault beside its field. */
import t from 'tap';
import { type OrderDraft, readDraft } from '../../../../console/browser/trading/draft.ts';
import { RULES } from './rules.ts';

const GOOD: OrderDraft = {
  outcome: 0,
  side: 'BUY',
  type: 'GTC',
  price: '53.5',
  quantity: '120',
  postOnly: false,
  expiration: '',
};

t.test('a limit order has its price in ticks and its size in lots', async (t) => {
  const { order, faults, missing } = readDraft({ ...GOOD, outcome: 1, postOnly: true }, RULES);
  t.strictSame([faults, missing], [{}, []]);
  t.strictSame(order, {
    ...{ outcome: 1, side: 'BUY', type: 'GTC', postOnly: true, expirationSeconds: 0 },
    ...{ tokenId: RULES.tokenIds[1], negRisk: true },
    ...{ priceTicks: 5_350, lots: 12_000, budgetMicros: 0 },
  });
});

t.test('a market BUY has a budget and is never post-only', async (t) => {
  const draft = { ...GOOD, type: 'FAK', quantity: '12.34', postOnly: true } as const;
  const { order } = readDraft(draft, RULES);
  t.match(order, { lots: 0, budgetMicros: 12_340_000, postOnly: false });
  const sell = readDraft({ ...draft, side: 'SELL' }, RULES).order;
  t.match(sell, { lots: 1_234, budgetMicros: 0 });
});

t.test('an order with an expiration has it in seconds', async (t) => {
  const draft = { ...GOOD, type: 'GTD', expiration: '2027-01-02T03:04' } as const;
  const seconds = new Date('2027-01-02T03:04').getTime() / 1000;
  t.equal(readDraft(draft, RULES).order?.expirationSeconds, seconds);
  t.equal(readDraft({ ...draft, type: 'GTC' }, RULES).order?.expirationSeconds, 0);
});

type Row = readonly [changes: Partial<OrderDraft>, field: string, text: string];

const GRID = 'It must be from 0.1¢ to 99.9¢ in steps of 0.1¢.';

const FAULTS: readonly Row[] = [
  [{ price: 'x' }, 'price', `The price is x¢. ${GRID}`],
  [{ price: '-1' }, 'price', `The price is -1¢. ${GRID}`],
  [{ price: '0' }, 'price', `The price is 0¢. ${GRID}`],
  [{ price: '100' }, 'price', `The price is 100¢. ${GRID}`],
  [{ price: '53.55' }, 'price', `The price is 53.55¢. ${GRID}`],
  [{ price: '53.555' }, 'price', `The price is 53.555¢. ${GRID}`],
  [
    { quantity: '1e3' },
    'quantity',
    'The size is 1e3. It must be above 0, with at most 2 decimals.',
  ],
  [{ quantity: '0' }, 'quantity', 'The size is 0. It must be above 0, with at most 2 decimals.'],
  [
    { quantity: '5.001' },
    'quantity',
    'The size is 5.001. It must be above 0, with at most 2 decimals.',
  ],
  [
    { quantity: '0', type: 'FOK' },
    'quantity',
    'The amount is 0. It must be above 0, with at most 2 decimals.',
  ],
  [{ quantity: '4.99' }, 'quantity', 'The size is 4.99. It must be at least 5 tokens.'],
  [
    { quantity: '1000000000.01' },
    'quantity',
    'The size is 1000000000.01. It must be at most 1,000,000,000.',
  ],
  [
    { type: 'GTD', expiration: 'soon' },
    'expiration',
    'The expiration is soon. It must be a date and a time.',
  ],
];

for (const [changes, field, text] of FAULTS) {
  t.test(text, async (t) => {
    const { order, faults, missing } = readDraft({ ...GOOD, ...changes }, RULES);
    t.equal(order, undefined);
    t.strictSame([faults, missing], [{ [field]: text }, []]);
  });
}

t.test('empty fields are no faults', async (t) => {
  const empty = { ...GOOD, type: 'GTD', price: ' ', quantity: '', expiration: '' } as const;
  const { order, faults, missing } = readDraft(empty, RULES);
  t.strictSame([order, faults], [undefined, {}]);
  t.strictSame(missing, ['price', 'quantity', 'expiration']);
});
