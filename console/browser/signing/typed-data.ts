/** Typed data of EIP-712 in the form that wallets take: numbers are decimal texts. */

interface Field {
  readonly name: string;
  /** uint8, uint256, address, bytes32 or string. */
  readonly type: string;
}

export interface TypedData {
  readonly primaryType: string;
  /** The struct, and EIP712Domain, which wallets want to see too. */
  readonly types: Readonly<Record<string, readonly Field[]>>;
  readonly domain: Readonly<Record<string, string | number>> & { readonly chainId: number };
  readonly message: Readonly<Record<string, string | number>>;
}

/** Fields from "type name,type name", as EIP-712 writes them in the type of a struct. */
function fieldsOf(text: string): readonly Field[] {
  return text.split(',').map((field) => {
    const [type = '', name = ''] = field.split(' ');
    return { type, name };
  });
}

const DOMAIN_FIELDS = 'string name,string version,uint256 chainId';
const AUTH_FIELDS = fieldsOf('address address,string timestamp,uint256 nonce,string message');
const ORDER_FIELDS = fieldsOf(
  'uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,' +
    'uint256 takerAmount,uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,' +
    'bytes32 builder',
);

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
  const message = 'This message attests that I control the given wallet';
  return {
    primaryType: 'ClobAuth',
    types: { EIP712Domain: fieldsOf(DOMAIN_FIELDS), ClobAuth: AUTH_FIELDS },
    domain: { name: 'ClobAuthDomain', version: '1', chainId },
    message: { address, timestamp, nonce, message },
  };
}

/** A domain of orders, as the exchange lists them. */
export interface OrderDomain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  /** The verifying contract. */
  readonly contract: string;
  /** Which markets its orders are for: neg-risk ones, the others, or both (null). */
  readonly negRisk: boolean | null;
  readonly struct: string;
}

/** What is signed for an order (wire 3.1, 3.2). `message` has the fields of the struct. */
export function orderTypedData(message: TypedData['message'], domain: OrderDomain): TypedData {
  const { name, version, chainId, contract: verifyingContract } = domain;
  return {
    primaryType: 'Order',
    types: {
      EIP712Domain: fieldsOf(`${DOMAIN_FIELDS},address verifyingContract`),
      Order: ORDER_FIELDS,
    },
    domain: { name, version, chainId, verifyingContract },
    message,
  };
}
