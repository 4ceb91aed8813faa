/**
 * The details of a timestamp outside the window: its value, the server's clock and the window, so
 * that the user of a wrong clock sees the cause.
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
