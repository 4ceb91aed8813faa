/** Typed data of EIP-712 in the form that wallets take: numbers are decimal texts. */

import type { SigningDomain } from '../../../http/signing/domains.ts';
import {
  CLOB_AUTH,
  ORDER_DOMAIN_STRUCT,
  ORDER_STRUCT_TYPES,
  structMembers,
} from '../../../http/signing/order-struct.ts';

export interface TypedData {
  readonly primaryType: string;
  /** The struct, and EIP712Domain, which wallets want to see too. */
  readonly types: Readonly<Record<string, readonly Member[]>>;
  readonly domain: Readonly<Record<string, string | number>> & { readonly chainId: number };
  readonly message: Readonly<Record<string, string | number>>;
}

interface Member {
  readonly name: string;
  /** uint8, uint256, address, bytes32 or string. */
  readonly type: string;
}

export interface WalletProof {
  readonly chainId: number;
  readonly address: string;
  /** Seconds since the epoch. */
  readonly timestamp: string;
  /** Decimal. */
  readonly nonce: string;
}

/** What a wallet signs to get an API key (wire 2.2). */
export function authTypedData({ chainId, address, timestamp, nonce }: WalletProof): TypedData {
  const { struct, message, domainStruct, domain } = CLOB_AUTH;
  return {
    primaryType: 'ClobAuth',
    types: { EIP712Domain: structMembers(domainStruct), ClobAuth: structMembers(struct) },
    domain: { ...domain, chainId },
    message: { address, timestamp, nonce, message },
  };
}

/** What is signed for an order (wire 3.1, 3.2): those of the values that its struct has. */
export function orderTypedData(values: TypedData['message'], domain: SigningDomain): TypedData {
  const { name, version, chainId, contract: verifyingContract } = domain;
  const members = structMembers(ORDER_STRUCT_TYPES.order11);
  return {
    primaryType: 'Order',
    types: { EIP712Domain: structMembers(ORDER_DOMAIN_STRUCT), Order: members },
    domain: { name, version, chainId, verifyingContract },
    message: Object.fromEntries(members.map((member) => [member.name, values[member.name] ?? ''])),
  };
}
