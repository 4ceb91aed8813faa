/** API keys: the headers that get one (wire 2.2) and the headers that it signs (wire 2.4). */
import { SECOND_MS } from '../../../engine/model/index.ts';
import { type Signer, SigningError } from './signer.ts';
import { authTypedData } from './typed-data.ts';

export interface Credentials {
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

export type SigningHeaders = Readonly<Record<string, string>>;

const FIRST_NONCE = '0';

function secondsOf(nowMs: number): string {
  return String(Math.floor(nowMs / SECOND_MS));
}

export interface ProofTerms {
  readonly chainId: number;
  /** Decimal: the number of the API key. */
  readonly nonce: string;
  readonly nowMs: number;
}

/** The L1 headers of a request for the API key of a nonce. */
export async function walletHeaders(
  signer: Signer,
  { chainId, nonce, nowMs }: ProofTerms,
): Promise<SigningHeaders> {
  const { address } = signer;
  const timestamp = secondsOf(nowMs);
  const data = authTypedData({ chainId, address, timestamp, nonce });
  return {
    SERVICE_ADDRESS: address,
    SERVICE_SIGNATURE: await signer.signTypedData(data),
    SERVICE_TIMESTAMP: timestamp,
    SERVICE_NONCE: nonce,
  };
}

export interface RequestTerms {
  /** Upper case. */
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Exactly the text that is sent. */
  readonly body?: string | undefined;
  readonly nowMs: number;
}

/** The bytes of base64url, whose padding browsers do not need. */
function secretBytes(secret: string): Uint8Array {
  const binary = atob(secret.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** The L2 headers of a request. */
export async function keyHeaders(
  address: string,
  { apiKey, secret, passphrase }: Credentials,
  { method, path, body = '', nowMs }: RequestTerms,
): Promise<SigningHeaders> {
  const { hmacSha256 } = await import('./cryptography.ts');
  const timestamp = secondsOf(nowMs);
  const mac = hmacSha256(secretBytes(secret), timestamp + method + path + body);
  const base64 = btoa(String.fromCharCode(...mac));
  return {
    SERVICE_ADDRESS: address,
    SERVICE_SIGNATURE: base64.replaceAll('+', '-').replaceAll('/', '_'),
    SERVICE_TIMESTAMP: timestamp,
    SERVICE_API_KEY: apiKey,
    SERVICE_PASSPHRASE: passphrase,
  };
}

/** Sends `POST /auth/api-key` with these headers. The answer is secret: it belongs in no log. */
export type RequestKey = (
  headers: SigningHeaders,
) => Promise<{ readonly status: number; readonly body: unknown }>;

function textsOf(body: unknown): Readonly<Record<string, string | undefined>> {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value === 'string'));
}

/**
 * The API key of a signer: that of nonce 0, which the exchange makes if there is none, or of the
 * first free nonce if it was revoked. Rejects with `no_api_key`.
 */
export async function fetchApiKey(
  signer: Signer,
  requestKey: RequestKey,
  { chainId, now }: { readonly chainId: number; readonly now: () => number },
): Promise<Credentials> {
  const request = async (nonce: string) =>
    requestKey(await walletHeaders(signer, { chainId, nonce, nowMs: now() }));
  let answer = await request(FIRST_NONCE);
  const { code, nextNonce } = textsOf(answer.body);
  if (code === 'nonce_revoked' && nextNonce !== undefined) answer = await request(nextNonce);
  const { apiKey, secret, passphrase, error } = textsOf(answer.body);
  if (apiKey !== undefined && secret !== undefined && passphrase !== undefined) {
    return { apiKey, secret, passphrase };
  }
  const why = error ?? `it answered with status ${answer.status}`;
  throw new SigningError('no_api_key', `The exchange gave no API key: ${why}.`);
}
