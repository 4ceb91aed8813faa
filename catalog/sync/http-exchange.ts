/**
 * One HTTP request and its whole answer. Invariant: it ends in time, either with an answer of at
 * most `bodyBytes` unpacked bytes or with a SourceError.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { SYNC_BOUNDS, type SyncPace } from './bounds.ts';
import { SourceError } from './source-error.ts';

export interface HttpOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly lookup: LookupFunction;
  readonly pace: Pick<SyncPace, 'headMs' | 'bodyMs'>;
  readonly bodyBytes: number;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Empty if the status is not 200. */
  readonly body: Buffer;
}

/** Throws SourceError `unreachable`, `slow`, `too_large` or `stopped`. */
export async function exchange(target: URL, options: HttpOptions): Promise<HttpAnswer> {
  const { pace, signal } = options;
  const ending = new AbortController();
  const end = (code: 'slow' | 'stopped', what: string) => () =>
    ending.abort(new SourceError(code, `${target.href}: ${what}`));
  const stop = end('stopped', 'asked to stop');
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const slowHead = end('slow', `no answer within ${pace.headMs} ms`);
  const slowBody = end('slow', `the answer did not end within ${pace.bodyMs} ms`);
  const timers = [setTimeout(slowHead, pace.headMs), setTimeout(slowBody, pace.bodyMs)];
  try {
    const response = await headOf(target, options, ending.signal);
    clearTimeout(timers[0]);
    const { statusCode: status = 0, headers } = response;
    if (status === 200) return { status, headers, body: await bodyOf(response, target, options) };
    // The body is not read. Without this, the source could go on sending it forever.
    response.destroy();
    return { status, headers, body: Buffer.alloc(0) };
  } catch (error) {
    throw failureOf(target, ending.signal.aborted ? ending.signal.reason : error);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

function headOf(
  target: URL,
  { headers, lookup }: HttpOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = target.protocol === 'https:' ? requestHttps : requestHttp;
    const maxHeaderSize = SYNC_BOUNDS.headBytes;
    // No keep-alive: a broken connection fails only one request.
    const request = send(target, { headers, lookup, signal, maxHeaderSize, agent: false });
    request.on('response', resolve);
    // An error after the head is also reported by the response.
    request.on('error', reject);
    request.end();
  });
}

async function bodyOf(
  response: IncomingMessage,
  target: URL,
  { bodyBytes }: HttpOptions,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of unpacked(response) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop destroys the stream and its connection.
    if (bytes > bodyBytes) {
      throw new SourceError('too_large', `${target.href}: more than ${bodyBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function unpacked(response: IncomingMessage): Readable {
  const { 'content-encoding': encoding = 'identity' } = response.headers;
  if (encoding === 'identity') return response;
  if (encoding !== 'gzip')
    throw new Error(`the answer is encoded as ${encoding}, which was not requested`);
  // The callback is empty because errors also come out of the returned stream.
  return pipeline(response, createGunzip(), () => undefined);
}

function failureOf(target: URL, error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const reason = error instanceof Error ? error.message || error.name : String(error);
  return new SourceError('unreachable', `${target.href}: ${reason}`);
}
