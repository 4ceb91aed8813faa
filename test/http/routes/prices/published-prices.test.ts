// The published client, unchanged, reads the prices of an exchange on which it traded.
import { Chain, type ClobClient, OrderType, Side } from '@polymarket/clob-client-v2';
import t from 'tap';
import { newTrader, type Trader } from '../../../published-client.ts';
import { shareTestExchange } from '../../exchange-fixture.ts';

/** Places a GTC order for 10 tokens. */
async function place({ client }: Trader, tokenID: string, side: Side, price: number) {
  const order = { tokenID, side, size: 10, price };
  return await client.createAndPostOrder(order, {}, OrderType.GTC);
}

async function readAll(client: ClobClient, yes: string, no: string) {
  const both = [yes, no].map((token_id) => ({ token_id, side: Side.BUY }));
  return {
    midpoints: await client.getMidpoints(both),
    spread: await client.getSpread(no),
    spreads: await client.getSpreads(both),
    last: await client.getLastTradePrice(no),
    lasts: await client.getLastTradesPrices(both),
  };
}

/** The exchange uses this machine's clock, like the published client. */
const share = await shareTestExchange(t, { now: Date.now });

t.test('the published client reads midpoints, spreads and last trades', async (t) => {
  const { running, plain } = share();
  const [yes, no] = plain.tokenIds;
  const alice = await newTrader('Alice', running.url, Chain.POLYGON);
  const bob = await newTrader('Bob', running.url, Chain.POLYGON);

  t.same(await readAll(alice.client, yes, no), {
    midpoints: { [yes]: '0.5', [no]: '0.5' },
    spread: { spread: '1' },
    spreads: { [yes]: '1', [no]: '1' },
    last: { price: '0.5', side: '' },
    lasts: [],
  });

  // Bob's NO meets Alice's YES: a set is minted. What is left is YES 0.3 to 0.45.
  t.match(await place(alice, yes, Side.BUY, 0.4), { status: 'live' });
  t.match(await place(bob, no, Side.BUY, 0.6), { status: 'matched' });
  t.match(await place(alice, yes, Side.BUY, 0.3), { status: 'live' });
  t.match(await place(bob, no, Side.BUY, 0.55), { status: 'live' });
  t.same(await readAll(alice.client, yes, no), {
    midpoints: { [yes]: '0.375', [no]: '0.625' },
    spread: { spread: '0.15' },
    spreads: { [yes]: '0.15', [no]: '0.15' },
    last: { price: '0.6', side: 'BUY' },
    lasts: [
      { token_id: yes, price: '0.4', side: 'SELL' },
      { token_id: no, price: '0.6', side: 'BUY' },
    ],
  });

  t.match(await alice.client.getSpread('1'), { status: 404, code: 'book_not_found' });
  const many = Array.from({ length: 501 }, () => ({ token_id: yes, side: Side.BUY }));
  const tooMany = { status: 400, error: 'Payload exceeds the limit' };
  t.match(await alice.client.getMidpoints(many), tooMany);
  t.match(await alice.client.getSpreads(many), tooMany);
  t.match(await alice.client.getLastTradesPrices(many), tooMany);
});

t.test('the aliases by path are routes of the exchange', async (t) => {
  const { send, plain, negRisk } = share();
  for (const { tokenIds, negRisk: expected } of [plain, negRisk]) {
    const answer = await send('GET', `/neg-risk/${tokenIds[0]}`);
    t.equal(answer.text, `{"neg_risk":${expected}}`);
    const fees = await send('GET', `/fee-rate/${tokenIds[1]}`);
    t.equal(fees.text, (await send('GET', `/fee-rate?token_id=${tokenIds[1]}`)).text);
    t.match(fees.body, { base_fee: 0 });
  }
});
