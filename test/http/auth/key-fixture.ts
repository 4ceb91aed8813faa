// Creates read-only and builder keys over HTTP, and signs requests with them.
import { signL2 } from '../../../http/signing/l2.ts';
import { type Answer, type TestExchange, Trader } from '../exchange-fixture.ts';

export interface ApiKey {
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

/** The same trader with another key. */
export function withKey(
  { running, clock }: Pick<TestExchange, 'running' | 'clock'>,
  { signer, prefix }: Trader,
  key: ApiKey,
): Trader {
  const trader = new Trader({ url: running.url, clock, signer, prefix });
  trader.credentials = key;
  return trader;
}

let keyRequests = 0;

/**
 * Asks for a new key. Each request is signed at a millisecond of its own, because the same request
 * would get the same key.
 */
export function requestKey(trader: Trader, path: string): Promise<Answer> {
  keyRequests += 1;
  const seconds = trader.keyHeaders('POST', path)[`${trader.prefix}_TIMESTAMP`] ?? '';
  const timestamp = `${Number(seconds) * 1_000 + (keyRequests % 1_000)}`;
  return trader.send('POST', path, { headers: trader.keyHeaders('POST', path, '', timestamp) });
}

/** A new read-only key of a trader. */
export async function makeReadonlyKey(trader: Trader): Promise<ApiKey> {
  return (await requestKey(trader, '/auth/readonly-api-key')).body;
}

/** A new builder key of a trader. */
export async function makeBuilderKey(trader: Trader): Promise<ApiKey> {
  const { text } = await requestKey(trader, '/auth/builder-api-key');
  const { key, secret, passphrase } = JSON.parse(text);
  return { apiKey: key, secret, passphrase };
}

/** The builder headers of wire 2.6. */
export function builderHeaders(
  key: ApiKey,
  {
    prefix = 'POLY',
    timestamp,
    method,
    path,
    body = '',
  }: {
    readonly body?: string;
    readonly prefix?: string;
    readonly timestamp: string;
    readonly method: string;
    readonly path: string;
  },
): Record<string, string> {
  return {
    [`${prefix}_BUILDER_API_KEY`]: key.apiKey,
    [`${prefix}_BUILDER_PASSPHRASE`]: key.passphrase,
    [`${prefix}_BUILDER_TIMESTAMP`]: timestamp,
    [`${prefix}_BUILDER_SIGNATURE`]: signL2(
      key.secret,
      { timestamp, method, path },
      Buffer.from(body),
    ),
  };
}

/** The JSON of an answer. */
export function jsonOf({ text }: Answer): unknown {
  return JSON.parse(text);
}
