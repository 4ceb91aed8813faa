/**
 * What charts draw: price histories, the depth of a book, sparklines; and uPlot, which is loaded
 * when a chart is first drawn.
 *
 * Invariant: pure, and floats are drawn only: amounts that a page writes come as decimal texts.
 * Bounds: bounds.ts.
 */
export { type DepthColumns, depthColumns } from './depth-columns.ts';
export {
  historyColumns,
  historyQuery,
  PRICE_RANGES,
  type PriceColumns,
  type PricePoint,
  type PriceRange,
  RANGE_TEXTS,
  withLatest,
} from './history-columns.ts';
export { loadPlot } from './load-plot.ts';
export { type SparklineSize, sparkline } from './sparkline.ts';
