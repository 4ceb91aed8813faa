/**
 * Verifies that an order is signed by the owner of the API key that sends it, for its kind of
 * market, and for an account of the signer (wire 3.2 to 3.6).
 *
 * The checks, in the order in which they refuse; the costly one comes last:
 *   order_version_mismatch  no domain of the order's struct is configured
 *   malformed_order         a field is not of its type
 *   malformed_signature     not a signature (length, v, r, s, wrapped type)
 *   signer_mismatch         types 0 to 2: the signer is not the key's address
 *   maker_mismatch          the maker is not an account of the signer
 *   wallet_not_yours        the maker is bound to another owner
 *   signature_mismatch      no configured domain under which the signature is the signer's
 *   signer_mismatch         type 3: a good signature, but not of the key's address
 *   wrong_exchange          signed for the contract of the other kind of market
 *
 * Invariant: a verdict does not depend on earlier verifications. For a given r, s and v each digest
 * recovers to a different key, so at most one domain can match, and the likely domains only change
 * which is tried first. `search_limited` is not a verdict: the client sends the order again later.
 * Bound: usually one recovery. A wrong signature costs the two likely domains and, as often as
 * search-budget.ts allows, all domains (at most MAX_DOMAINS).
 */
import { WALLET_KINDS } from '../../engine/model/index.ts';
import { type DomainEntry, type DomainTable, isForMarket } from './domain-table.ts';
import type { SigningDomain } from './domains.ts';
import { bytesToHex, hexToBytes } from './hash.ts';
import { structHash } from './order-hash.ts';
import type { SignedOrder } from './order-struct.ts';
import { recoverAddress, SIGNATURE_BYTES, signatureFault } from './recover.ts';
import { typedDataDigest } from './typed-data.ts';
import { type WalletFactory, walletsOf } from './wallets.ts';
import {
  parseWrappedSignature,
  typedDataSignHash,
  WRAPPED_BYTES,
  type WrappedSignature,
} from './wrapped-signature.ts';

export type OrderVerificationCode =
  | 'order_version_mismatch'
  | 'malformed_order'
  | 'malformed_signature'
  | 'signer_mismatch'
  | 'maker_mismatch'
  | 'wallet_not_yours'
  | 'search_limited'
  | 'signature_mismatch'
  | 'wrong_exchange';

export interface VerifyOrderOptions {
  readonly domains: DomainTable;
  /** How the wallets of owners are derived. */
  readonly wallets: readonly WalletFactory[];
  /** Whether the order's market is neg-risk. */
  readonly negRisk: boolean;
  /** The address of the API key that sends the order, lower case. */
  readonly keyAddress: string;
  /** The owner that the maker is bound to, lower case; absent if it has none. */
  readonly makerOwner?: string | undefined;
}

/** The result of recovering a signature under one domain. */
export interface TriedDomain extends Omit<SigningDomain, 'struct'> {
  readonly orderHash: string;
  /** Lower-case address; null if no key can have made the signature under this domain. */
  readonly recovered: string | null;
}

export interface VerifiedOrder {
  readonly ok: true;
  /** The order's id (wire 3.6): 0x and 64 lower-case digits. */
  readonly orderHash: string;
  readonly domain: SigningDomain;
  /** The recovered externally owned address, lower case: the owner of the maker account. */
  readonly signer: string;
}

export interface RefusedOrder {
  readonly ok: false;
  readonly code: OrderVerificationCode;
  /** The field of the order at fault, in the order's own names. */
  readonly field: string;
  /** Its value, or the address recovered from it. */
  readonly actual: string;
  /** The required value: an address, a hash, or words. */
  readonly expected: string;
  /** The domains that were tried, those for this kind of market first. */
  readonly recovered: readonly TriedDomain[];
  /** When to send the same order again; only with `search_limited`. */
  readonly waitMs?: number;
}

export type OrderVerification = VerifiedOrder | RefusedOrder;

/** A refusal before any domain is tried. */
export type Refusal = Omit<RefusedOrder, 'ok' | 'recovered' | 'waitMs'>;

function refuse(refusal: Refusal, recovered: readonly TriedDomain[] = []): RefusedOrder {
  return {
    ok: false,
    ...refusal,
    recovered,
  };
}

