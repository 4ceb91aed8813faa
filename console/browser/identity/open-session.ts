/** Connects the session with the exchange: it signs what `send` sends. */

import type { RequestKey } from '../signing/index.ts';
import { ExchangeError, setAuthorizer } from '../wire/index.ts';
import { Session, type SessionFacts } from './session.ts';

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
