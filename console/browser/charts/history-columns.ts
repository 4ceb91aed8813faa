/**
 * Price histories as the columns that uPlot draws: times, then the prices of each line.
 *
 * Invariant: times ascend, and all columns are equally long. A line keeps its price until it
 * changes; before its first price it has gaps. Bound: `CHART_BOUNDS.prices` times.
 */
import { CHART_BOUNDS } from './bounds.ts';
import { placesToKeep } from './thin.ts';

/** A point of `GET /prices-history`: `t` in seconds. */
export interface PricePoint {
  readonly t: number;
  readonly p: number;
}

export type PriceColumns = [times: number[], ...prices: (number | null)[][]];

/** Each history in the order of time, as the exchange answers it. */
export function historyColumns(
  histories: readonly (readonly PricePoint[])[],
  most: number = CHART_BOUNDS.prices,
): PriceColumns {
  const times = [...new Set(histories.flatMap((points) => points.map(({ t }) => t)))];
  times.sort((one, other) => one - other);
  const prices = histories.map((points) => pricesAt(points, times));
  const places = placesToKeep(prices, times.length, most);
  const kept = <T>(column: readonly T[]) => places.map((place) => column[place] as T);
  return [kept(times), ...prices.map(kept)];
}

/** The last price of a line at each time. */
function pricesAt(points: readonly PricePoint[], times: readonly number[]): (number | null)[] {
  let next = 0;
  let price: number | null = null;
  return times.map((time) => {
    for (let point = points[next]; point !== undefined && point.t <= time; point = points[next]) {
      price = point.p;
      next += 1;
    }
    return price;
  });
}

/**
 * The columns with the prices of now. A chart that shows the present calls it with each change: the
 * last time moves on, so that the chart does not grow until the next history.
 */
export function withLatest(
  columns: PriceColumns,
  timeS: number,
  latest: readonly (number | null)[],
  knownUntilS: number,
): PriceColumns {
  const [times] = columns;
  const isLive = (times.at(-1) ?? 0) > knownUntilS;
  const end = isLive ? times.length - 1 : times.length;
  if (timeS <= (times[end - 1] ?? Number.NEGATIVE_INFINITY)) return columns;
  const append = <T>(column: readonly T[], value: T) => [...column.slice(0, end), value];
  const [first, ...prices] = columns;
  return [
    append(first, timeS),
    ...prices.map((column, line) => append(column, latest[line] ?? column[end - 1] ?? null)),
  ];
}

/** What a chart can show of the past. */
export const PRICE_RANGES = ['1h', '6h', '1d', '1w', '1m', 'all'] as const;
export type PriceRange = (typeof PRICE_RANGES)[number];

export const RANGE_TEXTS: Readonly<Record<PriceRange, string>> = {
  '1h': '1H',
  '6h': '6H',
  '1d': '1D',
  '1w': '1W',
  '1m': '1M',
  all: 'MAX',
};

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
/** The length of each range, and the minutes from point to point: 60 to 360 points. */
const RANGES = {
  '1h': { lengthS: HOUR_S, fidelity: 1 },
  '6h': { lengthS: 6 * HOUR_S, fidelity: 1 },
  '1d': { lengthS: DAY_S, fidelity: 5 },
  '1w': { lengthS: 7 * DAY_S, fidelity: 30 },
  '1m': { lengthS: 30 * DAY_S, fidelity: 180 },
} as const;

/**
 * The query of `GET /prices-history`, without its market. It names the start, since `1m` is a
 * minute or a month, depending on the dialect of the exchange.
 */
export function historyQuery(range: PriceRange, nowMs: number): Readonly<Record<string, string>> {
  if (range === 'all') return { interval: 'max', fidelity: '720' };
  const { lengthS, fidelity } = RANGES[range];
  return { startTs: `${Math.floor(nowMs / 1000) - lengthS}`, fidelity: `${fidelity}` };
}
