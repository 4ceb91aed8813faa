/**
 * EIP-712 hashing of orders: both struct variants (wire 3.1). The digest of an order is its id
 * (wire 3.6), and the client signs it, except for deposit wallets.
 *
 * Invariant: one table of fields for each struct gives its type string, type hash and encoding, so
 * that they can't disagree.
 */
import { keccak256, keccak256Text, writeHex } from './hash.ts';
import { WORD_BYTES as WORD } from './typed-data.ts';
import { writeUint256 } from './uint256.ts';

export type OrderStruct = 'order11' | 'order12';

interface OrderBase {
  /** Decimal uint256, like all amounts here. */
  readonly salt: string;
  /** The account that trades. All addresses here are lower case. */
  readonly maker: string;
  /** The address that signs; for signature type 3 the wallet itself. */
  readonly signer: string;
  readonly tokenId: string;
  readonly makerAmount: string;
  readonly takerAmount: string;
  /** 0 BUY, 1 SELL. */
  readonly side: 0 | 1;
  /** 0 EOA, 1 proxy wallet, 2 Safe, 3 deposit wallet (11 fields only). */
  readonly signatureType: 0 | 1 | 2 | 3;
  /** Hex: 65 bytes, or for type 3 the wrapped form of wire 3.5. Not part of the hash. */
  readonly signature: string;
}

/** The current struct of 11 fields. `expiration` is not signed in it. */
export interface Order11 extends OrderBase {
  readonly struct: 'order11';
  /** Milliseconds since the epoch, decimal. */
  readonly timestamp: string;
  /** 0x and 64 hex digits. */
  readonly metadata: string;
  /** 0x and 64 hex digits. */
  readonly builder: string;
}

/** The legacy struct of 12 fields. */
export interface Order12 extends OrderBase {
  readonly struct: 'order12';
  readonly taker: string;
  /** Seconds since the epoch, decimal; 0 for none. */
  readonly expiration: string;
  readonly nonce: string;
  readonly feeRateBps: string;
}

/** The signed content of an order with its signature, in values that can be posted to a thread. */
export type SignedOrder = Order11 | Order12;

type FieldType = 'uint256' | 'address' | 'uint8' | 'bytes32';
type Field<Order> = readonly [type: FieldType, name: keyof Order & string];

const ORDER11_FIELDS: readonly Field<Order11>[] = [
  ['uint256', 'salt'],
  ['address', 'maker'],
  ['address', 'signer'],
  ['uint256', 'tokenId'],
  ['uint256', 'makerAmount'],
  ['uint256', 'takerAmount'],
  ['uint8', 'side'],
  ['uint8', 'signatureType'],
  ['uint256', 'timestamp'],
  ['bytes32', 'metadata'],
  ['bytes32', 'builder'],
];

const ORDER12_FIELDS: readonly Field<Order12>[] = [
  ['uint256', 'salt'],
  ['address', 'maker'],
  ['address', 'signer'],
  ['address', 'taker'],
  ['uint256', 'tokenId'],
  ['uint256', 'makerAmount'],
  ['uint256', 'takerAmount'],
  ['uint256', 'expiration'],
  ['uint256', 'nonce'],
  ['uint256', 'feeRateBps'],
  ['uint8', 'side'],
  ['uint8', 'signatureType'],
];

function typeString(fields: readonly (readonly [string, string])[]): string {
  return `Order(${fields.map(([type, name]) => `${type} ${name}`).join(',')})`;
}

/** The EIP-712 type of each struct. */
export const ORDER_STRUCT_TYPES: Readonly<Record<OrderStruct, string>> = {
  order11: typeString(ORDER11_FIELDS),
  order12: typeString(ORDER12_FIELDS),
};

/** Reused by every call: the type hash and up to 12 words. */
const encoded = Buffer.alloc(13 * WORD);
const ORDER11_TYPE_HASH = keccak256Text(ORDER_STRUCT_TYPES.order11);
const ORDER12_TYPE_HASH = keccak256Text(ORDER_STRUCT_TYPES.order12);

/** Writes a value as a word of `encoded`; returns false if it is not of the type. */
function writeWord(type: FieldType, value: string | number, offset: number): boolean {
  if (type === 'uint8') {
    if (typeof value !== 'number') return false;
    encoded.fill(0, offset, offset + WORD);
    encoded[offset + WORD - 1] = value;
    return Number.isInteger(value) && value >= 0 && value <= 255;
  }
  if (typeof value !== 'string') return false;
  if (type === 'uint256') return writeUint256(value, encoded, offset);
  if (type === 'bytes32') return writeHex(value, encoded, offset, WORD);
  encoded.fill(0, offset, offset + 12);
  return writeHex(value, encoded, offset + 12, 20);
}

export type StructHash =
  | { readonly ok: true; readonly hash: Uint8Array }
  /** The first field whose value is not of its type. */
  | {
      readonly ok: false;
      readonly field: string;
      readonly actual: string;
      readonly expected: string;
    };

const TYPE_IN_WORDS: Readonly<Record<FieldType, string>> = {
  uint256: 'a plain decimal from 0 to 2^256 - 1',
  address: '0x and 40 hex digits',
  uint8: 'a whole number from 0 to 255',
  bytes32: '0x and 64 hex digits',
};

function hashFields<Order extends SignedOrder>(
  typeHash: Uint8Array,
  fields: readonly Field<Order>[],
  order: Order,
): StructHash {
  encoded.set(typeHash, 0);
  let offset = WORD;
  for (const [type, name] of fields) {
    // Safe: every property of both order types is a text or a number, and writeWord checks which.
    const value = order[name] as string | number;
    if (!writeWord(type, value, offset)) {
      return { ok: false, field: name, actual: String(value), expected: TYPE_IN_WORDS[type] };
    }
    offset += WORD;
  }
  return { ok: true, hash: keccak256(encoded.subarray(0, offset)) };
}

/** The EIP-712 struct hash of an order ("contents hash" where it is wrapped). */
export function structHash(order: SignedOrder): StructHash {
  return order.struct === 'order11'
    ? hashFields(ORDER11_TYPE_HASH, ORDER11_FIELDS, order)
    : hashFields(ORDER12_TYPE_HASH, ORDER12_FIELDS, order);
}
