/** The delay of orders that would trade at once, as fields of a market. */
import type { TakerDelay } from '../../engine/index.ts';

export function formatDelay({ delaySeconds, takerDelayMs }: TakerDelay) {
  return {
    seconds_delay: delaySeconds,
    // Whether there is a delay.
    itode: delaySeconds > 0 || takerDelayMs > 0,
    taker_order_delay_ms: takerDelayMs,
  };
}
