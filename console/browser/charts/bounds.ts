/** The most points that a drawing gets: more than a screen has columns adds nothing but work. */
export const CHART_BOUNDS = {
  /** Times of a price chart. */
  prices: 2_000,
  /** Levels of each side of a depth chart. */
  levels: 500,
  /** Points of a sparkline. */
  sparkline: 60,
} as const;