/** Checks signer, maker and binding, which need no signature; undefined if they are good. */
export function checkOwnership(
  order: SignedOrder,
  options: VerifyOrderOptions,
): Refusal | undefined {
  const { maker, signer, signatureType } = order;
  const { keyAddress, makerOwner } = options;
  if (signatureType !== 3 && signer !== keyAddress) {
    return { code: 'signer_mismatch', field: 'signer', actual: signer, expected: keyAddress };
  }
  const isBoundWallet = (signatureType === 1 || signatureType === 2) && makerOwner !== undefined;
  const own = isBoundWallet ? [maker] : expectedMakers(order, options.wallets);
  if (!own.includes(maker)) {
    const expected = own.join(' or ') || `a wallet bound to ${keyAddress}`;
    return { code: 'maker_mismatch', field: 'maker', actual: maker, expected };
  }
  if (makerOwner !== undefined && makerOwner !== keyAddress) {
    const expected = `a wallet that is not bound, or bound to ${keyAddress}`;
    return { code: 'wallet_not_yours', field: 'maker', actual: maker, expected };
  }
  return undefined;
}

/** The maker accounts that a signer has without a binding. A deposit wallet signs as itself. */
export function expectedMakers(
  { signer, signatureType }: SignedOrder,
  wallets: readonly WalletFactory[],
): readonly string[] {
  return signatureType === 3 ? [signer] : walletsOf(wallets, WALLET_KINDS[signatureType], signer);
}

function tried(entry: DomainEntry, digest: Uint8Array, recovered?: string): TriedDomain {
  const { struct: _, ...domain } = entry.domain;
  return { ...domain, orderHash: bytesToHex(digest), recovered: recovered ?? null };
}

function verified(entry: DomainEntry, orderHash: string, signer: string): VerifiedOrder {
  return {
    ok: true,
    orderHash,
    domain: entry.domain,
    signer,
  };
}

/** A good signature under another domain, `found`: only that one says what to change. */
function wrongExchange(entry: DomainEntry, negRisk: boolean, found: TriedDomain): RefusedOrder {
  return refuse(
    {
      code: 'wrong_exchange',
      field: 'signature',
      actual: `signed for ${entry.domain.contract}`,
      expected: `signed for an exchange contract of ${negRisk ? 'neg-risk' : 'plain'} markets`,
    },
    [found],
  );
}

function searchLimited(
  expected: string,
  waitMs: number,
  recovered: readonly TriedDomain[],
): RefusedOrder {
  const actual = 'recovers to other addresses under the likely domains';
  const refusal = { code: 'search_limited', field: 'signature', actual, expected } as const;
  return { ...refuse(refusal, recovered), waitMs };
}

interface HashedOrder {
  readonly order: SignedOrder;
  readonly hash: Uint8Array;
}

/** Types 0 to 2: a signature of the order itself. The signer is the key's address. */
function verifyPlain(
  { order, hash }: HashedOrder,
  signature: Uint8Array,
  { domains, keyAddress, negRisk }: VerifyOrderOptions,
): OrderVerification {
  const candidates = domains.candidates(order.struct, negRisk);
  /** Domains that need not be tried again. */
  const trials = new Map<DomainEntry, TriedDomain>();
  const recoverUnder = (entry: DomainEntry): TriedDomain => {
    const digest = typedDataDigest(entry.separator, hash);
    const trial = tried(entry, digest, recoverAddress(digest, signature));
    trials.set(entry, trial);
    return trial;
  };
  for (const entry of candidates.likely(keyAddress)) {
    const { recovered, orderHash } = recoverUnder(entry);
    if (recovered !== keyAddress) continue;
    candidates.noteGood(keyAddress, entry);
    return verified(entry, orderHash, keyAddress);
  }
  const isAll = trials.size === candidates.entries.length;
  const waitMs = isAll ? 0 : (domains.searches?.take(keyAddress) ?? 0);
  if (waitMs > 0) return searchLimited(keyAddress, waitMs, [...trials.values()]);
  const recoveries: TriedDomain[] = [];
  for (const [index, entry] of candidates.entries.entries()) {
    const trial = trials.get(entry) ?? recoverUnder(entry);
    recoveries.push(trial);
    if (trial.recovered !== keyAddress) continue;
    if (index >= candidates.matchingCount) return wrongExchange(entry, negRisk, trial);
    candidates.noteGood(keyAddress, entry);
    return verified(entry, trial.orderHash, keyAddress);
  }
  const actual = 'recovers to other addresses under every domain';
  return refuse(
    { code: 'signature_mismatch', field: 'signature', actual, expected: keyAddress },
    recoveries,
  );
}

