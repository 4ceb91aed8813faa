/**
 * What makes a market believable, as statistics of a simulated hour, each with its public source
 * and the range that it must lie in. The test checks the ranges; `npm run bench -- crowd` shows the
 * table.
 */
import { HOUR_MS, MINUTE_MS, ONE_TICKS, SECOND_MS } from '../../../engine/model/index.ts';
import { Random } from '../../../http/codec/index.ts';
import type { LevelSide } from '../../../http/views/level-side.ts';
import { FairValues } from '../../../sandbox/crowd/fair-values.ts';
import type { CrowdMarket } from '../../../sandbox/crowd/market.ts';
import { distanceOf } from '../../../sandbox/crowd/quotes.ts';
import { openedSimulation, placesOf, type Simulation } from './simulation.ts';

interface Statistic {
  readonly what: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly source: string;
}

const SEED = 1;
const LOOK_MS = 30 * SECOND_MS;
const WINDOW_MS = 10 * SECOND_MS;
const RUNS = 4_000;
const OWN = 'docs/sandbox.md';
const HUMP = 'Bouchaud, Mezard and Potters 2002';
const SIGNS = 'Lillo, Mike and Farmer 2005';

function row(
  what: string,
  value: number,
  [least, most]: readonly [number, number],
  source: string,
): Statistic {
  return { what, value, least, most, source };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function variance(values: readonly number[]): number {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** 2));
}

function autocorrelation(values: readonly number[], lag: number): number {
  const middle = mean(values);
  const pairs = values
    .slice(lag)
    .map((value, at) => (value - middle) * ((values[at] ?? 0) - middle));
  return mean(pairs) / variance(values);
}

/** The exponent of the tail of a distribution, by its largest twentieth (Hill, 1975). */
function tailExponent(values: readonly number[]): number {
  const largest = values.toSorted((a, b) => b - a).slice(0, Math.ceil(values.length / 20));
  const least = largest.at(-1) ?? 1;
  return 1 / mean(largest.map((value) => Math.log(value / least)));
}

/**
 * Whether the best prices of markets with one hidden variable contradict each other, the likeliest
 * rung of a ladder first.
 */
export function contradicts(
  isNegRisk: boolean,
  bids: readonly number[],
  asks: readonly number[],
): boolean {
  const sum = (prices: readonly number[]): number => prices.reduce((all, price) => all + price, 0);
  if (isNegRisk) return sum(bids) > ONE_TICKS || sum(asks) < ONE_TICKS;
  return asks.some((ask, rung) => bids.slice(rung + 1).some((bid) => bid > ask));
}

function isArbitrage(markets: readonly CrowdMarket[]): boolean {
  const bids = markets.map((market) => market.best('bid') ?? 0);
  const asks = markets.map((market) => market.best('ask') ?? ONE_TICKS);
  return contradicts(markets[0]?.entry.negRisk === true, bids, asks);
}

/** Markets that depend on each other, the likeliest rung of a ladder first. */
export function groupsOf(all: readonly CrowdMarket[]): readonly (readonly CrowdMarket[])[] {
  return [...Map.groupBy(all, ({ entry }) => placesOf(entry).group)]
    .map(([, markets]) =>
      markets.toSorted((one, other) => placesOf(one.entry).rank - placesOf(other.entry).rank),
    )
    .filter((markets) => markets.length > 1);
}

/** The longest time for which an arbitrage has stood, of those that `look` sees. */
function arbitrageWatch(simulation: Simulation) {
  const groups = groupsOf(simulation.crowd.markets);
  const sinceMs = new Map<readonly CrowdMarket[], number>();
  let longestMs = 0;
  return {
    groups: groups.length,
    look: (): void => {
      for (const group of groups) {
        if (!isArbitrage(group)) sinceMs.delete(group);
        else if (!sinceMs.has(group)) sinceMs.set(group, simulation.nowMs);
        longestMs = Math.max(
          longestMs,
          simulation.nowMs - (sinceMs.get(group) ?? simulation.nowMs),
        );
      }
    },
    longestMs: () => longestMs,
  };
}

/** The sizes of a side's levels, the best first. */
function sizesOf({ levels }: LevelSide): number[] {
  const sizes: number[] = [];
  levels.forEach((_, { lots }) => {
    sizes.push(lots);
  });
  return sizes.reverse();
}

