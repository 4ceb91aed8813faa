/**
 * What is journaled beside an order as evidence of who signed what: all of the signed content that
 * the command does not say already, as values in a fixed order, for the journal is written and read
 * again byte by byte. Invariant: command and evidence together are the signed order, the domain it
 * was signed for and the signature: they hash to the order's id and recover to its owner. Bound: a
 * signed order's.
 *
 * The values: struct, then name, version, chain id, contract and kind of market of the domain, then
 * signature type, salt, maker amount, taker amount and signature, and of 11 fields timestamp and
 * metadata (null for zeros), of 12 expiration, nonce and fee rate. No taker is named, for orders
 * are open to everybody.
 */
import type { PlaceOrder } from '../../engine/index.ts';
import type { SignedOrder, SigningDomain } from '../signing/index.ts';
import { ZERO_ADDRESS, ZERO_WORD } from './submission.ts';

type Common = readonly [
  name: string,
  version: string,
  chainId: number,
  contract: string,
  negRisk: boolean | null,
  signatureType: SignedOrder['signatureType'],
  salt: string,
  makerAmount: string,
  takerAmount: string,
  signature: string,
];

export type OrderEvidence =
  | readonly ['order11', ...Common, timestamp: string, metadata: string | null]
  | readonly ['order12', ...Common, expiration: string, nonce: string, feeRateBps: string];

/** What was signed, whole. */
export type SignedContent = SignedOrder & { readonly domain: SigningDomain };

/** Of an order that was verified to be signed for this domain. */
export function evidenceOf(order: SignedOrder, domain: SigningDomain): OrderEvidence {
  const common: Common = [
    domain.name,
    domain.version,
    domain.chainId,
    domain.contract,
    domain.negRisk,
    order.signatureType,
    order.salt,
    order.makerAmount,
    order.takerAmount,
    order.signature,
  ];
  if (order.struct === 'order11') {
    const metadata = order.metadata === ZERO_WORD ? null : order.metadata;
    return [order.struct, ...common, order.timestamp, metadata];
  }
  return [order.struct, ...common, order.expiration, order.nonce, order.feeRateBps];
}

/** Nothing else that begins so and is as long is journaled with an order. */
function isOrderEvidence(evidence: unknown): evidence is OrderEvidence {
  return (
    Array.isArray(evidence) &&
    ((evidence[0] === 'order11' && evidence.length === 13) ||
      (evidence[0] === 'order12' && evidence.length === 14))
  );
}

/**
 * What was signed, from a journaled order and its evidence; undefined for other evidence, as that
 * of journals from before format 5, which is the signed content itself.
 */
export function signedContent(command: PlaceOrder, evidence: unknown): SignedContent | undefined {
  if (!isOrderEvidence(evidence)) return undefined;
  const [struct, name, version, chainId, contract, negRisk, signatureType] = evidence;
  const { account: maker, owner, tokenId, builder = ZERO_WORD } = command;
  const common = {
    salt: evidence[7],
    maker,
    // A deposit wallet signs as itself (wire 3.3); else the key's address signs, which owns it.
    signer: signatureType === 3 ? maker : owner,
    tokenId,
    makerAmount: evidence[8],
    takerAmount: evidence[9],
    side: command.side === 'BUY' ? 0 : 1,
    signatureType,
    signature: evidence[10],
    domain: { name, version, chainId, contract, negRisk, struct },
  } as const;
  if (evidence[0] === 'order11') {
    const [timestamp, metadata] = [evidence[11], evidence[12] ?? ZERO_WORD];
    return { struct: 'order11', ...common, timestamp, metadata, builder };
  }
  const [expiration, nonce, feeRateBps] = [evidence[11], evidence[12], evidence[13]];
  return { struct: 'order12', ...common, taker: ZERO_ADDRESS, expiration, nonce, feeRateBps };
}
