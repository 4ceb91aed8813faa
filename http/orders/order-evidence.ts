/**
 * The evidence that the journal keeps beside an order: the signed content that the command does not
 * contain, as a list of values in a fixed order, which takes little room. Invariant: command and
 * evidence together are the signed order, its domain and its signature. They hash to the order's id
 * and recover to its owner. Bound: the length of a signed order.
 *
 * The values are the struct; the domain's name, version, chain id, contract and kind of market; the
 * signature type, salt, maker amount, taker amount and signature; then for 11 fields the timestamp
 * and metadata (null for zeros), for 12 fields the expiration, nonce and fee rate. There is no
 * taker, because anyone may fill an order.
 */
import type { PlaceOrder } from '../../engine/index.ts';
import type { SigningDomain } from '../signing/domains.ts';
import type { SignedOrder } from '../signing/order-struct.ts';
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

/** The whole signed content. */
export type SignedContent = SignedOrder & { readonly domain: SigningDomain };

/** The evidence of an order that was signed for this domain. */
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

function isOrderEvidence(evidence: unknown): evidence is OrderEvidence {
  return (
    Array.isArray(evidence) &&
    ((evidence[0] === 'order11' && evidence.length === 13) ||
      (evidence[0] === 'order12' && evidence.length === 14))
  );
}

/** The signed content of a journaled order; undefined for evidence of another form. */
export function signedContent(command: PlaceOrder, evidence: unknown): SignedContent | undefined {
  if (!isOrderEvidence(evidence)) return undefined;
  const [struct, name, version, chainId, contract, negRisk, signatureType] = evidence;
  const { account: maker, owner, tokenId, builder = ZERO_WORD } = command;
  const common = {
    salt: evidence[7],
    maker,
    // A deposit wallet signs as itself (wire 3.3); for others the owner signs.
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
