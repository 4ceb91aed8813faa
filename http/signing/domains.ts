/**
 * The EIP-712 domains that orders may be signed for: the public ones (default-domains.json), or a
 * list in the settings (`--domains`) of the same form.
 *
 * Invariant: contracts are lower case; no two domains of a list are the same.
 * Bound: MAX_DOMAINS entries. A search tries a signature under every entry of its struct, at some
 * 45 us each; search-budget.ts bounds the number of searches.
 */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { parseAddress } from './address.ts';
import defaultDomains from './default-domains.json' with { type: 'json' };
import type { OrderStruct } from './order-hash.ts';

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

/** The most domains a list may have. */
export const MAX_DOMAINS = 64;

const TEXT = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'a text of 1 to 128 characters',
});

const DomainFields = Type.Object({
  name: TEXT,
  version: TEXT,
  chainId: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'a whole number from 1',
  }),
  contract: Type.String({
    description:
      'an address: 0x and 40 hex digits, all lower case or with a correct EIP-55 checksum',
  }),
  negRisk: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'true, false or null (both kinds of market)',
  }),
  struct: Type.Union([Type.Literal('order11'), Type.Literal('order12')], {
    description: '"order11" or "order12"',
  }),
});

function parseDomain(entry: unknown, place: string): SigningDomain {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw new Error(`${place} is ${JSON.stringify(entry)}; it must be an object`);
  }
  const record: Readonly<Record<string, unknown>> = { negRisk: null, ...entry };
  const fields = Object.entries(DomainFields.properties);
  const unknown = Object.keys(record).find((key) => !Object.hasOwn(DomainFields.properties, key));
  if (unknown !== undefined) {
    const names = fields.map(([name]) => name).join(', ');
    const actual = JSON.stringify(record[unknown]);
    throw new Error(`${place}.${unknown} is ${actual}; the fields are ${names}`);
  }
  const address = parseAddress(String(record.contract));
  for (const [field, schema] of fields) {
    if (Value.Check(schema, record[field]) && (field !== 'contract' || address.ok)) continue;
    const must = 'description' in schema ? schema.description : 'valid';
    throw new Error(`${place}.${field} is ${JSON.stringify(record[field])}; it must be ${must}`);
  }
  // Safe: each field has passed its schema.
  const { name, version, chainId, contract, negRisk, struct } = record as Static<
    typeof DomainFields
  >;
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
    throw new Error(`${json.length} signing domains; there must be 1 to ${MAX_DOMAINS}`);
  }
  const domains = json.map((entry, index) => parseDomain(entry, `domains[${index}]`));
  const seen = new Map<string, number>();
  for (const [index, { name, version, chainId, contract, struct }] of domains.entries()) {
    const key = JSON.stringify([name, version, chainId, contract, struct]);
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      throw new Error(
        `domains[${index}] has the name, version, chainId, contract and struct of ` +
          `domains[${earlier}]: ${key}; a contract for both kinds of market has negRisk null`,
      );
    }
    seen.set(key, index);
  }
  return domains;
}

/** Every row of wire 3.2 on the chains 137 (Polygon) and 80002 (Amoy). */
export const DEFAULT_DOMAINS: readonly SigningDomain[] = parseDomains(defaultDomains);
