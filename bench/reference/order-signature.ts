/**
 * The signature of an order in the reference: EIP-712 by viem. The hash is made once: it is the
 * order's id, and the signer is recovered from it. The exchange tries several domains; the
 * reference has one for each kind of market, which is less work.
 */
import type { Hex } from 'viem';
import { hashTypedData, recoverAddress } from 'viem/utils';
import type { SigningDomain } from '../../http/signing/domains.ts';
import { Refusal } from './order-terms.ts';

/** The signed part of an order. The schema has checked its shape. */
export interface OrderFields {
  readonly salt: string;
  readonly maker: Hex;
  readonly signer: Hex;
  readonly tokenId: string;
  readonly makerAmount: string;
  readonly takerAmount: string;
  readonly side: 'BUY';
  readonly signatureType: 0;
  readonly timestamp: string;
  readonly metadata: Hex;
  readonly builder: Hex;
  readonly expiration: string;
  readonly signature: Hex;
}

const types = {
  Order: [
    { name: 'salt', type: 'uint256' },
    { name: 'maker', type: 'address' },
    { name: 'signer', type: 'address' },
    { name: 'tokenId', type: 'uint256' },
    { name: 'makerAmount', type: 'uint256' },
    { name: 'takerAmount', type: 'uint256' },
    { name: 'side', type: 'uint8' },
    { name: 'signatureType', type: 'uint8' },
    { name: 'timestamp', type: 'uint256' },
    { name: 'metadata', type: 'bytes32' },
    { name: 'builder', type: 'bytes32' },
  ],
} as const;

/** The id of an order: the hash that its owner signs. */
function orderIdOf(order: OrderFields, { name, version, chainId, contract }: SigningDomain): Hex {
  return hashTypedData({
    // Safe: a domain's contract is an address, 0x and 40 digits.
    domain: { name, version, chainId, verifyingContract: contract as Hex },
    types,
    primaryType: 'Order',
    message: {
      ...order,
      salt: BigInt(order.salt),
      tokenId: BigInt(order.tokenId),
      makerAmount: BigInt(order.makerAmount),
      takerAmount: BigInt(order.takerAmount),
      side: 0, // BUY
      timestamp: BigInt(order.timestamp),
    },
  });
}

/** Checks the signature of an order. Returns the id. Throws `Refusal` 400. */
export async function verifyOrder(order: OrderFields, domain: SigningDomain): Promise<Hex> {
  const id = orderIdOf(order, domain);
  const { signature } = order;
  const signer = await recoverAddress({ hash: id, signature }).catch(() => undefined);
  if (signer?.toLowerCase() !== order.signer.toLowerCase()) {
    throw new Refusal(400, "The signature is not the signer's");
  }
  return id;
}
