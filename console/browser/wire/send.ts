/**
 * Sends a request to the exchange and logs it.
 *
 * Invariant: values of headers that prove an identity, and secrets in answers, are replaced before
 * they reach the log.
 * Bound: the log keeps the newest `LOG_BOUNDS.requests`, each with a part of its answer.
 */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Method } from '../../../http/api/index.ts';
import type { Answer, PathOf, Proof } from './routes.ts';

/** Whether the exchange answers, as the newest request of the page saw it, and its refusals. */
export type Reach = 'ready' | 'starting' | 'unreachable';

const seen = signal<Reach>('ready');

export const reach: ReadonlySignal<Reach> = seen;

function noteReach(next: Reach): void {
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

/** What a failure's body says besides its sentence and its code. */
export type ErrorFacts = Readonly<Record<string, unknown>>;

const KEYS_OF_SENTENCE = ['error', 'code', 'errorMsg', 'success'];

export class ExchangeError extends Error {
  /** 0 where no answer came. */
  readonly status: number;
  /** Stable, such as `not_enough_balance`; `no_answer` where none came. */
  readonly code: string;
  /** What must change in the request: usually `field`, `limit` and `actual`. */
  readonly facts: ErrorFacts;
  readonly requestId: string;

  constructor(status: number, body: unknown, requestId: string) {
    const record: ErrorFacts = typeof body === 'object' && body !== null ? { ...body } : {};
    super(String(record.error ?? record.errorMsg ?? `the exchange answered with status ${status}`));
    this.status = status;
    this.code = String(record.code ?? 'unknown');
    this.facts = Object.fromEntries(
      Object.entries(record).filter(([key]) => !KEYS_OF_SENTENCE.includes(key)),
    );
    this.requestId = requestId;
  }
}

const LOG_BOUNDS = { requests: 200, answerCharacters: 100_000 } as const;

/** A request to any route. Absent `auth`: nobody's headers are sent. */
export interface AnyRequest {
  readonly method: Method;
  /** As the server writes it, such as `/markets/{condition_id}`. */
  readonly path: string;
  /** What stands for the names in the path. */
  readonly params?: Readonly<Record<string, string | number>>;
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /**
   * The proof of identity that the route wants. Requests for API keys (L1) are not sent here:
   * their answers are secret, and answers are logged.
   */
  readonly auth?: Proof;
  readonly signal?: AbortSignal;
}

/** A request to a route of this exchange. */
export interface Request<M extends Method, Path extends string, A extends Proof>
  extends AnyRequest {
  readonly method: M;
  readonly path: Path;
  readonly auth?: A;
}

export interface LoggedRequest {
  readonly id: number;
  readonly startedAt: Date;
  readonly method: Method;
  /** With its query. */
  readonly address: string;
  /** Without secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** '' for none. */
  readonly body: string;
  /** 0 while no answer came. */
  readonly status: number;
  /** The beginning of the answer. */
  readonly answer: string;
  /** Characters of the whole answer, of which `answer` has at most a bounded part. */
  readonly answerLength: number;
  /** Undefined until the answer came. */
  readonly durationMs: number | undefined;
  /** The page no longer wanted the answer. */
  readonly isCanceled: boolean;
}

/** Returns the headers that prove who asks. */
export type Authorizer = (
  request: Pick<AnyRequest, 'method' | 'path'>,
  body: string,
) => Promise<Readonly<Record<string, string>>>;

/**
 * Hears the code of each 401, with the headers that were refused. Returns whether new headers may
 * be accepted.
 */
export type RefusalObserver = (code: string, headers: Readonly<Record<string, string>>) => boolean;

const cannotRenew: RefusalObserver = () => false;

async function refuseToSign(): Promise<never> {
  throw new ExchangeError(0, { error: 'Choose an account first.', code: 'no_account' }, '');
}
let authorizer: Authorizer = refuseToSign;
let canRenew = cannotRenew;

/** From now on, `next` makes the headers of requests with `auth`, and `observer` hears of 401. */
export function setAuthorizer(next: Authorizer, observer = cannotRenew): void {
  authorizer = next;
  canRenew = observer;
}

/** The newest requests, the newest first. */
export const requestLog = signal<readonly LoggedRequest[]>([]);

let lastId = 0;

function log(entry: LoggedRequest): void {
  const others = requestLog.peek().filter(({ id }) => id !== entry.id);
  requestLog.value = [entry, ...others].slice(0, LOG_BOUNDS.requests);
}

const UNAUTHORIZED = 401;
const PUBLIC_HEADERS = ['content-type', 'SERVICE_ADDRESS', 'SERVICE_TIMESTAMP', 'SERVICE_NONCE'];

function withoutSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      PUBLIC_HEADERS.includes(name) ? value : '(secret)',
    ]),
  );
}

