// The made-up trading day of `npm run bench:day`: what it claims to be made of.

import t from 'tap';
import { openingSeconds } from '../../../bench/day/board.ts';
import { dayEvents, negRiskMarkets } from '../../../bench/day/events.ts';
import { DayGenerator } from '../../../bench/day/generator.ts';
import { DAY, type DayTerms, type DueAct } from '../../../bench/day/plan.ts';

const TERMS: DayTerms = { ...DAY, minutes: 2, markets: 300, makers: 30, takers: 100 };
const OPENING = openingSeconds(TERMS);

function actsOf(terms: DayTerms, seconds: number): readonly (readonly DueAct[])[] {
  const generator = new DayGenerator(terms);
  return Array.from({ length: seconds }, () => generator.nextSecond());
}

const seconds = actsOf(TERMS, OPENING + TERMS.minutes * 60);
const day = seconds.slice(OPENING).flat();
const all = seconds.flat();
function of<Kind extends DueAct['kind']>(acts: readonly DueAct[], kind: Kind) {
  return acts.filter((act): act is Extract<DueAct, { kind: Kind }> => act.kind === kind);
}

t.test('the same seed makes the same day, another one another', async (t) => {
  t.strictSame(actsOf(TERMS, OPENING + 5), seconds.slice(0, OPENING + 5));
  t.notSame(actsOf({ ...TERMS, seed: 2 }, 3), seconds.slice(0, 3));
});

t.test('acts of a second are due in it, in their order', async (t) => {
  for (const [second, acts] of seconds.entries()) {
    const times = acts.map(({ dueMs }) => dueMs);
    t.strictSame(
      times,
      times.toSorted((a, b) => a - b),
    );
    t.ok(times.every((dueMs) => Math.floor(dueMs / 1_000) === second));
  }
});

t.test('orders, reads and moves come at their rates', async (t) => {
  const perSecond = (count: number): number => count / (TERMS.minutes * 60);
  const quotes = of(day, 'orders').reduce((sum, { orders }) => sum + orders.length, 0);
  const orders = perSecond(quotes + of(day, 'order').length) / TERMS.ordersPerSecond;
  t.ok(orders > 0.95 && orders < 1.2, `${orders} of the rate, news among them`);
  const reads = perSecond(of(day, 'read').length) / TERMS.readsPerSecond;
  t.ok(reads > 0.95 && reads < 1.05, `${reads}`);
  t.ok(of(all, 'orders').every(({ orders }) => orders.length >= 4 && orders.length <= 15));
});

t.test('a market is dealt in as often as its rank says (Zipf)', async (t) => {
  const counts = new Float64Array(TERMS.markets);
  for (const { market } of of(day, 'read')) counts[market]! += 1;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const harmonic = counts.reduce((sum, _, rank) => sum + 1 / (rank + 1), 0);
  for (const ranks of [1, 2, 10, 100]) {
    const found = counts.slice(0, ranks).reduce((sum, count) => sum + count, 0) / total;
    const wanted = counts.slice(0, ranks).reduce((sum, _, r) => sum + 1 / (r + 1), 0) / harmonic;
    t.ok(Math.abs(found / wanted - 1) < 0.06, `${ranks} markets have ${found} of ${wanted}`);
  }
});

t.test('quotes that are replaced leave a maker as many as it had', async (t) => {
  const live = new Map<string, Set<number>>();
  const sizes = new Map<string, number>();
  const places = new Map<number, string>();
  let [replaced, wrong] = [0, 0];
  for (const act of all) {
    if (act.kind === 'cancel') {
      for (const number of act.numbers) live.get(places.get(number) ?? '')?.delete(number);
    } else if (act.kind === 'clear') {
      live.set(`${act.account} ${act.market}`, new Set());
    } else if (act.kind === 'orders') {
      const place = `${act.account} ${act.orders[0]!.market}`;
      const before = live.get(place)?.size ?? 0;
      if (before > 0 || (sizes.get(place) ?? act.orders.length) !== act.orders.length) wrong += 1;
      if (sizes.has(place)) replaced += 1;
      sizes.set(place, act.orders.length);
      live.set(place, new Set(act.orders.map(({ number }) => number)));
      for (const { number } of act.orders) places.set(number, place);
    }
  }
  t.ok(replaced > 10_000, `${replaced} sets were replaced`);
  t.equal(wrong, 0);
});

