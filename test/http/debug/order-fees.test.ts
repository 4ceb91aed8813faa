// The fees that POST /debug/order shows are those that the engine reserves and charges.
import t from 'tap';
import { type OrderWishes, startTestExchange } from '../exchange-fixture.ts';

const CODE = `0x${'b1'.repeat(32)}`;

interface Step {
  readonly step: string;
  readonly ok: boolean | null;
  readonly required?: string;
  readonly feesRequired?: string;
  readonly fee?: string;
}

const exchange = await startTestExchange(t, { funding: 'ledger' });
const { conditionId, tokenIds } = exchange.plain;
const [yes, no] = tokenIds;
const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
for (const { address: account } of [alice, bob]) {
  await exchange.operator('POST', '/deposits', { account, amount: '100', key: account });
}
const fees = { taker_fee_bps: 441, maker_fee_bps: 1000, fee_exponent: 1 };
await exchange.operator('POST', `/markets/${conditionId}/terms`, fees);
await exchange.operator('POST', `/builders/${CODE}`, {
  account: bob.address,
  fee_share_bps: 3000,
  taker_rate_bps: 50,
  maker_rate_bps: 10,
});

async function explain(wishes: OrderWishes) {
  const payload = alice.order(wishes);
  const { body } = await alice.signed('POST', '/debug/order', payload);
  const { steps } = body as unknown as { readonly steps: readonly Step[] }; // as documented
  const stepIn = (name: string) => steps.find(({ step }) => step === name);
  return { payload, balance: stepIn('balance'), book: stepIn('book'), token: stepIn('token') };
}

function budget(amount: string, tokens: string): Partial<OrderWishes> {
  return {
    orderType: 'FAK',
    changes: { makerAmount: amount, takerAmount: tokens },
  };
}

t.test('missing cash is shown with the part that is for fees', async (t) => {
  await bob.place({ tokenId: no, priceTicks: 6000, lots: 1000 });
  const rows: [wishes: Partial<OrderWishes>, required: string, feesRequired: string][] = [
    // 200 x the maker's 0.1 x 0.25, which is more than the taker's.
    [{ lots: 20_000 }, '105', '5'],
    // The share of a builder raises them, and its rate on cash is added.
    [{ lots: 20_000, changes: { builder: CODE } }, '107.64286', '7.64286'],
    // For a budget it is the taker's fee: 200 x 0.0441 x 0.25.
    [budget('100000000', '200000000'), '102.205', '2.205'],
  ];
  for (const [wishes, required, feesRequired] of rows) {
    const { balance } = await explain({ tokenId: yes, ...wishes });
    const told = { ok: false, code: 'not_enough_cash', required, feesRequired, available: '100' };
    t.match(balance, told, required);
    const placed = await alice.place({ tokenId: yes, ...wishes });
    t.match(placed.body, { code: 'not_enough_cash', required, available: '100' });
  }
  const sold = await explain({ tokenId: yes, side: 'SELL' });
  t.notOk(
    sold.balance !== undefined && 'feesRequired' in sold.balance,
    'a SELL pays fees out of its proceeds',
  );
});

t.test('the previewed fee is the charged fee', async (t) => {
  await bob.place({ tokenId: no, priceTicks: 5500, lots: 1000 });
  const changes = { builder: CODE };
  const { payload, token, balance, book } = await explain({ tokenId: yes, lots: 1500, changes });
  t.match(token, { takerFeeBps: 441, makerFeeBps: 1000, feeExponent: 1 });
  t.match(balance, { ok: true, required: '8.07322', feesRequired: '0.57322' });
  t.match(book, { ok: true, delayMs: 0, wouldMatch: '15', wouldRest: '0' });
  await alice.signed('POST', '/order', payload);
  const { data } = (await alice.signed('GET', '/data/trades')).body;
  t.match(data, [
    { fee_rate_bps: '441', maker_orders: [{ fee_rate_bps: '1000', fee: '0.12375' }] },
    { fee_rate_bps: '441', maker_orders: [{ fee_rate_bps: '1000', fee: '0.24' }] },
  ]);
  const paid = data.map((trade) => Number('fee' in trade ? trade.fee : 0));
  t.ok(Number(book?.fee) > 0);
  t.equal(paid.reduce((sum, fee) => sum + fee, 0).toFixed(6), Number(book?.fee).toFixed(6));
});