/** The book of a market, as it is on average. */
function bookWatch(market: CrowdMarket) {
  const distances: number[] = [];
  const levels: number[] = [];
  const mirrored: number[] = [];
  return {
    look: (): void => {
      const { bids, asks } = market.book;
      levels.push(bids.levels.length, asks.levels.length);
      const [bidLots = [], askLots = []] = [bids, asks].map(sizesOf);
      mirrored.push(mean(bidLots.map((size, place) => (size === askLots[place] ? 1 : 0))));
      for (const quote of market.quotes?.values() ?? []) {
        distances.push(distanceOf(quote, market.terms));
      }
    },
    levels: () => mean(levels),
    mirrored: () => mean(mirrored),
    /** Orders for each unit of distance in a range. */
    density: (from: number, to: number): number =>
      distances.filter((distance) => distance >= from && distance < to).length / (to - from),
  };
}

/** Fair values of many futures, all from one half. */
function futures(share: number): number[] {
  return Array.from({ length: RUNS }, (_, seed) => {
    const values = new FairValues([0.5], false, new Random(seed));
    values.reveal(share);
    return (values.values[0] ?? 0) - 0.5;
  });
}

/** What fair values do, without a market. */
function valueStatistics(): Statistic[] {
  const source = 'Taleb 2018';
  const hourShare = 1 / (730 * 24);
  const [hour, half] = [futures(hourShare), futures(0.5)];
  const errors = Math.abs(mean(half)) / Math.sqrt(variance(half) / half.length);
  // The variance of Phi(z) for a normal z, by the orthant probabilities of Sheppard (1899).
  const expected = (share: number): number => Math.asin(share) / (2 * Math.PI);
  const ofHalf = variance(half) / expected(0.5);
  const ofHour = variance(hour) / expected(hourShare);
  return [
    row('mean of moves, in standard errors', errors, [0, 3], source),
    row('variance in half of the time, over the expected', ofHalf, [0.9, 1.1], source),
    row('variance in an hour of two years, over the expected', ofHour, [0.9, 1.1], source),
    row(
      'move in an hour of two years, in cents',
      100 * Math.sqrt(variance(hour)),
      [0.1, 1],
      source,
    ),
  ];
}

/** An hour in which somebody watches one market. */
async function watchedHour() {
  const { crowd } = await openedSimulation(SEED, []);
  const isWide = ({ entry, nature, fair = 0 }: CrowdMarket): boolean =>
    nature.character === 'steady' && entry.tickTicks === 100 && fair > 0.35 && fair < 0.65;
  const chosen = crowd.markets.find(isWide)?.conditionId ?? '';
  const simulation = await openedSimulation(SEED, [chosen]);
  const watched = simulation.crowd.markets.find(({ conditionId }) => conditionId === chosen);
  if (watched === undefined) throw new Error('the catalog has a market with room on both sides');
  const startMs = simulation.nowMs;
  const book = bookWatch(watched);
  const arbitrage = arbitrageWatch(simulation);
  const first = simulation.crowd.markets.map(({ fair = 0 }) => fair);
  const midpoints: number[] = [];
  let lookMs = startMs;
  await simulation.run(HOUR_MS, () => {
    arbitrage.look();
    if (simulation.nowMs < lookMs) return;
    lookMs += LOOK_MS;
    book.look();
    midpoints.push(((watched.best('bid') ?? 0) + (watched.best('ask') ?? 0)) / 2);
  });
  const ofWatched = <Write extends { readonly conditionId: string }>(writes: readonly Write[]) =>
    writes.filter(({ conditionId }) => conditionId === chosen);
  const [orders, cancels] = [ofWatched(simulation.orders), ofWatched(simulation.cancels)];
  const trades = ofWatched(simulation.trades);
  return {
    simulation,
    watched,
    startMs,
    book,
    arbitrage,
    first,
    midpoints,
    orders,
    cancels,
    trades,
  };
}

type Hour = Awaited<ReturnType<typeof watchedHour>>;

