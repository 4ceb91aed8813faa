/** A drawing of uPlot that fills its place and follows the theme. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { loadPlot } from '../charts/history-columns.ts';
import { localTime } from './cells.tsx';
import { Failure, Skeleton } from './loaded.tsx';
import { theme } from './page.tsx';

/** The color of a variable of colors.css. */
export type ColorOf = (name: string) => string;

export type PlotOptions = Omit<uPlot.Options, 'width' | 'height'>;

interface PlotProps {
  /** What it shows, in words. */
  readonly label: string;
  /** Called for each drawing: the colors are those of the theme. It must stay the same function. */
  readonly options: (colorOf: ColorOf, paths: typeof uPlot.paths) => PlotOptions;
  readonly data: uPlot.AlignedData;
  /** Draws over the lines. */
  readonly draw?: (plot: uPlot, colorOf: ColorOf) => void;
}

/** Steps instead of straight lines; absent only from special builds of uPlot. */
export function stepsTo(
  align: 1 | -1,
  { stepped }: typeof uPlot.paths,
): Pick<uPlot.Series, 'paths'> {
  return stepped === undefined ? {} : { paths: stepped({ align }) };
}

const DAY_S = 86_400;

const MINUTES_S = 600;

/** Times of day, or dates where the axis is long; in the browser's time zone. */
export function timeTexts(times: readonly number[]): string[] {
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const [start, end] = span > 2 * DAY_S ? [5, 10] : span < MINUTES_S ? [11, 19] : [11, 16];
  return times.map((timeS) => localTime(timeS * 1000).slice(start, end));
}

export function axisOf(colorOf: ColorOf, axis: uPlot.Axis): uPlot.Axis {
  const grid = { stroke: colorOf('--line'), width: 1 };
  return { stroke: colorOf('--muted'), grid, ticks: grid, font: '12px system-ui', ...axis };
}

export function Plot({ label, options, data, draw }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const newest = useRef({ data, draw });
  newest.current = { data, draw };
  const loading = useSignal<{ readonly failure?: unknown } | undefined>({});
  const colors = theme.value;
  useEffect(() => {
    let observer: ResizeObserver | undefined;
    let isGone = false;
    loadPlot().then(
      (Plot) => {
        const element = place.current;
        if (isGone || element === null) return;
        const style = getComputedStyle(document.documentElement);
        const colorOf: ColorOf = (name) => style.getPropertyValue(name);
        const { hooks, ...made } = options(colorOf, Plot.paths);
        const sizeOf = () => ({ width: element.clientWidth, height: element.clientHeight });
        const drawing = new Plot(
          {
            ...made,
            ...sizeOf(),
            hooks: { ...hooks, draw: [(plot) => newest.current.draw?.(plot, colorOf)] },
          },
          newest.current.data,
          element,
        );
        plot.current = drawing;
        observer = new ResizeObserver(() => drawing.setSize(sizeOf()));
        observer.observe(element);
        loading.value = undefined;
      },
      (failure) => {
        loading.value = { failure };
      },
    );
    return () => {
      isGone = true;
      observer?.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [options, colors]);
  useEffect(() => plot.current?.setData(data), [data, draw]);
  return (
    <div class="plot">
      {loading.value !== undefined &&
        ('failure' in loading.value ? <Failure failure={loading.value.failure} /> : <Skeleton />)}
      <div ref={place} role="img" aria-label={label} />
    </div>
  );
}
