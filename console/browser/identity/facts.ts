/** What the exchange says of itself, and the session of the page, which signs what `send` sends. */

import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { RequestKey } from '../signing/api-key.ts';
import { ExchangeError, type ExchangeFacts, reach, send, setAuthorizer } from '../wire/index.ts';
import { Session, type SessionFacts } from './session.ts';

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

/** The session of this page. */
export const session = new Session();

/** Not by `send`, which would log the answer with the secret. The page is at `ui/`. */
const requestKey: RequestKey = async (headers) => {
  const request = { method: 'POST', headers, credentials: 'omit', cache: 'no-store' } as const;
  const response = await fetch('../auth/api-key', request).catch(() => {
    const error = 'The exchange does not answer. Is it running?';
    throw new ExchangeError(0, { error, code: 'no_answer' }, '');
  });
  // A proxy may answer with a page. Its status then says what is wrong.
  const body: unknown = await response.json().catch(() => undefined);
  return { status: response.status, body };
};

/** Called once, with the answer of GET /ui/facts.json. Signing in works from then on. */
export function openSession(facts: SessionFacts): void {
  session.start({ facts, requestKey, now: Date.now });
  setAuthorizer(
    ({ method, path }, body) => session.authorize(method, path, body),
    (code, headers) => session.noteRefusal(code, headers),
  );
}
