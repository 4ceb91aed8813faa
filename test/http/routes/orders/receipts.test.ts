import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { shareTestExchange } from '../../exchange-fixture.ts';

interface Receipt {
  readonly id: string;
  readonly transaction_hash: string;
  readonly journal_seq: number;
  readonly match_time: string;
  readonly taker_order_id: string;
  readonly bucket_index: number;
  readonly price: string;
  readonly maker_orders: readonly { readonly order_id: string; readonly matched_amount: string }[];
}

/** Follows http/orders/receipts.md and nothing else, as a client would. */
function namesOf(trade: Receipt) {
  const head = [
    trade.journal_seq,
    Date.parse(trade.match_time),
    trade.taker_order_id,
    trade.bucket_index,
  ];
  const ticks = Math.round(Number(trade.price) * 10_000);
  const fills = trade.maker_orders.map((maker) => {
    const lots = Math.round(Number(maker.matched_amount) * 100);
    return [maker.order_id, ticks, lots];
  });
  const content = [head, ...fills].map((words) => `${words.join(' ')}\n`).join('');
  const sha256 = (title: string) => createHash('sha256').update(`${title}\n${content}`).digest();
  const id = sha256('outcome-exchange trade id 1').subarray(0, 16);
  id[6] = 0x80 | ((id[6] ?? 0) & 0x0f);
  id[8] = 0x80 | ((id[8] ?? 0) & 0x3f);
  const hex = id.toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return {
    id: [...parts, hex.slice(20)].join('-'),
    transaction_hash: `0x${sha256('outcome-exchange transaction hash 1').toString('hex')}`,
  };
}

const share = await shareTestExchange(t);

t.test('both sides can check the receipt of a trade from its fields', async (t) => {
  const exchange = share();
  const [yes, no] = exchange.plain.tokenIds;
  const [first, second, taker] = [
    await exchange.trader(1, 'KUEST'),
    await exchange.trader(2, 'KUEST'),
    await exchange.trader(3, 'KUEST'),
  ];
  await first.place({ tokenId: yes, priceTicks: 6_000, lots: 1_000 });
  await second.place({ tokenId: yes, priceTicks: 6_000, lots: 725 });
  await first.place({ tokenId: yes, priceTicks: 5_500, lots: 900 });
  await taker.place({ tokenId: no, priceTicks: 4_500, lots: 2_000 });
  const tradesOf = async (trader: typeof taker): Promise<readonly Receipt[]> =>
    JSON.parse((await trader.signed('GET', '/data/trades')).text).data;
  const trades = await tradesOf(taker);
  t.strictSame(
    trades.map(({ maker_orders }) => maker_orders.length),
    [1, 2],
    'one of a maker, one of two',
  );
  for (const { id, transaction_hash, ...trade } of trades) {
    t.strictSame(namesOf({ id: '', transaction_hash: '', ...trade }), { id, transaction_hash });
  }
  const [theirs] = await tradesOf(second);
  t.match(theirs, theirs === undefined ? { id: '' } : namesOf(theirs), "a maker's view");
});

t.test('the documented recipe has the hashed texts', async (t) => {
  const page = readFileSync(
    new URL('../../../../http/orders/receipts.md', import.meta.url),
    'utf8',
  );
  for (const title of ['outcome-exchange trade id 1', 'outcome-exchange transaction hash 1']) {
    t.ok(page.includes(`${title}\\n`), title);
  }
});
