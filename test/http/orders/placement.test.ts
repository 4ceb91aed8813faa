import t from 'tap';
import { EARLIER } from '../../default-settings.ts';
import { type OrderWishes, shareTestExchange } from '../exchange-fixture.ts';

// Its answers have the hashes of trades.
const share = await shareTestExchange(t, { profile: EARLIER });

t.test('orders rest, match, and answer with their amounts', async (t) => {
  const { plain, trader, operator } = share();
  const [yes, no] = plain.tokenIds;
  const alice = await trader(1);
  const bob = await trader(2, 'KUEST');

  const rested = await alice.place({ tokenId: yes, priceTicks: 6000, lots: 1000 });
  t.equal(rested.status, 200);
  const id = rested.body.orderID;
  t.strictSame(rested.body, {
    success: true,
    errorMsg: '',
    orderID: id,
    orderHash: id,
    takingAmount: '',
    makingAmount: '',
    status: 'live',
    transactionsHashes: [],
    tradeIDs: [],
  });

  const minted = await bob.place({ tokenId: no, priceTicks: 4500, lots: 1200 });
  t.match(minted.body, { success: true, status: 'live', makingAmount: '4', takingAmount: '10' });
  t.equal(minted.body.tradeIDs.length, 1);
  t.match(minted.body.transactionsHashes, [/^0x[0-9a-f]{64}$/]);

  const sold = await bob.place({ tokenId: no, side: 'SELL', priceTicks: 1000, lots: 1000 });
  t.match(sold.body, { success: true, status: 'live', makingAmount: '', takingAmount: '' });
  const bought = await alice.place({
    tokenId: no,
    orderType: 'FOK',
    changes: { makerAmount: '1000000', takerAmount: '10000000' },
  });
  t.match(bought.body, { status: 'matched', makingAmount: '1', takingAmount: '10' });
  t.match((await operator('GET', '/audit')).body, { ok: true, fault: '' });
});

t.test('a new order and its retry have the same answer', async (t) => {
  const { plain, trader } = share();
  const [yes, no] = plain.tokenIds;
  const alice = await trader(1);
  const bob = await trader(2);
  const rest = (lots: number) => bob.place({ tokenId: no, priceTicks: 4000, lots });
  const rows: [what: string, resting: number, wishes: Partial<OrderWishes>, result: object][] = [
    ['a GTC that rests', 0, {}, { status: 'live', takingAmount: '', makingAmount: '' }],
    [
      'a GTC that is matched in part',
      600,
      { priceTicks: 6000 },
      { status: 'live', takingAmount: '6', makingAmount: '3.6' },
    ],
    [
      'a GTC that is matched',
      1000,
      { priceTicks: 6100 },
      { status: 'matched', takingAmount: '10', makingAmount: '6' },
    ],
    [
      'a FAK whose rest is released',
      700,
      { orderType: 'FAK', priceTicks: 6200 },
      { status: 'matched', takingAmount: '7', makingAmount: '4.2' },
    ],
    [
      'a SELL of the other outcome that takes a bid',
      0,
      { tokenId: yes, side: 'SELL', orderType: 'FOK', priceTicks: 5000, lots: 500 },
      { status: 'matched', takingAmount: '3', makingAmount: '5' },
    ],
  ];
  for (const [what, resting, wishes, result] of rows) {
    if (resting > 0) t.equal((await rest(resting)).status, 200);
    if (wishes.side === 'SELL') await bob.place({ tokenId: yes, priceTicks: 6000, lots: 500 });
    const payload = alice.order({ tokenId: yes, ...wishes });
    const first = await alice.signed('POST', '/order', payload);
    t.match(first.body, { success: true, ...result }, what);
    const isMatched = first.body.tradeIDs.length > 0;
    t.equal(first.body.transactionsHashes.length, isMatched ? 1 : 0, what);
    const again = await alice.signed('POST', '/order', payload);
    t.strictSame(again.body, { ...first.body, duplicate: true }, what);
    await alice.cancel(first.body.orderID);
  }
});
