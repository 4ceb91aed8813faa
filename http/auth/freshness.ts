/**
 * What an error says of a timestamp outside the window: the value, both clocks and the window, so
 * that a client with a wrong clock sees it at once.
 */
import type { ErrorDetails } from '../errors/index.ts';

export function staleDetails(actual: string, serverTimeMs: number, windowMs: number): ErrorDetails {
  return {
    limit: `${windowMs / 1000} seconds around the server's time`,
    actual,
    serverTimeMs,
    windowMs,
  };
}