/** Type 3: the signature names its domain and order, so only one domain is tried. */
function verifyWrapped(
  { order, hash }: HashedOrder,
  wrapped: WrappedSignature,
  { domains, keyAddress, negRisk }: VerifyOrderOptions,
): OrderVerification {
  const mismatch = { code: 'signature_mismatch', field: 'signature' } as const;
  const contentsHash = bytesToHex(hash);
  if (wrapped.contentsHash !== contentsHash) {
    const actual = `contents hash ${wrapped.contentsHash}`;
    return refuse({ ...mismatch, actual, expected: `contents hash ${contentsHash}` });
  }
  const entry = domains.bySeparator(order.struct, wrapped.separator);
  if (entry === undefined) {
    const actual = `domain separator ${wrapped.separator}`;
    return refuse({ ...mismatch, actual, expected: 'the separator of a configured domain' });
  }
  const digest = typedDataDigest(entry.separator, hash);
  const signHash = typedDataSignHash(hash, entry.domain.chainId, order.signer);
  const recovered = recoverAddress(typedDataDigest(entry.separator, signHash), wrapped.inner);
  const found = tried(entry, digest, recovered);
  if (recovered === undefined) {
    return refuse({ ...mismatch, actual: 'recovers to no address', expected: keyAddress }, [found]);
  }
  if (recovered !== keyAddress) {
    const refusal = { code: 'signer_mismatch', field: 'signature', actual: recovered } as const;
    return refuse({ ...refusal, expected: keyAddress }, [found]);
  }
  return isForMarket(entry, negRisk)
    ? verified(entry, bytesToHex(digest), keyAddress)
    : wrongExchange(entry, negRisk, found);
}

export type ParsedSignature =
  | { readonly kind: 'plain'; readonly bytes: Uint8Array }
  | { readonly kind: 'wrapped'; readonly parts: WrappedSignature };

function malformedSignature(actual: string, bytes: number): Refusal {
  return {
    code: 'malformed_signature',
    field: 'signature',
    actual,
    expected: `${bytes} bytes of hex with canonical r, s and v`,
  };
}

/** The signature of an order, in the form of its type (wire 3.4, 3.5). */
export function parseSignature({
  signature,
  signatureType,
}: SignedOrder): ParsedSignature | Refusal {
  return signatureType === 3 ? parseWrapped(signature) : parsePlain(signature);
}

function parsePlain(text: string): ParsedSignature | Refusal {
  const bytes = hexToBytes(text);
  if (bytes === undefined) return malformedSignature('it is not hex', SIGNATURE_BYTES);
  const fault = signatureFault(bytes);
  if (fault !== undefined) return malformedSignature(fault, SIGNATURE_BYTES);
  return { kind: 'plain', bytes };
}

function parseWrapped(text: string): ParsedSignature | Refusal {
  const parts = parseWrappedSignature(text);
  if (parts === undefined)
    return malformedSignature(
      'it does not have the form of a wrapped signature (wire 3.5)',
      WRAPPED_BYTES,
    );
  const fault = signatureFault(parts.inner);
  if (fault !== undefined) return malformedSignature(`inner: ${fault}`, WRAPPED_BYTES);
  return { kind: 'wrapped', parts };
}

/** Checks the struct and signature type, before the signature itself. */
export function checkContents(
  order: SignedOrder,
  options: VerifyOrderOptions,
): Refusal | undefined {
  const { struct, signatureType } = order;
  if (options.domains.candidates(struct, options.negRisk).entries.length === 0) {
    const expected = `the struct ${struct === 'order11' ? 'order12' : 'order11'}`;
    return { code: 'order_version_mismatch', field: 'struct', actual: struct, expected };
  }
  const largestType = struct === 'order11' ? 3 : 2;
  if (signatureType > largestType) {
    const expected = `0 to ${largestType}`;
    const actual = String(signatureType);
    return { code: 'malformed_order', field: 'signatureType', actual, expected };
  }
  return undefined;
}

/** Verifies a signed order. The head of this file lists the codes and their precedence. */
export function verifyOrder(order: SignedOrder, options: VerifyOrderOptions): OrderVerification {
  const unfit = checkContents(order, options);
  if (unfit !== undefined) return refuse(unfit);
  const contents = structHash(order);
  if (!contents.ok) {
    const { field, actual, expected } = contents;
    return refuse({ code: 'malformed_order', field, actual, expected });
  }
  const signature = parseSignature(order);
  if ('code' in signature) return refuse(signature);
  const foreign = checkOwnership(order, options);
  if (foreign !== undefined) return refuse(foreign);
  return signature.kind === 'plain'
    ? verifyPlain({ order, hash: contents.hash }, signature.bytes, options)
    : verifyWrapped({ order, hash: contents.hash }, signature.parts, options);
}