t.test('a cancel names orders of its account that were sent before, each once', async (t) => {
  const owners = new Map<number, number>();
  let wrong = 0;
  for (const act of all) {
    if (act.kind === 'order') owners.set(act.order.number, act.account);
    if (act.kind === 'orders') {
      for (const { number } of act.orders) owners.set(number, act.account);
    }
    if (act.kind !== 'cancel') continue;
    for (const number of act.numbers) {
      if (owners.get(number) !== act.account) wrong += 1;
      owners.delete(number);
    }
  }
  t.equal(wrong, 0);
});

t.test('a set of quotes has bids below asks, on both outcomes', async (t) => {
  const outcomes = new Set<number>();
  for (const { orders } of of(all, 'orders')) {
    const prices = { bids: [] as number[], asks: [] as number[] };
    for (const { outcome, side, cents } of orders) {
      const isBid = (side === 'BUY') === (outcome === 0);
      (isBid ? prices.bids : prices.asks).push(outcome === 0 ? cents : 100 - cents);
      outcomes.add(outcome);
    }
    if (Math.max(...prices.bids) >= Math.min(...prices.asks)) t.fail(JSON.stringify(orders));
  }
  t.strictSame([...outcomes].sort(), [0, 1]);
});

t.test('sizes are small with a heavy tail', async (t) => {
  const budgets = of(day, 'order')
    .map(({ order }) => order.budgetMicros)
    .filter((micros) => micros > 0)
    .sort((a, b) => a - b);
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  t.ok(budgets[budgets.length >>> 1]! < 5_000_000, 'half of all are below 5');
  const top = sum(budgets.slice(Math.floor(0.99 * budgets.length))) / sum(budgets);
  t.ok(top > 0.15, `the largest hundredth is ${top} of all`);
});

t.test('news: all makers of a market come back within a second, takers rush', async (t) => {
  const clears = of(day, 'clear');
  const hot = clears.filter(({ market }) => market < 20);
  t.ok(hot.length > 0, 'a hot market had news');
  const { market, dueMs } = hot[0]!;
  const near = hot.filter((act) => act.market === market && Math.abs(act.dueMs - dueMs) < 1_000);
  t.equal(new Set(near.map(({ account }) => account)).size, 8, 'every maker of it');
  const isOf = (act: DueAct): boolean => act.kind === 'order' && act.order.market === market;
  const inSecond = (fromMs: number): number =>
    day.filter((act) => isOf(act) && act.dueMs >= fromMs && act.dueMs < fromMs + 1_000).length;
  const usual = day.filter(isOf).length / (TERMS.minutes * 60);
  const rush = Math.max(inSecond(dueMs - 1_000), inSecond(dueMs - 500), inSecond(dueMs));
  t.ok(rush > 30 && rush > 2 * usual, `${rush} in a second, ${usual} as a rule`);
});

t.test('after a market resolved nobody trades it, and its holders redeem', async (t) => {
  const negRisk = negRiskMarkets(dayEvents(TERMS));
  const resolutions = of(day, 'resolve');
  t.equal(resolutions.length, 3);
  for (const { market, dueMs } of resolutions) {
    const ended = new Set(negRisk.get(market) ?? [market]);
    const later = day.filter((act) => act.dueMs > dueMs);
    const traded = later.filter((act) => {
      if (act.kind === 'order') return ended.has(act.order.market);
      return act.kind === 'orders' && ended.has(act.orders[0]!.market);
    });
    t.strictSame(traded, []);
    const moves = of(later, 'move').filter((act) => ended.has(act.market));
    t.ok(moves.length > 0 && moves.every(({ move }) => move === 'redeem'));
  }
});

t.test('each market is in one event; neg-risk ones have several', async (t) => {
  const events = dayEvents(DAY);
  const ranks = events.flatMap(({ markets }) => markets).sort((a, b) => a - b);
  t.strictSame(
    ranks,
    ranks.map((_, rank) => rank),
  );
  t.equal(ranks.length, DAY.markets);
  const negRisk = events.filter((event) => event.negRisk);
  t.ok(negRisk.length > 20 && negRisk.every(({ markets }) => markets.length > 1));
});
