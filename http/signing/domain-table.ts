/**
 * The table of the domains that an order may be signed for, with a guess of the likely ones.
 *
 * Invariant: no two domains of one struct have the same separator. So a signature belongs to one
 * domain at most, and the order in which domains are tried never changes a verdict.
 * Bound: HINT_ENTRIES remembered addresses for each struct and kind of market.
 */
import { remember } from '../codec/index.ts';
import { MAX_DOMAINS, type SigningDomain } from './domains.ts';
import { bytesToHex, keccak256, keccak256Text, writeHex } from './hash.ts';
import { ORDER_DOMAIN_STRUCT, type OrderStruct } from './order-struct.ts';
import type { SearchBudget } from './search-budget.ts';
import { WORD_BYTES as WORD } from './typed-data.ts';
import { writeUint256 } from './uint256.ts';

export interface DomainEntry {
  readonly domain: SigningDomain;
  readonly separator: Uint8Array;
}

const HINT_ENTRIES = 16_384;
/** The number of domains that are tried before a search of all. */
const LIKELY = 2;

const DOMAIN_TYPE_HASH = keccak256Text(ORDER_DOMAIN_STRUCT);

/** The EIP-712 hash of a domain with exactly these four members (wire 3.2). */
export function domainSeparator(
  domain: Pick<SigningDomain, 'name' | 'version' | 'chainId' | 'contract'>,
): Uint8Array {
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

/** Whether a domain is for this kind of market. */
export function isForMarket({ domain }: DomainEntry, negRisk: boolean): boolean {
  return domain.negRisk === null || domain.negRisk === negRisk;
}

/** The domains of one struct, in the order in which orders for one kind of market try them. */
class DomainCandidates {
  /** The domains for this kind of market, then those for the other kind. */
  readonly entries: readonly DomainEntry[];
  /** The number of `entries` that are for this kind of market. */
  readonly matchingCount: number;
  /** The domains of the last good orders of an address. */
  readonly #hints = new Map<string, readonly DomainEntry[]>();
  /** The domains of the last good orders of all addresses: most clients use the same ones. */
  #recent: readonly DomainEntry[];

  constructor(entries: readonly DomainEntry[], negRisk: boolean) {
    const matching = entries.filter((entry) => isForMarket(entry, negRisk));
    const others = entries.filter((entry) => !isForMarket(entry, negRisk));
    this.entries = [...matching, ...others];
    this.matchingCount = matching.length;
    this.#recent = matching.slice(0, LIKELY);
  }

  /** The domains to try first: the latest of this address, then the latest of all addresses. */
  likely(address: string): readonly DomainEntry[] {
    const own = this.#hints.get(address);
    return own === undefined ? this.#recent : latest(own, this.#recent);
  }

  /** Remembers the domain of a good order of an address. */
  noteGood(address: string, entry: DomainEntry): void {
    const own = this.#hints.get(address) ?? [];
    if (own[0] !== entry) {
      remember(this.#hints, address, latest([entry], own), HINT_ENTRIES);
    }
    if (this.#recent[0] !== entry) this.#recent = latest([entry], this.#recent);
  }
}

/** The first LIKELY entries of both lists, without duplicates. */
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

/** The configured domains with their separators. Each verifier thread has a table. */
export class DomainTable {
  /** If absent, every signature may be tried under every domain. */
  readonly searches: SearchBudget | undefined;
  readonly #structs: Readonly<Record<OrderStruct, StructDomains>>;

  constructor(domains: readonly SigningDomain[], searches?: SearchBudget) {
    if (domains.length > MAX_DOMAINS) {
      throw new Error(
        `there are ${domains.length} signing domains; at most ${MAX_DOMAINS} are allowed`,
      );
    }
    this.searches = searches;
    this.#structs = {
      order11: structDomains(domains, 'order11'),
      order12: structDomains(domains, 'order12'),
    };
    const distinct =
      this.#structs.order11.bySeparator.size + this.#structs.order12.bySeparator.size;
    if (distinct !== domains.length) throw new Error('two signing domains are the same');
  }

  /** The domains for orders of this struct; empty if none is configured. */
  candidates(struct: OrderStruct, negRisk: boolean): DomainCandidates {
    return negRisk ? this.#structs[struct].negRisk : this.#structs[struct].plain;
  }

  /** The domain with this separator (0x and 64 lower-case digits). */
  bySeparator(struct: OrderStruct, separator: string): DomainEntry | undefined {
    return this.#structs[struct].bySeparator.get(separator);
  }
}
