import { effect, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { MarketView } from '../streams/market-feed.ts';

const DRAW_EVERY_MS = 500;

/** What a part of the page reads of markets, read again at most twice a second. */
export function useWhileBookChanges<Value>(
  views: readonly (MarketView | undefined)[],
  read: () => Value,
  inputs: readonly unknown[],
): Value {
  const shown = useMemo(() => signal(read()), []);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      timer = undefined;
      shown.value = read();
    };
    draw();
    const stop = effect(() => {
      for (const view of views) void view?.changes.value;
      timer ??= setTimeout(draw, DRAW_EVERY_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [...views, ...inputs]);
  return shown.value;
}
