/** The delay of orders that would trade at once, as fields of a market. */
import type { TakerDelay } from '../../engine/index.ts';

export interface FormattedDelay {
  readonly seconds_delay: number;
  /** Whether there is a delay. */
  readonly itode: boolean;
  readonly taker_order_delay_ms: number;
}

export function formatDelay({ delaySeconds, takerDelayMs }: TakerDelay): FormattedDelay {
  return {
    seconds_delay: delaySeconds,
    itode: delaySeconds > 0 || takerDelayMs > 0,
    taker_order_delay_ms: takerDelayMs,
  };
}
