/**
 * Sends one message to a collector by OTLP/HTTP, and says what became of it.
 *
 * Invariant: it ends within the time of its signal and reads at most `answerBytes` of the answer.
 * Redirects are not followed, so that the headers go to the collector alone.
 */
import { SECOND_MS } from '../../engine/model/index.ts';
import type { CollectorHeaders } from '../settings/collector-headers.ts';
import { TRACING_BOUNDS } from './bounds.ts';

export type SendOutcome =
  /** Taken, except for a number of spans that the collector refused. */
  | { readonly kind: 'taken'; readonly rejectedSpans: number }
  | { readonly kind: 'refused'; readonly reason: string }
  /** To be sent again, after the time that the collector asks for, if it does. */
  | { readonly kind: 'again'; readonly reason: string; readonly afterMs?: number };

export interface Message {
  readonly endpoint: string;
  readonly headers: CollectorHeaders;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes */
const RETRYABLE: readonly number[] = [429, 502, 503, 504];

export async function sendMessage({
  endpoint,
  headers,
  body,
  signal,
}: Message): Promise<SendOutcome> {
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      signal,
      redirect: 'manual',
    });
    const text = await textOf(response);
    if (response.ok) return { kind: 'taken', rejectedSpans: rejectedIn(text) };
    const reason = `status ${response.status}`;
    if (!RETRYABLE.includes(response.status)) return { kind: 'refused', reason };
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return seconds > 0
      ? { kind: 'again', reason, afterMs: seconds * SECOND_MS }
      : { kind: 'again', reason };
  } catch (error) {
    return { kind: 'again', reason: reasonOf(error) };
  }
}

/** The text of the answer; '' for one that is too long. */
async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop ends the connection.
    if (bytes > TRACING_BOUNDS.answerBytes) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The number of spans that the collector refused; 0 if its answer does not say so. */
function rejectedIn(text: string): number {
  if (!text.includes('rejectedSpans')) return 0;
  try {
    const rejected = Number(JSON.parse(text).partialSuccess?.rejectedSpans);
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
  } catch {
    // The message was taken; what is wrong with this answer is the collector's own affair.
    return 0;
  }
}

/** `fetch` names the cause of a failure only in the error's cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error
    ? cause.message || String(Reflect.get(cause, 'code'))
    : error.message;
}
