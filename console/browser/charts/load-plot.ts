/** uPlot as a part of its own, which a page loads when it first draws a chart. */
import type uPlot from 'uplot';

/** The class that draws. A second call answers with the same. */
export async function loadPlot(): Promise<typeof uPlot> {
  return (await import('uplot')).default;
}
