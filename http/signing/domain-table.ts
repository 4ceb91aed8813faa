/**
 * The table in which a verifier looks up the domains an order may be signed for.
 *
 * Invariant: no two domains of one struct have the same separator, so a signature belongs to one
 * domain at most, and the order in which they are tried never changes a verdict.
 * Bound: HINT_ENTRIES remembered addresses for each struct and kind of market.
 */
import { remember } from '../codec/index.ts';
import { MAX_DOMAINS, type SigningDomain } from './domains.ts';
import { bytesToHex, keccak256, keccak256Text, writeHex } from './hash.ts';
import type { OrderStruct } from './order-hash.ts';
import type { SearchBudget } from './search-budget.ts';
import { WORD_BYTES as WORD } from './typed-data.ts';
import { writeUint256 } from './uint256.ts';

export interface DomainEntry {
  readonly domain: SigningDomain;
  readonly separator: Uint8Array;
}

const HINT_ENTRIES = 16_384;
/** How many domains are worth a try before a search. */
const LIKELY = 2;

const DOMAIN_TYPE_HASH = keccak256Text(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
);

/** The EIP-712 hash of a domain with exactly these four members (wire 3.2). */
export function domainSeparator(domain: SigningDomain): Uint8Array {
  const encoded = Buffer.alloc(5 * WORD);
  encoded.set(DOMAIN_TYPE_HASH, 0);
  encoded.set(keccak256Text(domain.name), WORD);
  encoded.set(keccak256Text(domain.version), 2 * WORD);
  const isWritten =
    writeUint256(String(domain.chainId), encoded, 3 * WORD) &&
    writeHex(domain.contract, encoded, 4 * WORD + 12, 20);
  if (!isWritten) throw new Error(`not a signing domain: ${JSON.stringify(domain)}`);
  return keccak256(encoded);
}

/** Whether orders signed for this domain are for this kind of market. */
export function isForMarket({ domain }: DomainEntry, negRisk: boolean): boolean {
  return domain.negRisk === null || domain.negRisk === negRisk;
}

/** The domains of one struct, in the order in which an order of one kind of market tries them. */
class DomainCandidates {
  /** Those for this kind of market, then those for the other kind; each in the list's order. */
  readonly entries: readonly DomainEntry[];
  /** How many of `entries` are for this kind of market. */
  readonly matchingCount: number;
  /** Which entries the last good orders of an address were signed for. Only saves time. */
  readonly #hints = new Map<string, readonly DomainEntry[]>();
  /** The same of anybody: most of those who come are clients of one kind. */
  #lately: readonly DomainEntry[];

  constructor(entries: readonly DomainEntry[], negRisk: boolean) {
    const matching = entries.filter((entry) => isForMarket(entry, negRisk));
    const others = entries.filter((entry) => !isForMarket(entry, negRisk));
    this.entries = [...matching, ...others];
    this.matchingCount = matching.length;
    this.#lately = matching.slice(0, LIKELY);
  }

  /** Matching entries worth trying before the others: its own last ones, else those of anybody. */
  likely(address: string): readonly DomainEntry[] {
    const own = this.#hints.get(address);
    return own === undefined ? this.#lately : latest(own, this.#lately);
  }

  /** Keeps a matching entry as the last one of an address. */
  keep(address: string, entry: DomainEntry): void {
    const own = this.#hints.get(address) ?? [];
    if (own[0] !== entry) {
      remember(this.#hints, address, latest([entry], own), HINT_ENTRIES);
    }
    if (this.#lately[0] !== entry) this.#lately = latest([entry], this.#lately);
  }
}

/** The first ones of both, each once. */
function latest(
  first: readonly DomainEntry[],
  second: readonly DomainEntry[],
): readonly DomainEntry[] {
  return [...new Set([...first, ...second])].slice(0, LIKELY);
}

interface StructDomains {
  readonly plain: DomainCandidates;
  readonly negRisk: DomainCandidates;
  readonly bySeparator: ReadonlyMap<string, DomainEntry>;
}

function structDomains(domains: readonly SigningDomain[], struct: OrderStruct): StructDomains {
  const entries = domains
    .filter((domain) => domain.struct === struct)
    .map((domain) => ({ domain, separator: domainSeparator(domain) }));
  return {
    plain: new DomainCandidates(entries, false),
    negRisk: new DomainCandidates(entries, true),
    bySeparator: new Map(entries.map((entry) => [bytesToHex(entry.separator), entry])),
  };
}

/** The configured domains with their separators, computed once. One table a thread. */
export class DomainTable {
  readonly domains: readonly SigningDomain[];
  /** Without one every signature is tried under every domain. */
  readonly searches: SearchBudget | undefined;
  readonly #structs: Readonly<Record<OrderStruct, StructDomains>>;

  constructor(domains: readonly SigningDomain[], searches?: SearchBudget) {
    if (domains.length > MAX_DOMAINS) {
      throw new Error(`${domains.length} signing domains, at most ${MAX_DOMAINS} are allowed`);
    }
    this.domains = domains;
    this.searches = searches;
    this.#structs = {
      order11: structDomains(domains, 'order11'),
      order12: structDomains(domains, 'order12'),
    };
    const distinct =
      this.#structs.order11.bySeparator.size + this.#structs.order12.bySeparator.size;
    if (distinct !== domains.length) throw new Error('two signing domains are the same');
  }

  /** The domains an order of this struct may be signed for; none when the struct is disabled. */
  candidates(struct: OrderStruct, negRisk: boolean): DomainCandidates {
    return negRisk ? this.#structs[struct].negRisk : this.#structs[struct].plain;
  }

  /** The domain with this separator (0x and 64 lower-case digits). */
  bySeparator(struct: OrderStruct, separator: string): DomainEntry | undefined {
    return this.#structs[struct].bySeparator.get(separator);
  }
}
