/**
 * The EIP-712 domains that orders may be signed for: the public ones (default-domains.json), or a
 * list in the settings (`--domains`) of the same form.
 *
 * Invariant: contracts are lower case; no two domains of a list are the same.
 * Bound: MAX_DOMAINS entries. A search tries a signature under every entry of its struct, at some
 * 45 us each; search-budget.ts bounds the number of searches.
 */
import defaultDomains from './default-domains.json' with { type: 'json' };
import type { OrderStruct } from './order-struct.ts';
import { ADDRESS_RULE, oneOf, parseRows, type RowList } from './row-list.ts';

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

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_TEXT_LENGTH;
}

const TEXT = [`a text of 1 to ${MAX_TEXT_LENGTH} characters`, isText] as const;

const DOMAIN_LIST: RowList<SigningDomain> = {
  place: 'domains',
  noun: 'signing domains',
  most: MAX_DOMAINS,
  rules: {
    name: TEXT,
    version: TEXT,
    chainId: ['a whole number from 1', (value) => Number.isSafeInteger(value) && Number(value) > 0],
    contract: ADDRESS_RULE,
    negRisk: [
      'true, false or null (both kinds of market)',
      (value) => value === null || typeof value === 'boolean',
    ],
    struct: oneOf('order11', 'order12'),
  },
  defaults: { negRisk: null },
};

/**
 * Parses a list of domains: an array of {name, version, chainId, contract, negRisk (null by
 * default), struct}. Throws an Error that names the index, field and value.
 */
export function parseDomains(json: unknown): SigningDomain[] {
  const domains = parseRows(json, DOMAIN_LIST).map(
    ({ name, version, chainId, contract, negRisk, struct }) => ({
      ...{ name, version, chainId, contract: contract.toLowerCase(), negRisk, struct },
    }),
  );
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
