/** What the page's HTTP client does with answers: whom it believes gone, what it sends again. */
import t, { type Test } from 'tap';
import {
  type AnyRequest,
  reach,
  requestLog,
  sendAny,
  setAuthorizer,
} from '../../../../console/browser/wire/index.ts';

interface Answered {
  readonly status: number;
  readonly body: { readonly code?: string; readonly isDone?: boolean; readonly error?: string };
}

/** Answers requests one after the other, with a rejection where there is no answer. */
function answerWith(t: Pick<Test, 'intercept'>, answers: readonly (Answered | undefined)[]) {
  const asked: { key: string | null; body: string }[] = [];
  t.intercept(globalThis, 'fetch', {
    value: async (_: string, { headers, body = '' }: RequestInit) => {
      const answer = answers[asked.length];
      // Safe: the client sends texts.
      asked.push({ key: new Headers(headers).get('SERVICE_API_KEY'), body: body as string });
      if (answer === undefined) throw new TypeError('fetch failed');
      return Response.json(answer.body, { status: answer.status });
    },
  });
  return asked;
}

/** An account whose API keys are numbered; each that is refused is followed by the next one. */
function signIn(mayRenew = true) {
  let key = 1;
  setAuthorizer(
    async () => ({ SERVICE_API_KEY: `key-${key}`, SERVICE_PASSPHRASE: 'secret' }),
    (code, headers) => {
      if (code !== 'unknown_api_key' || !mayRenew) return false;
      if (headers.SERVICE_API_KEY === `key-${key}`) key += 1;
      return true;
    },
  );
}

const LOST = { status: 401, body: { error: 'Unauthorized', code: 'unknown_api_key' } };
const REFUSED = { status: 401, body: { error: 'Unauthorized', code: 'signature_wrong' } };
const DONE = { status: 200, body: { isDone: true } };
const READ: AnyRequest = { method: 'GET', path: '/balance-allowance', auth: 'l2' };
const ORDER: AnyRequest = { ...READ, method: 'POST', path: '/order', body: { owner: 'key-1' } };

const ROWS: readonly {
  readonly name: string;
  readonly request: AnyRequest;
  readonly answers: readonly Answered[];
  readonly keys: readonly string[];
}[] = [
  { name: 'a lost key', request: READ, answers: [LOST, DONE], keys: ['key-1', 'key-2'] },
  { name: 'the next one lost too', request: READ, answers: [LOST, LOST], keys: ['key-1', 'key-2'] },
  { name: 'a key in the body', request: ORDER, answers: [LOST], keys: ['key-1'] },
  { name: 'another fault', request: READ, answers: [REFUSED], keys: ['key-1'] },
];

for (const { name, request, answers, keys } of ROWS) {
  t.test(`a request that is refused is sent again only if that helps: ${name}`, async (t) => {
    signIn();
    const asked = answerWith(t, answers);
    const last = answers.at(-1);
    if (last === DONE) t.strictSame(await sendAny(request), DONE.body);
    else await t.rejects(sendAny(request), { status: 401, code: last?.body.code });
    t.strictSame(
      asked.map(({ key }) => key),
      keys,
    );
    const [logged] = requestLog.value;
    t.strictSame(logged?.headers.SERVICE_PASSPHRASE, '(secret)');
  });
}

t.test('an account that cannot get another key is told so at once', async (t) => {
  signIn(false);
  const asked = answerWith(t, [LOST, DONE]);
  await t.rejects(sendAny(READ), { code: 'unknown_api_key' });
  t.equal(asked.length, 1);
});

t.test('the page knows whether the exchange answers', async (t) => {
  const request: AnyRequest = { method: 'GET', path: '/book' };
  const starting = { status: 425, body: { error: 'not ready', code: 'service_not_ready' } };
  const missing = { status: 404, body: { error: 'no', code: 'book_not_found' } };
  answerWith(t, [undefined, starting, missing, undefined, DONE]);
  const seen: string[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    await sendAny(request).catch(() => {});
    seen.push(reach.value);
  }
  t.strictSame(seen, ['unreachable', 'starting', 'ready', 'unreachable', 'ready']);
});

t.test('a request that the page gives up says nothing of the exchange', async (t) => {
  const controller = new AbortController();
  controller.abort();
  answerWith(t, [undefined]);
  await t.rejects(sendAny({ method: 'GET', path: '/book', signal: controller.signal }));
  t.equal(reach.value, 'ready');
});

t.test('a request whose log was emptied meanwhile does not come back to it', async (t) => {
  t.intercept(globalThis, 'fetch', {
    value: async () => {
      requestLog.value = [];
      return Response.json({ isDone: true });
    },
  });
  await sendAny({ method: 'GET', path: '/time' });
  t.strictSame(requestLog.value, []);
});
