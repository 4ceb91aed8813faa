/**
 * The EIP-712 domains that orders may be signed for: the public ones (default-domains.json), or a
 * list in the settings (`--domains`) of the same form.
 *
 * Invariant: contracts are lower case; no two domains of a list are the same.
 * Bound: MAX_DOMAINS entries. A search tries a signature under every entry of its struct, at some
 * 45 us each; search-budget.ts bounds the number of searches.
 */
import { parseAddress } from './address.ts';
import defaultDomains from './default-domains.json' with { type: 'json' };
import type { OrderStruct } from './order-struct.ts';

export interface SigningDomain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  /** The verifying contract: the exchange, a lower-case address. */
  readonly contract: string;
  /** Which markets its orders are for: neg-risk ones, the others, or both (null). */
  readonly negRisk: boolean | null;
  readonly struct: OrderStruct;
}

/** Maximum number of domains in a list. */
export const MAX_DOMAINS = 64;

const MAX_TEXT_LENGTH = 128;
const TEXT = `a text of 1 to ${MAX_TEXT_LENGTH} characters`;

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_TEXT_LENGTH;
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && parseAddress(value).ok;
}

/**
 * The rule of each field, in words and as a check. Not typebox: verifier threads load this file.
 */
const RULES: Readonly<
  Record<keyof SigningDomain, readonly [must: string, check: (value: unknown) => boolean]>
> = {
  name: [TEXT, isText],
  version: [TEXT, isText],
  chainId: ['a whole number from 1', (value) => Number.isSafeInteger(value) && Number(value) > 0],
  contract: [
    'an address: 0x and 40 hex digits, all lower case or with a correct EIP-55 checksum',
    isAddress,
  ],
  negRisk: [
    'true, false or null (both kinds of market)',
    (value) => value === null || typeof value === 'boolean',
  ],
  struct: ['"order11" or "order12"', (value) => value === 'order11' || value === 'order12'],
};

function parseDomain(entry: unknown, place: string): SigningDomain {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw new Error(`${place} is ${JSON.stringify(entry)}; it must be an object`);
  }
  const record: Readonly<Record<string, unknown>> = { negRisk: null, ...entry };
  const unknown = Object.keys(record).find((key) => !Object.hasOwn(RULES, key));
  if (unknown !== undefined) {
    const actual = JSON.stringify(record[unknown]);
    const names = Object.keys(RULES).join(', ');
    throw new Error(
      `${place}.${unknown} is ${actual}, which is not a known field; the fields are ${names}`,
    );
  }
  for (const [field, [must, check]] of Object.entries(RULES)) {
    if (check(record[field])) continue;
    throw new Error(`${place}.${field} is ${JSON.stringify(record[field])}; it must be ${must}`);
  }
  // Safe: each field has passed its check.
  const { name, version, chainId, contract, negRisk, struct } = record as unknown as SigningDomain;
  return { name, version, chainId, contract: contract.toLowerCase(), negRisk, struct };
}

/**
 * Parses a list of domains: an array of {name, version, chainId, contract, negRisk (null by
 * default), struct}. Throws an Error that names the index, field and value.
 */
export function parseDomains(json: unknown): SigningDomain[] {
  if (!Array.isArray(json)) {
    throw new Error('the signing domains must be an array of objects');
  }
  if (json.length === 0 || json.length > MAX_DOMAINS) {
    throw new Error(`there are ${json.length} signing domains; there must be 1 to ${MAX_DOMAINS}`);
  }
  const domains = json.map((entry, index) => parseDomain(entry, `domains[${index}]`));
  const seen = new Map<string, number>();
  for (const [index, { name, version, chainId, contract, struct }] of domains.entries()) {
    const key = JSON.stringify([name, version, chainId, contract, struct]);
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      throw new Error(
        `domains[${index}] has the name, version, chainId, contract and struct of ` +
          `domains[${earlier}]: ${key}. Keep one of them; if its contract is for both kinds of ` +
          'market, set its negRisk to null',
      );
    }
    seen.set(key, index);
  }
  return domains;
}

/** Every row of wire 3.2 on the chains 137 (Polygon) and 80002 (Amoy). */
export const DEFAULT_DOMAINS: readonly SigningDomain[] = parseDomains(defaultDomains);
