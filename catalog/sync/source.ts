/**
 * A client of another catalog. It sends one request at a time, with a pause in between. It retries
 * with exponential backoff and jitter, and never sooner than the source allows.
 *
 * Invariant: every request ends with a list or a SourceError. Bounds: those of SYNC_BOUNDS and
 * SyncPace.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SYNC_BOUNDS, type SyncPace } from './bounds.ts';
import { exchange, type HttpAnswer } from './http-exchange.ts';
import { SourceError } from './source-error.ts';
import { TargetRule } from './source-target.ts';

export interface SourceOptions {
  /** From `parseBaseUrl`. */
  readonly url: URL;
  readonly userAgent: string;
  readonly pace: SyncPace;
  readonly bodyBytes?: number;
  /** Returns a random number from 0 to 1, which varies the waits. */
  readonly random?: () => number;
  readonly signal: AbortSignal;
  /** Called when a request failed and is retried after `waitMs`. */
  readonly onRetry?: (error: SourceError, waitMs: number) => void;
}

export interface SourceList {
  readonly text: Buffer;
  readonly records: readonly unknown[];
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const BUSY: ReadonlySet<number> = new Set([408, 425, 429]);
/** Servers, and proxies in front of them, that will not answer otherwise later. */
const LASTING: ReadonlySet<number> = new Set([501, 505]);
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

export class Source {
  readonly #options: SourceOptions;
  readonly #targets: TargetRule;
  #restUntilMs = 0;
  requests = 0;

  constructor(options: SourceOptions) {
    this.#options = options;
    this.#targets = new TargetRule(options.url);
  }

  /** The name under which the catalog stores the source's records. */
  get name(): string {
    return this.#options.url.href.replace(/\/+$/, '');
  }

  /** The list under a path with its query, such as `/tags?limit=100`. Throws SourceError. */
  async list(path: string): Promise<SourceList> {
    const target = new URL(this.name + path);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#fetch(target);
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        if (!error.isTransient || attempt >= SYNC_BOUNDS.tries) throw error;
        const waitMs = this.#waitAfter(error, attempt);
        this.#options.onRetry?.(error, waitMs);
        await this.#wait(waitMs);
      }
    }
  }

  /**
   * The wait before the next attempt: exponential backoff with jitter, or the source's Retry-After
   * if that is longer. Throws `error` if the source asks for more than `retryAfterMostMs`.
   */
  #waitAfter(error: SourceError, attempt: number): number {
    const { pace, random = Math.random } = this.#options;
    if (error.retryAfterMs > pace.retryAfterMostMs) throw error;
    const most = Math.min(pace.backoffMs * 2 ** (attempt - 1), pace.backoffMostMs);
    return Math.ceil(Math.max(error.retryAfterMs, most * (0.5 + random() / 2)));
  }

  async #fetch(first: URL): Promise<SourceList> {
    let target = first;
    for (let redirects = 0; ; redirects++) {
      await this.#wait(this.#restUntilMs - performance.now());
      const answer = await this.#exchange(target);
      if (!REDIRECTS.has(answer.status)) return listOf(target, answer);
      if (redirects === SYNC_BOUNDS.redirects) {
        const message = `${first.href} redirects more than ${SYNC_BOUNDS.redirects} times`;
        throw new SourceError('redirected', message);
      }
      target = this.#targets.redirect(target, answer.headers.location);
    }
  }

  async #exchange(target: URL): Promise<HttpAnswer> {
    const { userAgent, pace, signal, bodyBytes = SYNC_BOUNDS.bodyBytes } = this.#options;
    const headers = {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': userAgent,
    };
    this.requests += 1;
    try {
      const lookup = this.#targets.lookupFor(target);
      return await exchange(target, { headers, lookup, pace, bodyBytes, signal });
    } finally {
      this.#restUntilMs = performance.now() + pace.pauseMs;
    }
  }

  async #wait(ms: number): Promise<void> {
    const { signal } = this.#options;
    if (ms > 0) {
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    }
    if (signal.aborted) throw new SourceError('stopped', `${this.name}: asked to stop`);
  }
}

function listOf(target: URL, { status, headers, body }: HttpAnswer): SourceList {
  if (status !== 200) {
    const retryAfterMs = retryAfterOf(headers['retry-after'], Date.now());
    const isBusy = BUSY.has(status) || (status >= 500 && !LASTING.has(status));
    const code = isBusy ? 'busy' : 'refused';
    const wait = retryAfterMs > 0 ? `, and asks to wait ${Math.ceil(retryAfterMs / 1_000)} s` : '';
    const message = `${target.href} answers ${status}${wait}`;
    throw new SourceError(code, message, { status, retryAfterMs });
  }
  const { 'content-type': type = '' } = headers;
  if (!JSON_TYPE.test(type)) {
    // No retry: an HTML page will not become JSON.
    const shown = type.slice(0, 100);
    throw new SourceError('refused', `${target.href} answers "${shown}", not JSON`, { status });
  }
  const records = parsed(target, body);
  if (Array.isArray(records)) return { text: body, records };
  throw new SourceError('not_a_list', `${target.href} answers JSON that is not a list`);
}

function parsed(target: URL, body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new SourceError('not_json', `${target.href} answers ${body.length} bytes of broken JSON`);
  }
}

/** The wait of a Retry-After header, in seconds or as a date; 0 for none. */
export function retryAfterOf(text: string | undefined, nowMs: number): number {
  if (text === undefined) return 0;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const untilMs = Date.parse(text);
  return Number.isNaN(untilMs) ? 0 : Math.max(0, untilMs - nowMs);
}