function bookStatistics({ book, orders, midpoints }: Hour): Statistic[] {
  const sizes = orders.map(({ lots }) => lots);
  const whole = 100 * mean(sizes.map((size) => (size % 100 === 0 ? 1 : 0)));
  const hump = book.density(3, 9) / book.density(0, 1);
  const far = book.density(25, 35) / book.density(3, 9);
  const moves = midpoints.slice(1).map((mid, at) => Math.abs(mid - (midpoints[at] ?? mid)));
  return [
    row('levels of a side', book.levels(), [15, 45], HUMP),
    row('orders 3 to 9 units away, over those at the best price', hump, [1.2, 6], HUMP),
    row('orders 25 to 35 units away, over those 3 to 9 away', far, [0.05, 0.75], HUMP),
    row('tail exponent of order sizes', tailExponent(sizes), [1, 3], 'Maslov and Mills 2001'),
    row('sizes of whole tokens, in percent', whole, [20, 60], 'Mu, Chen, Kertesz and Zhou 2009'),
    row('levels with the size of their mirror, in percent', 100 * book.mirrored(), [0, 2], OWN),
    row('largest move of the midpoint in 30 s, in cents', Math.max(...moves) / 100, [0.4, 8], OWN),
  ];
}

function flowStatistics({ startMs, orders, cancels, trades }: Hour): Statistic[] {
  const signs = trades.map(({ buysYes }) => (buysYes ? 1 : -1));
  const sizes = trades.map(({ lots }) => Math.log(lots));
  const counts = Array.from({ length: HOUR_MS / WINDOW_MS }, () => 0);
  for (const { timeMs } of trades) {
    const at = Math.floor((timeMs - startMs) / WINDOW_MS);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  const sweeps = 100 * mean(trades.map(({ levels }) => (levels > 1 ? 1 : 0)));
  const changes = (SECOND_MS * (orders.length + cancels.length)) / HOUR_MS;
  const cancelled = cancels.length / trades.length;
  const bursts = variance(counts) / mean(counts);
  return [
    row('changes of the book in a second', changes, [1, 20], OWN),
    row('trades in a minute', trades.length / (HOUR_MS / MINUTE_MS), [8, 60], OWN),
    row('cancels for each trade', cancelled, [4, 40], 'SEC, Data Highlight 2013-01'),
    row('autocorrelation of signs, lag 1', autocorrelation(signs, 1), [0.15, 0.9], SIGNS),
    row('autocorrelation of signs, lag 5', autocorrelation(signs, 5), [0.05, 0.8], SIGNS),
    row('autocorrelation of sizes, lag 1', autocorrelation(sizes, 1), [0.1, 0.9], SIGNS),
    row('variance of trades in 10 s, over their mean', bursts, [1.3, 10], 'Hawkes 1971'),
    row('trades through several levels, in percent', sweeps, [3, 40], OWN),
  ];
}

function otherStatistics({ simulation, watched, first, arbitrage }: Hour): Statistic[] {
  const { markets } = simulation.crowd;
  const unwatched = markets.filter((market) => market !== watched);
  const quiet = unwatched.filter(({ nature }) => nature.character === 'quiet');
  const tradesIn = (some: readonly CrowdMarket[]): number => {
    const ids = new Set(some.map(({ conditionId }) => conditionId));
    return simulation.trades.filter(({ conditionId }) => ids.has(conditionId)).length / ids.size;
  };
  const moves = markets.map(({ fair = 0 }, at) => 100 * Math.abs(fair - (first[at] ?? 0)));
  const standing = arbitrage.longestMs() / SECOND_MS;
  return [
    row('largest move of a fair value in the hour, in cents', Math.max(...moves), [0.2, 5], OWN),
    row('groups of markets that depend on each other', arbitrage.groups, [9, 10], OWN),
    row('longest arbitrage within a group, in seconds', standing, [0, 5], OWN),
    row('trades of a quiet market', tradesIn(quiet), [0, 8], OWN),
    row('trades of a market that nobody watches', tradesIn(unwatched), [1, 60], OWN),
  ];
}

/** The statistics of an hour in which somebody watches one market. */
export async function crowdStatistics(): Promise<Statistic[]> {
  const hour = await watchedHour();
  const ofMarkets = [bookStatistics, flowStatistics, otherStatistics].flatMap((of) => of(hour));
  return [...ofMarkets, ...valueStatistics()];
}