/** Fields of answers that the log does not keep, such as the keys of the dev accounts. */
const SECRET_FIELDS = /"(privateKey|secret|passphrase)":"[^"]*"/g;

function pathOf({ path, params = {} }: AnyRequest): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  );
}

function queryOf({ query = {} }: AnyRequest): string {
  const entries = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)]);
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
}

function parsed(text: string, contentType: string): unknown {
  return contentType.startsWith('application/json') ? JSON.parse(text) : text;
}

/** The page is at `ui/` below the root. */
const ROOT = '..';

interface Reply {
  readonly response: Response;
  /** Parsed; a text where it is not JSON. */
  readonly answer: unknown;
}

/** Sends a request once, and logs it. */
async function ask(
  request: AnyRequest,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  const { method, signal: canceled } = request;
  const address = pathOf(request) + queryOf(request);
  lastId += 1;
  const startMs = performance.now();
  const asked: LoggedRequest = {
    id: lastId,
    startedAt: new Date(),
    ...{ method, address, headers: withoutSecrets(headers), body },
    ...{ status: 0, answer: '', answerLength: 0, durationMs: undefined, isCanceled: false },
  };
  log(asked);
  const note = (status: number, text: string): void => {
    // A sign-out emptied the log meanwhile, and nothing of the account may come into it again.
    if (!requestLog.peek().some(({ id }) => id === asked.id)) return;
    const shown = text.replace(SECRET_FIELDS, '"$1":"(secret)"');
    const answer = shown.slice(0, LOG_BOUNDS.answerCharacters);
    const durationMs = performance.now() - startMs;
    const isCanceled = status === 0 && canceled?.aborted === true;
    log({ ...asked, status, answer, answerLength: shown.length, durationMs, isCanceled });
  };
  let response: Response;
  let text: string;
  try {
    response = await fetch(ROOT + address, {
      ...{ method, headers, credentials: 'omit', cache: 'no-store' },
      ...(body === '' ? {} : { body }),
      ...(canceled === undefined ? {} : { signal: canceled }),
    });
    text = await response.text();
  } catch (fault) {
    note(0, String(fault));
    if (canceled?.aborted) throw fault;
    noteReach('unreachable');
    const error = 'The exchange does not answer. Is it running?';
    throw new ExchangeError(0, { error, code: 'no_answer' }, '');
  }
  note(response.status, text);
  return { response, answer: parsed(text, response.headers.get('content-type') ?? '') };
}

/** Whether a body has the id of the API key in it, as orders do: a new key needs a new body. */
function namesKey(body: string, { SERVICE_API_KEY: key }: Readonly<Record<string, string>>) {
  return key !== undefined && body.includes(key);
}

const ATTEMPTS = 2;

/**
 * Resolves to the parsed answer; a text where the answer is not JSON. Rejects with an
 * `ExchangeError` if the exchange refuses or does not answer. A request that was refused because
 * its API key is gone is sent once more with another key: it was not carried out.
 */
export async function sendAny(request: AnyRequest): Promise<unknown> {
  const { method, auth } = request;
  const path = pathOf(request);
  const body = request.body === undefined ? '' : JSON.stringify(request.body);
  const typed = body === '' ? {} : { 'content-type': 'application/json' };
  for (let attempt = 1; ; attempt += 1) {
    const proof = auth === undefined ? {} : await authorizer({ method, path }, body);
    const { response, answer } = await ask(request, body, { ...typed, ...proof });
    if (response.ok) {
      noteReach('ready');
      return answer;
    }
    const requestId = response.headers.get('x-request-id') ?? '';
    const refusal = new ExchangeError(response.status, answer, requestId);
    noteReach(refusal.code === 'service_not_ready' ? 'starting' : 'ready');
    const isLost = refusal.status === UNAUTHORIZED && canRenew(refusal.code, proof);
    if (!isLost || attempt === ATTEMPTS || namesKey(body, proof)) throw refusal;
  }
}

/** `sendAny`, with the type of the answer that the route's definition has. */
export async function send<
  const M extends Method,
  const Path extends PathOf<M, A>,
  const A extends Proof = undefined,
>(request: Request<M, Path, A>): Promise<Answer<M, Path, A>> {
  // Safe: the route's schema documents its answer, and the tests of the API check it.
  return (await sendAny(request)) as Answer<M, Path, A>;
}
