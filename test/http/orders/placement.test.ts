import t from 'tap';
import { startTestExchange } from '../exchange-fixture.ts';

t.test('orders rest, meet, and answer what they gave and got', async (t) => {
  const { plain, trader, operator } = await startTestExchange(t);
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
