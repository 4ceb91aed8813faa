/**
 * The EIP-712 domains that orders may be signed for: the public ones, or a list in the settings.
 *
 * Invariant: contracts are lower case; no two domains of a list are the same.
 * Bound: MAX_DOMAINS entries. A search tries a signature under every entry of its struct, at some
 * 45 us each; search-budget.ts bounds the number of searches.
 */
import { parseAddress } from './address.ts';
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

const MAX_TEXT_LENGTH = 128;

type ContractPair = readonly [plain: string, negRisk: string];

/** Exchange contracts of the public clients (wire 3.2). */
const CONTRACTS = {
  kuestPython: [
    '0xaCd95F4F42322c7bE215C170362EEc57Ef4E78c2',
    '0x961d3230B3BBdb2592D20fa34dBD12Fa19240603',
  ],
  kuestSite: [
    '0xaa1b8dE834E16eC69C044F5300041673C968c9eF',
    '0xe7FA09cA716FDf498d74AFF618d32AFeacc310aB',
  ],
  kuestTypeScript: [
    '0x4bB1871fdaE80331ce5fF87547b8ff886D1695a5',
    '0xdb1E374a05130d7DE3F16677066553F225D2eE53',
  ],
  kuestRustLegacy: [
    '0xE79717fE8456C620cFde6156b6AeAd79C4875Ca2',
    '0xccBe425A0Aa24DCEf81f2e6edE3568a1683e7cbe',
  ],
  polymarket1: [
    '0x4bFb41d5B3570DeFd03C39a9A4D8dE6Bd8B8982E',
    '0xC5d563A36AE78145C45a50134d48A1215220f80a',
  ],
  polymarket1Amoy: [
    '0xdFE02Eb6733538f8Ea35D585af8DE5958AD99E40',
    '0xC5d563A36AE78145C45a50134d48A1215220f80a',
  ],
  polymarket2: [
    '0xE111180000d2663C0091e4f400237545B87B996B',
    '0xe2222d279d744050d28e00520010520000310F59',
  ],
} as const satisfies Record<string, ContractPair>;

const POLYGON = 137;
const AMOY = 80_002;
const PUBLIC_CHAINS = [POLYGON, AMOY] as const;

type DomainFamily = Pick<SigningDomain, 'name' | 'version' | 'struct'>;

function pairOn(family: DomainFamily, chainId: number, pair: ContractPair): SigningDomain[] {
  return pair.map((contract, index) => ({
    name: family.name,
    version: family.version,
    chainId,
    contract: contract.toLowerCase(),
    negRisk: index === 1,
    struct: family.struct,
  }));
}

/** A family whose contracts are the same on both public chains. */
function onBothChains(family: DomainFamily, pair: ContractPair): SigningDomain[] {
  return PUBLIC_CHAINS.flatMap((chainId) => pairOn(family, chainId, pair));
}

const KUEST_2 = { name: 'CTF Exchange', version: '2', struct: 'order11' } as const;
const KUEST_1 = { name: 'CTF Exchange', version: '1', struct: 'order12' } as const;
const KUEST_GO_1 = { name: 'Kuest CTF Exchange', version: '1', struct: 'order12' } as const;
const POLYMARKET_1 = { name: 'Polymarket CTF Exchange', version: '1', struct: 'order12' } as const;
const POLYMARKET_2 = { name: 'Polymarket CTF Exchange', version: '2', struct: 'order11' } as const;
/** One contract for plain and neg-risk markets. */
const POLYMARKET_3 = {
  name: 'Polymarket CTF Exchange',
  version: '3',
  negRisk: null,
  struct: 'order11',
} as const;

/** Every row of wire 3.2 on the chains 137 and 80002. */
export const DEFAULT_DOMAINS: readonly SigningDomain[] = [
  ...onBothChains(KUEST_2, CONTRACTS.kuestPython),
  ...onBothChains(KUEST_2, CONTRACTS.kuestSite),
  ...onBothChains(KUEST_2, CONTRACTS.kuestTypeScript),
  ...onBothChains(POLYMARKET_2, CONTRACTS.polymarket2),
  { ...POLYMARKET_3, chainId: POLYGON, contract: '0xe3333700ca9d93003f00f0f71f8515005f6c00aa' },
  { ...POLYMARKET_3, chainId: AMOY, contract: '0x9fe6e61422adb6f610d8597f9684b16912d50c3d' },
  ...onBothChains(KUEST_1, CONTRACTS.kuestPython),
  ...onBothChains(KUEST_GO_1, CONTRACTS.kuestRustLegacy),
  ...pairOn(POLYMARKET_1, POLYGON, CONTRACTS.polymarket1),
  ...pairOn(POLYMARKET_1, AMOY, CONTRACTS.polymarket1Amoy),
];

const FIELDS = ['name', 'version', 'chainId', 'contract', 'negRisk', 'struct'] as const;
type DomainField = (typeof FIELDS)[number];

/** The rule of each field in words, and a function that returns the valid value or undefined. */
const FIELD_RULES: {
  readonly [Field in DomainField]: {
    readonly must: string;
    readonly read: (value: unknown) => SigningDomain[Field] | undefined;
  };
} = {
  name: { must: `a text of 1 to ${MAX_TEXT_LENGTH} characters`, read: (value) => readText(value) },
  version: {
    must: `a text of 1 to ${MAX_TEXT_LENGTH} characters`,
    read: (value) => readText(value),
  },
  chainId: {
    must: 'a whole number from 1',
    read: (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined,
  },
  contract: {
    must: 'an address: 0x and 40 hex digits, all lower case or with a correct EIP-55 checksum',
    read: (value) => {
      const parsed = typeof value === 'string' ? parseAddress(value) : undefined;
      return parsed?.ok === true ? parsed.address : undefined;
    },
  },
  negRisk: {
    must: 'true, false or null (both kinds of market)',
    read: (value) => (value === null || typeof value === 'boolean' ? value : undefined),
  },
  struct: {
    must: '"order11" or "order12"',
    read: (value) => (value === 'order11' || value === 'order12' ? value : undefined),
  },
};

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_TEXT_LENGTH
    ? value
    : undefined;
}

function readField<Field extends DomainField>(
  record: Readonly<Record<string, unknown>>,
  field: Field,
  place: string,
): SigningDomain[Field] {
  const value = FIELD_RULES[field].read(record[field]);
  if (value !== undefined) return value;
  throw new Error(
    `${place}.${field} is ${JSON.stringify(record[field])}; it must be ${FIELD_RULES[field].must}`,
  );
}

function parseDomain(entry: unknown, place: string): SigningDomain {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw new Error(`${place} is ${JSON.stringify(entry)}; it must be an object`);
  }
  const record: Readonly<Record<string, unknown>> = { negRisk: null, ...entry };
  const unknown = Object.keys(record).find((key) => !FIELDS.some((field) => field === key));
  if (unknown !== undefined) {
    const actual = JSON.stringify(record[unknown]);
    throw new Error(`${place}.${unknown} is ${actual}; the fields are ${FIELDS.join(', ')}`);
  }
  return {
    name: readField(record, 'name', place),
    version: readField(record, 'version', place),
    chainId: readField(record, 'chainId', place),
    contract: readField(record, 'contract', place),
    negRisk: readField(record, 'negRisk', place),
    struct: readField(record, 'struct', place),
  };
}

/**
 * Parses the list of domains of `--domains`: an array of {name, version, chainId, contract, negRisk
 * (null by default), struct}. Throws an Error that names the index, field and value.
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
