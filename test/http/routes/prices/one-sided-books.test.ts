// One rule for books with a missing side or without a trade (wire 1.5), on every route that tells a
// price.
import t from 'tap';
import { shareTestExchange } from '../../exchange-fixture.ts';

const share = await shareTestExchange(t);

interface Prices {
  readonly bid: string;
  readonly ask: string;
  readonly mid: string;
  readonly spread: string;
  readonly last: string;
  /** What the token is worth. */
  readonly value: string;
}

const EMPTY = { bid: '0', ask: '1', mid: '0.5', spread: '1' } as const;
const BID = { bid: '0.3', ask: '1', mid: '0.65', spread: '0.7' } as const;
const ASK = { bid: '0', ask: '0.6', mid: '0.3', spread: '0.6' } as const;
const BOTH = { bid: '0.3', ask: '0.6', mid: '0.45', spread: '0.3' } as const;

/** The steps of a market's book, and what is then told of YES. */
const STEPS: readonly (readonly [step: string, prices: Prices])[] = [
  ['split', { ...EMPTY, last: '0.5', value: '0.5' }],
  ['bid', { ...BID, last: '0.5', value: '0.5' }],
  ['ask', { ...BOTH, last: '0.5', value: '0.45' }],
  ['cancel bid', { ...ASK, last: '0.5', value: '0.5' }],
  ['take ask', { ...EMPTY, last: '0.6', value: '0.6' }],
  ['bid', { ...BID, last: '0.6', value: '0.6' }],
  ['ask', { ...BOTH, last: '0.6', value: '0.45' }],
  ['cancel bid', { ...ASK, last: '0.6', value: '0.6' }],
];

// History: /midpoint of an empty book was 404, a one-sided book had three different prices, and
// curPrice was another one than outcomePrices.
t.test('every route tells the same of a book with a missing side or without a trade', async (t) => {
  const exchange = share();
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const { conditionId, tokenIds } = exchange.plain;
  const [tokenId] = tokenIds;
  const get = async (path: string) => {
    const answer = await exchange.send('GET', path);
    t.equal(answer.status, 200, `${path} ${answer.text}`);
    return JSON.parse(answer.text);
  };
  const one = async (path: string) => await get(`${path}?token_id=${tokenId}`);
  const several = async (path: string) => {
    const body = JSON.stringify([{ token_id: tokenId }]);
    return JSON.parse((await exchange.send('POST', path, { body })).text);
  };
  let bid = '';
  const steps: Record<string, () => Promise<{ readonly status: number }>> = {
    split: () =>
      alice.signed('POST', '/sets/split', { market: conditionId, amount: '50', key: 'once' }),
    bid: async () => {
      const placed = await bob.place({ tokenId, priceTicks: 3_000 });
      bid = placed.body.orderID;
      return placed;
    },
    ask: () => alice.place({ tokenId, side: 'SELL', priceTicks: 6_000 }),
    'cancel bid': () => bob.cancel(bid),
    'take ask': () => bob.place({ tokenId, priceTicks: 6_000 }),
  };
  for (const [step, { bid: best, ask, mid, spread, last, value }] of STEPS) {
    const done = await steps[step]?.();
    t.equal(done?.status, 200, step);
    t.match(await get(`/price?token_id=${tokenId}&side=BUY`), { price: best }, step);
    t.match(await get(`/price?token_id=${tokenId}&side=SELL`), { price: ask }, step);
    t.match(await one('/midpoint'), { mid }, step);
    t.match(await one('/spread'), { spread }, step);
    t.match(await one('/last-trade-price'), { price: last }, step);
    t.match(await several('/midpoints'), { [tokenId]: mid }, step);
    t.match(await several('/spreads'), { [tokenId]: spread }, step);
    const sides = {
      ...(best === '0' ? {} : { BUY: best }),
      ...(ask === '1' ? {} : { SELL: ask }),
    };
    t.strictSame(await several('/prices'), { [tokenId]: sides }, step);
    const market = await get(`/markets/${conditionId}`);
    t.match(JSON.parse(market.outcomePrices)[0], value, `outcomePrices, ${step}`);
    t.equal(market.tokens[0].price, Number(value), `tokens[].price, ${step}`);
    const positions = await get(`/positions?user=${alice.address}&sizeThreshold=0`);
    const [yes] = positions.filter(
      ({ outcomeIndex }: { outcomeIndex: number }) => outcomeIndex === 0,
    );
    t.equal(yes?.curPrice, Number(value), `curPrice, ${step}`);
  }
});
