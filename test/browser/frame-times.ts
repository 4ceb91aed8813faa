/** How smoothly a page runs. */
import type { Page } from 'playwright-core';

/**
 * The times between the frames that the page draws while `run` runs, in milliseconds, in their
 * order. An undisturbed page draws 60 frames a second; a longer time is one in which it neither
 * draws nor reacts.
 */
export async function measureFrames(
  page: Page,
  run: () => Promise<unknown>,
): Promise<readonly number[]> {
  await page.evaluate(`{
    const starts = [];
    const note = () => {
      // The time that the callback is given may be one at which the page was still busy.
      starts.push(performance.now());
      last = requestAnimationFrame(note);
    };
    let last = requestAnimationFrame(note);
    globalThis.endFrames = () => {
      cancelAnimationFrame(last);
      return starts;
    };
  }`);
  await run();
  const starts = await page.evaluate<number[]>('endFrames()');
  return starts.slice(1).map((startMs, place) => startMs - (starts[place] ?? startMs));
}
