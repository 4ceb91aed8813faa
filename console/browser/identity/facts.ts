/** What the exchange says of itself, and the session of the page, which signs what `send` sends. */

import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { RequestKey, SigningHeaders } from '../signing/api-key.ts';
import { randomHex } from '../signing/random.ts';
import { ExchangeError, type ExchangeFacts, reach, send, setAuthorizer } from '../wire/index.ts';
import { forgetGuest, guest, keepGuest } from './guest.ts';
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

export const session = new Session();

/** Not by `send`, which would log the answer with the secret. The page is at `ui/`. */
async function post(path: string, headers: SigningHeaders, body?: string) {
  const content = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(`../${path}`, {
    ...{ method: 'POST', credentials: 'omit', cache: 'no-store' },
    headers: { ...headers, ...content },
    ...(body === undefined ? {} : { body }),
  }).catch(() => {
    const error = 'The exchange does not answer. Is it running?';
    throw new ExchangeError(0, { error, code: 'no_answer' }, '');
  });
  // A proxy may answer with a page. Its status then says what is wrong.
  const answer: unknown = await response.json().catch(() => undefined);
  return { status: response.status, body: answer };
}

const requestKey: RequestKey = (headers) => post('auth/api-key', headers);

/**
 * Becomes a guest of this name, with a key that this browser made before or makes now. Accepts an
 * invitation first, unless it is ''. Rejects with the refusal of the exchange. Gives the failure if
 * only the name was refused: the account is there all the same, under a made-up name.
 */
export async function joinAs(name: string, invitation: string): Promise<unknown> {
  const before = guest.peek();
  const next = { privateKey: before?.privateKey ?? `0x${randomHex(32)}`, name };
  keepGuest(next);
  if (invitation !== '') {
    const headers = await session.proofOf(next);
    const { status, body } = await post(
      'invitations/accept',
      headers,
      JSON.stringify({ invitation }),
    );
    if (status !== 200) {
      if (before === undefined) forgetGuest();
      else keepGuest(before);
      throw new ExchangeError(status, body, '');
    }
  }
  await session.useGuest(next);
  try {
    await send({ method: 'PUT', path: '/profile', auth: 'l2', body: { name } });
    return undefined;
  } catch (failure) {
    return failure;
  }
}

/** Called once, with the answer of GET /ui/facts.json. Signing in works from then on. */
export function openSession(facts: SessionFacts): void {
  session.start({ facts, requestKey, now: Date.now });
  setAuthorizer(
    ({ method, path }, body) => session.authorize(method, path, body),
    (code, headers) => session.noteRefusal(code, headers),
  );
  const known = guest.peek();
  // It fails only if somebody chose another account meanwhile.
  if (known !== undefined && facts.sandbox) session.useGuest(known).catch(() => {});
}
