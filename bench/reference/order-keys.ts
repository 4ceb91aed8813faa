/**
 * The API keys of the reference for orders: the L2 headers of wire 2.4, checked in the order of our
 * own route: present, known, passphrase, address, form, freshness, HMAC. What is secret is compared
 * in constant time.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type ReferenceAccount, Refusal } from './order-terms.ts';

/** Either way. */
const WINDOW_MS = 300_000;
const FIRST_MILLISECONDS = 1e11;

export interface SignedHead {
  readonly method: string;
  readonly path: string;
}

interface Key {
  readonly apiKey: string;
  /** Lower case. */
  readonly address: string;
  readonly secret: Buffer;
  readonly passphrase: Buffer;
}

function header(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new Refusal(401, `The header ${name.toUpperCase()} is missing`);
}

function isSame(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

function checkFresh(timestamp: string, nowMs: number): void {
  const value = Number(timestamp);
  const timeMs = value >= FIRST_MILLISECONDS ? value : value * 1_000;
  if (!Number.isSafeInteger(value) || Math.abs(nowMs - timeMs) > WINDOW_MS) {
    throw new Refusal(401, `POLY_TIMESTAMP ${timestamp} is not within 300 seconds of now`);
  }
}

export class Keys {
  readonly #keys: ReadonlyMap<string, Key>;

  constructor(accounts: readonly ReferenceAccount[]) {
    this.#keys = new Map(
      accounts.map(({ apiKey, address, secret, passphrase }) => [
        apiKey,
        {
          apiKey,
          address: address.toLowerCase(),
          secret: Buffer.from(secret, 'base64url'),
          passphrase: Buffer.from(passphrase),
        },
      ]),
    );
  }

  /** Whose request this is; throws `Refusal` 401. */
  authenticate(headers: IncomingHttpHeaders, { method, path }: SignedHead, body: Buffer): Key {
    const address = header(headers, 'poly_address');
    const apiKey = header(headers, 'poly_api_key');
    const passphrase = header(headers, 'poly_passphrase');
    const timestamp = header(headers, 'poly_timestamp');
    const signature = header(headers, 'poly_signature');
    const key = this.#keys.get(apiKey);
    if (key === undefined) throw new Refusal(401, 'The API key is unknown');
    if (!isSame(key.passphrase, Buffer.from(passphrase))) {
      throw new Refusal(401, 'POLY_PASSPHRASE is wrong');
    }
    if (address.toLowerCase() !== key.address) {
      throw new Refusal(401, "POLY_ADDRESS is not the key's address");
    }
    checkFresh(timestamp, Date.now());
    const mac = createHmac('sha256', key.secret)
      .update(timestamp + method + path)
      .update(body);
    if (!isSame(mac.digest(), Buffer.from(signature, 'base64url'))) {
      throw new Refusal(401, 'POLY_SIGNATURE is not the HMAC of this request');
    }
    return key;
  }
}
