/** What the exchange says of itself, and the session that begins with it. */
import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import { type ExchangeFacts, reach, send } from '../wire/index.ts';
import { openSession } from './open-session.ts';

const known = signal<ExchangeFacts | undefined>(undefined);

/** Undefined until the exchange answered. */
export const facts: ReadonlySignal<ExchangeFacts | undefined> = known;

/** The facts that do not change while an exchange runs. */
function lasting({ timeMs: _, ...others }: ExchangeFacts): string {
  return JSON.stringify(others);
}

/** Asks for the facts. An exchange with others than before is another one: the session ends. */
export async function loadFacts(): Promise<ExchangeFacts> {
  const next = await send({ method: 'GET', path: '/ui/facts.json' });
  const before = known.peek();
  if (before === undefined || lasting(before) !== lasting(next)) openSession(next);
  known.value = next;
  return next;
}

/** Called once by a page: it asks for the facts, and again when the exchange was gone. */
export function startIdentity(): void {
  effect(() => {
    if (reach.value !== 'ready') return;
    // A failure is shown where somebody signs in, with a button to try again.
    untracked(() => loadFacts().catch(() => {}));
  });
}
