import { nextTurn } from '../../http/runtime/log.ts';
import type { Services } from '../../http/services/index.ts';

type Parts = Pick<Services, 'clock' | 'exchange'>;

/** What a move has made due. */
export interface MovedTime {
  /** Orders that expired. */
  readonly expired: number;
  /** Orders whose delay ended. */
  readonly released: number;
}

/**
 * The exchange's time. The journal may be ahead of the clock for a moment, after a small step of
 * the wall clock; commands then get the journal's time.
 */
export function timeNow({ clock, exchange }: Parts): number {
  return Math.max(clock.now(), exchange.appliedMs);
}

/**
 * Moves the time forward from `timeNow`, and applies what is due then. Resolves when that is
 * durable, and the offset too. If it throws StoreError `stopping` or `overloaded`, nothing has
 * changed.
 */
export async function moveTime({ clock, exchange }: Parts, byMs: number): Promise<MovedTime> {
  const leadMs = Math.max(0, exchange.appliedMs - clock.now());
  const offsetMs = clock.offsetMs + byMs + leadMs;
  const kept = exchange.keepClockOffset(offsetMs);
  clock.setOffset(offsetMs);
  const reason = `the clock was moved by ${byMs} ms`;
  const applied = exchange.submit({ kind: 'advance_time' }, { by: 'sandbox', reason });
  await kept;
  let [expired, released] = [0, 0];
  const last = await applied;
  // Hundreds of thousands of orders may have expired.
  for (const { events } of last.steps ?? [last]) {
    await nextTurn();
    for (const event of events) {
      if (event.kind === 'order_closed' && event.reason === 'expired') expired += 1;
      else if (event.kind === 'order_released') released += 1;
    }
  }
  return { expired, released };
}
