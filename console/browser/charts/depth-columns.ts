/**
 * The depth of a book as the columns that uPlot draws: prices, then how many tokens one could sell
 * (bids) or buy (asks) until that price.
 *
 * Invariant: prices ascend. A bid's sum is of all bids at its price or higher, an ask's of all asks
 * at its price or lower; each column has gaps where the other side is. Draw bids as steps to the
 * left (`align: -1`), asks as steps to the right (`align: 1`). Bound: `CHART_BOUNDS.levels` a side;
 * of more levels the sums are exact at those that are drawn.
 */
import { LOTS_PER_TOKEN, ONE_TICKS } from '../decimal/index.ts';
import type { BookLevel } from '../streams/index.ts';
import { CHART_BOUNDS } from './bounds.ts';

export type DepthColumns = [prices: number[], bids: (number | null)[], asks: (number | null)[]];

interface DepthPoint {
  readonly price: number;
  readonly tokens: number;
}

/** The levels of each side, the best first. */
export function depthColumns(
  bids: readonly BookLevel[],
  asks: readonly BookLevel[],
  most: number = CHART_BOUNDS.levels,
): DepthColumns {
  const below = depthOf(bids, most).reverse();
  const above = depthOf(asks, most);
  const tokens = ({ tokens }: DepthPoint) => tokens;
  return [
    [...below, ...above].map(({ price }) => price),
    [...below.map(tokens), ...above.map(() => null)],
    [...below.map(() => null), ...above.map(tokens)],
  ];
}

function depthOf(levels: readonly BookLevel[], most: number): DepthPoint[] {
  let lots = 0;
  const points = levels.map((level) => {
    lots += level.lots;
    return { price: level.priceTicks / ONE_TICKS, tokens: lots / LOTS_PER_TOKEN };
  });
  // One place is for the last level.
  const step = Math.ceil(points.length / (most - 1));
  return points.filter((_, place) => place % step === 0 || place === points.length - 1);
}
