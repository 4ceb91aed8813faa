/**
 * The steps of checking a signature: the order's struct, the signature's form, the maker and every
 * configured domain (wire 3.1 to 3.6). The functions that verify orders decide each step.
 *
 * Bound: one recovery for each configured domain, of which there are at most `MAX_DOMAINS`.
 */
import type { ApiError } from '../errors/index.ts';
import { signatureError } from '../orders/order-command.ts';
import { type DomainEntry, type DomainTable, isForMarket } from '../signing/domain-table.ts';
import { bytesToHex } from '../signing/hash.ts';
import { type StructHash, structHash } from '../signing/order-hash.ts';
import { ORDER_STRUCT_TYPES, type SignedOrder } from '../signing/order-struct.ts';
import { recoverAddress } from '../signing/recover.ts';
import { typedDataDigest } from '../signing/typed-data.ts';
import {
  checkContents,
  checkOwnership,
  expectedMakers,
  type OrderVerification,
  type ParsedSignature,
  parseSignature,
  type Refusal,
  type VerifyOrderOptions,
  verifyOrder,
} from '../signing/verify-order.ts';
import type { WalletFactory } from '../signing/wallets.ts';
import { typedDataSignHash } from '../signing/wrapped-signature.ts';
import { type Step, type StepFacts, stepOf } from './step.ts';

export interface SignatureContext {
  readonly domains: DomainTable;
  readonly wallets: readonly WalletFactory[];
  /** undefined if the token is unknown. */
  readonly negRisk: boolean | undefined;
  /** The owner of the key that the order names; undefined if that is not a valid trading key. */
  readonly keyAddress: string | undefined;
  readonly makerOwner: string | undefined;
}

export interface SignatureFindings {
  readonly steps: readonly Step[];
  /** The required signer: the key's owner or, without one, whom the order or signature names. */
  readonly claimed: string;
  /** Whether the owner of the maker account signed the order. */
  readonly isProved: boolean;
}

/** The result of recovering the signature under one domain. */
interface Trial {
  readonly entry: DomainEntry;
  readonly digest: Uint8Array;
  /** The hash that a wrapped signature signs instead of the order's (wire 3.5). */
  readonly inner: Uint8Array | undefined;
  readonly recovered: string | undefined;
}

function errorOf(refusal: Refusal | undefined): ApiError | undefined {
  return refusal && signatureError({ ok: false, ...refusal, recovered: [] });
}

function trialOf(
  entry: DomainEntry,
  order: SignedOrder,
  hash: Uint8Array,
  signature: ParsedSignature | undefined,
): Trial {
  const digest = typedDataDigest(entry.separator, hash);
  if (order.signatureType !== 3) {
    const bytes = signature?.kind === 'plain' ? signature.bytes : undefined;
    const recovered = bytes && recoverAddress(digest, bytes);
    return { entry, digest, inner: undefined, recovered };
  }
  const signHash = typedDataSignHash(hash, entry.domain.chainId, order.signer);
  const inner = typedDataDigest(entry.separator, signHash);
  const bytes = signature?.kind === 'wrapped' ? signature.parts.inner : undefined;
  return { entry, digest, inner, recovered: bytes && recoverAddress(inner, bytes) };
}

function trialFacts(
  { entry, digest, inner, recovered }: Trial,
  claimed: string,
  negRisk: boolean | undefined,
): StepFacts {
  return {
    ...entry.domain,
    domainSeparator: bytesToHex(entry.separator),
    orderHash: bytesToHex(digest),
    ...(inner === undefined ? {} : { innerHash: bytesToHex(inner) }),
    recovered: recovered ?? null,
    isSigner: recovered === claimed,
    isForMarket: negRisk === undefined ? null : isForMarket(entry, negRisk),
  };
}

