// The made-up trading day of `npm run bench:day`: its requests are what it claims.

import t from 'tap';
import {
  type DayRequest,
  type DayTerms,
  openingSeconds,
  READS_PER_SECOND,
  Trading,
  type Venue,
} from '../../../bench/day/trading.ts';

const TERMS: DayTerms = { seed: 1, minutes: 1, rate: 200, markets: 100, makers: 10, takers: 30 };
const OPENING = openingSeconds(TERMS);

const VENUE: Venue = {
  markets: Array.from({ length: TERMS.markets }, (_, rank) => ({
    conditionId: `0x${rank.toString(16).padStart(64, '0')}`,
    tokenIds: [`1${rank}1`, `1${rank}2`],
  })),
  accounts: Array.from({ length: TERMS.makers + TERMS.takers }, (_, at) => ({
    address: `0x${'0'.repeat(40)}`,
    privateKey: `0x${(at + 1).toString(16).padStart(64, '0')}`,
    apiKey: `key-${at}`,
    secret: 'c2VjcmV0',
    passphrase: 'phrase',
  })),
};

function secondsOf(terms: DayTerms, count: number): readonly (readonly DayRequest[])[] {
  const trading = new Trading(terms, VENUE, 1_760_000_000_000);
  return Array.from({ length: count }, () => trading.nextSecond());
}

const seconds = secondsOf(TERMS, OPENING + TERMS.minutes * 60);
const all = seconds.flat();
const day = seconds.slice(OPENING).flat();

interface Order {
  readonly order: {
    readonly tokenId: string;
    readonly side: 'BUY' | 'SELL';
    readonly makerAmount: string;
    readonly takerAmount: string;
  };
}

function ordersOf({ request }: DayRequest): readonly Order[] {
  return [JSON.parse(request.body)].flat() as Order[]; // bodies of POST /order and POST /orders
}

t.test('the same seed makes the same day, another seed makes another', async (t) => {
  t.strictSame(secondsOf(TERMS, 3), seconds.slice(0, 3));
  t.notSame(secondsOf({ ...TERMS, seed: 2 }, 3), seconds.slice(0, 3));
});

t.test('the requests of a second are due in it, in the order of their times', async (t) => {
  for (const [second, requests] of seconds.entries()) {
    const times = requests.map(({ dueMs }) => dueMs);
    t.strictSame(
      times,
      times.toSorted((a, b) => a - b),
    );
    t.ok(times.every((dueMs) => Math.floor(dueMs / 1_000) === second));
  }
});

t.test('orders and reads come at their rates', async (t) => {
  const perSecond = (lane: DayRequest['lane']): number =>
    day.filter((one) => one.lane === lane).reduce((sum, { items }) => sum + items, 0) / 60;
  const orders = perSecond('orders') / TERMS.rate;
  t.ok(orders > 0.7 && orders < 1.8, `${orders} of the rate, with those of news`);
  const reads = perSecond('reads') / READS_PER_SECOND;
  t.ok(reads > 0.95 && reads < 1.05, `${reads} of the rate`);
});

t.test('the busiest market gets the share of all reads that Zipf gives it', async (t) => {
  const { tokenIds } = VENUE.markets[0]!;
  const reads = day.filter(({ request }) => request.path.startsWith('/book'));
  const busiest = reads.filter(({ request }) => request.path.endsWith(`=${tokenIds[0]}`)).length;
  const harmonic = VENUE.markets.reduce((sum, _, rank) => sum + 1 / (rank + 1), 0);
  const share = (busiest / reads.length) * harmonic;
  t.ok(share > 0.85 && share < 1.15, `${share} of its share`);
});

t.test('a set of quotes has bids below asks', async (t) => {
  const sets = all.filter(({ request }) => request.path === '/orders' && request.method === 'POST');
  t.ok(sets.length > 500, `${sets.length} sets`);
  for (const set of sets) {
    const prices = { bids: [] as number[], asks: [] as number[] };
    for (const { order } of ordersOf(set)) {
      const cents = Math.round((100 * Number(order.makerAmount)) / Number(order.takerAmount));
      if (order.tokenId.endsWith('1')) prices.bids.push(cents);
      else prices.asks.push(100 - cents);
    }
    if (Math.max(...prices.bids) >= Math.min(...prices.asks)) t.fail(JSON.stringify(prices));
  }
});

t.test('a cancel names orders that its own account sent before, each once', async (t) => {
  const cancels = all.filter(
    ({ lane, request }) => lane === 'cancels' && request.path === '/orders',
  );
  const named = cancels.flatMap(({ request }) => JSON.parse(request.body) as string[]);
  t.equal(new Set(named).size, named.length, 'each order is cancelled once');
  const live = new Map<string, number>();
  let least = 0;
  for (const { lane, request, items } of all) {
    const key = request.headers.POLY_API_KEY ?? '';
    const sign = lane === 'orders' ? 1 : request.path === '/orders' ? -1 : 0;
    live.set(key, (live.get(key) ?? 0) + sign * items);
    least = Math.min(least, live.get(key) ?? 0);
  }
  t.equal(least, 0, 'no account has cancelled more orders than it has sent');
});
