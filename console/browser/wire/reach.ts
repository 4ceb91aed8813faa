/** Whether the exchange answers, as the newest request of the page saw it. */
import { type ReadonlySignal, signal } from '@preact/signals';

export type Reach = 'ready' | 'starting' | 'unreachable';

const seen = signal<Reach>('ready');

export const reach: ReadonlySignal<Reach> = seen;

export function noteReach(next: Reach): void {
  seen.value = next;
}

/** Asks whether the exchange answers now. It is not logged: a page asks again and again. */
export async function probe(): Promise<void> {
  try {
    const { ok } = await fetch('facts.json', { credentials: 'omit', cache: 'no-store' });
    noteReach(ok ? 'ready' : 'starting');
  } catch {
    noteReach('unreachable');
  }
}