/** The parts of a wrapped signature, and what they must be (wire 3.5). */
function wrappedFacts(
  order: SignedOrder,
  signature: ParsedSignature | undefined,
  domains: DomainTable,
): StepFacts {
  if (signature?.kind !== 'wrapped') return {};
  const { separator, contentsHash, inner } = signature.parts;
  const contents = structHash(order);
  const expected = contents.ok ? bytesToHex(contents.hash) : null;
  return {
    wrapped: {
      innerSignature: bytesToHex(inner),
      domainSeparator: separator,
      isConfigured: domains.bySeparator(order.struct, separator) !== undefined,
      contentsHash,
      expectedContentsHash: expected,
      isThisOrder: contentsHash === expected,
    },
  };
}

function structStep(order: SignedOrder, contents: StructHash, options: VerifyOrderOptions): Step {
  const facts = { struct: order.struct, type: ORDER_STRUCT_TYPES[order.struct] };
  const unsupported = errorOf(checkContents(order, options));
  if (contents.ok) {
    const hash = bytesToHex(contents.hash);
    return stepOf('struct', { ...facts, structHash: hash }, unsupported);
  }
  const { field, actual, expected } = contents;
  const malformed = errorOf({ code: 'malformed_order', field, actual, expected });
  return stepOf('struct', facts, unsupported ?? malformed);
}

function bindingOf(makerOwner: string | undefined, claimed: string): string {
  if (makerOwner === undefined) return 'no owner yet';
  return makerOwner === claimed ? 'this signer' : 'another owner';
}

/** The signer if no key names one: recovered from a wrapped signature, else `order.signer`. */
function claimedBy(
  order: SignedOrder,
  signature: ParsedSignature | undefined,
  trials: readonly Trial[],
): string {
  if (signature?.kind !== 'wrapped') return order.signer;
  const { separator } = signature.parts;
  const named = trials.find(({ entry }) => bytesToHex(entry.separator) === separator);
  return named?.recovered ?? order.signer;
}

/** If the kind of market is unknown, a signature for either kind is accepted. */
function verify(
  order: SignedOrder,
  options: VerifyOrderOptions,
  isAnyMarket: boolean,
): OrderVerification {
  const verification = verifyOrder(order, options);
  const isOtherKind = !verification.ok && verification.code === 'wrong_exchange';
  return isAnyMarket && isOtherKind
    ? verifyOrder(order, { ...options, negRisk: true })
    : verification;
}

export function explainSignature(order: SignedOrder, context: SignatureContext): SignatureFindings {
  const { domains, wallets, makerOwner, negRisk = false } = context;
  const parsed = parseSignature(order);
  const signature = 'code' in parsed ? undefined : parsed;
  const contents = structHash(order);
  const trials = contents.ok
    ? domains
        .candidates(order.struct, negRisk)
        .entries.map((entry) => trialOf(entry, order, contents.hash, signature))
    : [];
  const claimed = context.keyAddress ?? claimedBy(order, signature, trials);
  const options = { domains, wallets, negRisk, keyAddress: claimed, makerOwner };

  const form = { signatureType: order.signatureType, ...wrappedFacts(order, signature, domains) };
  const { maker, signer } = order;
  const boundTo = bindingOf(makerOwner, claimed);
  const makers = expectedMakers(order, wallets);
  const wallet = { maker, signer, expectedMakers: makers, boundTo };
  const earlier = [
    structStep(order, contents, options),
    stepOf('signature', form, 'code' in parsed ? errorOf(parsed) : undefined),
    stepOf('maker', wallet, errorOf(checkOwnership(order, options))),
  ];
  const isReached = earlier.every(({ ok }) => ok);
  const verification = verify(order, options, context.negRisk === undefined);
  const refusal = verification.ok || !isReached ? undefined : signatureError(verification);
  const tried = trials.map((trial) => trialFacts(trial, claimed, context.negRisk));
  const found: Step = {
    ...stepOf('domains', { expectedSigner: claimed, tried }, refusal),
    ok: isReached ? verification.ok : null,
  };
  return { steps: [...earlier, found], claimed, isProved: verification.ok };
}
