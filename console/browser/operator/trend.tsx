/** The course of a figure over the last scrapes, as a small line from 0 up to its highest value. */

const WIDTH = 120;
const HEIGHT = 24;

interface TrendProps {
  /** Oldest first; undefined where it was not known. */
  readonly values: readonly (number | undefined)[];
}

export function Trend({ values }: TrendProps) {
  const known = values.map((value) => value ?? 0);
  const highest = Math.max(...known, 0);
  const step = WIDTH / Math.max(known.length - 1, 1);
  const points = known.map((value, index) => {
    const up = highest === 0 ? 0 : value / highest;
    return `${(index * step).toFixed(1)},${(HEIGHT - 1 - up * (HEIGHT - 2)).toFixed(1)}`;
  });
  return (
    <svg class="trend" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
      <polyline points={points.join(' ')} vector-effect="non-scaling-stroke" />
    </svg>
  );
}
