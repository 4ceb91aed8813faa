/**
 * A price history as the path of a small SVG: `<path d={sparkline(points, size)} />`.
 *
 * Invariant: the path stays within the size, with half of a line's width free. Without two points
 * it is empty. Bound: `CHART_BOUNDS.sparkline` points.
 */
import { CHART_BOUNDS, type PricePoint, placesToKeep } from './history-columns.ts';

export interface SparklineSize {
  readonly width: number;
  readonly height: number;
}

const MARGIN = 1;

export function sparkline(
  points: readonly PricePoint[],
  { width, height }: SparklineSize,
  most: number = CHART_BOUNDS.sparkline,
): string {
  const prices = points.map(({ p }) => p);
  const kept = placesToKeep([prices], prices.length, most).flatMap((place) => {
    const point = points[place];
    return point === undefined ? [] : [point];
  });
  const [first, last] = [kept[0], kept.at(-1)];
  if (first === undefined || last === undefined || kept.length < 2) return '';
  const lowest = kept.reduce((low, { p }) => Math.min(low, p), 1);
  const highest = kept.reduce((high, { p }) => Math.max(high, p), 0);
  const along = spread(first.t, last.t, MARGIN, width - MARGIN);
  const up = spread(lowest, highest, height - MARGIN, MARGIN);
  return `M${kept.map(({ t, p }) => `${along(t)} ${up(p)}`).join('L')}`;
}

/** Maps a range to another one, in tenths; a range of one value maps to the middle. */
function spread(from: number, to: number, start: number, end: number): (value: number) => number {
  const scale = to === from ? 0 : (end - start) / (to - from);
  const origin = to === from ? (start + end) / 2 : start;
  return (value) => Math.round((origin + (value - from) * scale) * 10) / 10;
}
