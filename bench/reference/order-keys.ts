/**
 * The API keys of the reference for orders: the L2 headers of wire 2.4, checked in the order of our
 * own route: present, known, passphrase, address, freshness, HMAC. Secrets are compared in constant
 * time.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { LoadAccount } from '../harness/exchange.ts';
import { Refusal } from './order-terms.ts';

/** How far a timestamp may lie in the past or in the future. */
const WINDOW_MS = 300_000;
/** Timestamps from this number on are in milliseconds, smaller ones in seconds. */
const FIRST_MILLISECONDS = 1e11;

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

function check(isRight: boolean, sentence: string): void {
  if (!isRight) throw new Refusal(401, sentence);
}

function isFresh(timestamp: string): boolean {
  const value = Number(timestamp);
  const timeMs = value >= FIRST_MILLISECONDS ? value : value * 1_000;
  return Number.isSafeInteger(value) && Math.abs(Date.now() - timeMs) <= WINDOW_MS;
}

export class Keys {
  readonly #keys: ReadonlyMap<string, Key>;

  constructor(accounts: readonly LoadAccount[]) {
    const keys = accounts.map(({ apiKey, address, secret, passphrase }) => ({
      apiKey,
      address: address.toLowerCase(),
      secret: Buffer.from(secret, 'base64url'),
      passphrase: Buffer.from(passphrase),
    }));
    this.#keys = new Map(keys.map((key) => [key.apiKey, key]));
  }

  /** The key of a request's sender. Throws `Refusal` 401. `head`: the method and the path. */
  authenticate(headers: IncomingHttpHeaders, head: string, body: Buffer): Key {
    const address = header(headers, 'poly_address');
    const apiKey = header(headers, 'poly_api_key');
    const passphrase = Buffer.from(header(headers, 'poly_passphrase'));
    const timestamp = header(headers, 'poly_timestamp');
    const signature = Buffer.from(header(headers, 'poly_signature'), 'base64url');
    const key = this.#keys.get(apiKey);
    if (key === undefined) throw new Refusal(401, 'The API key is unknown');
    check(isSame(key.passphrase, passphrase), 'POLY_PASSPHRASE is wrong');
    check(address.toLowerCase() === key.address, "POLY_ADDRESS is not the key's address");
    check(isFresh(timestamp), `POLY_TIMESTAMP ${timestamp} is not within 300 seconds of now`);
    const mac = createHmac('sha256', key.secret)
      .update(timestamp + head)
      .update(body);
    check(isSame(mac.digest(), signature), 'POLY_SIGNATURE is not the HMAC of this request');
    return key;
  }
}
