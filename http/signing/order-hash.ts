/**
 * EIP-712 hashing of orders: both struct variants (wire 3.1). The digest of an order is its id
 * (wire 3.6), and the client signs it, except for deposit wallets.
 *
 * Invariant: one table of fields for each struct gives its type string, type hash and encoding, so
 * that they can't disagree.
 */
import { keccak256, keccak256Text, writeHex } from './hash.ts';
import {
  type FieldType,
  ORDER_STRUCT_TYPES,
  ORDER11_FIELDS,
  ORDER12_FIELDS,
  type SignedOrder,
  type StructField,
} from './order-struct.ts';
import { WORD_BYTES as WORD } from './typed-data.ts';
import { writeUint256 } from './uint256.ts';

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
  fields: readonly StructField<Order>[],
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
