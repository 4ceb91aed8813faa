/**
 * Hashes and signatures. Its libraries are 17 KB compressed, a fifth of what the first page may
 * have. Visitors who only look need none of them, so other files load this one with `import()`
 * when they first sign.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { TypedData } from './typed-data.ts';

const WORD_DIGITS = 64;
const ADDRESS_BYTES = 20;
/** Added to the recovery bit, as wallets do. */
const FIRST_V = 27;

function numberWord(value: string | number, bits: number): Uint8Array {
  const number = BigInt(value);
  if (number < 0n || number >> BigInt(bits) !== 0n) {
    throw new Error(`${number} does not fit in ${bits} bits`);
  }
  return hexToBytes(number.toString(16).padStart(WORD_DIGITS, '0'));
}

function hexWord(value: string | number, bytes: number): Uint8Array {
  const text = String(value);
  if (!/^0x[0-9a-fA-F]*$/.test(text) || text.length !== 2 + 2 * bytes) {
    throw new Error(`"${text}" must be 0x and ${2 * bytes} hex digits`);
  }
  return hexToBytes(text.slice(2).padStart(WORD_DIGITS, '0'));
}

/** A field as the 32 bytes that EIP-712 hashes for it. */
function wordOf(type: string, value: string | number): Uint8Array {
  switch (type) {
    case 'uint8':
      return numberWord(value, 8);
    case 'uint256':
      return numberWord(value, 256);
    case 'address':
      return hexWord(value, ADDRESS_BYTES);
    case 'bytes32':
      return hexWord(value, 32);
    case 'string':
      return keccak_256(utf8ToBytes(String(value)));
    default:
      throw new Error(`no struct that is signed here has a field of the type ${type}`);
  }
}

function structHash(
  name: string,
  { types }: TypedData,
  values: Readonly<Record<string, string | number>>,
): Uint8Array {
  const fields = types[name] ?? [];
  const type = `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`;
  const words = fields.map((field) => {
    const value = values[field.name];
    if (value === undefined) throw new Error(`${name} has no value for ${field.name}`);
    return wordOf(field.type, value);
  });
  return keccak_256(concatBytes(keccak_256(utf8ToBytes(type)), ...words));
}

/** The digest that an EIP-712 signature signs. For an order it is its id. */
export function typedDataDigest(data: TypedData): Uint8Array {
  const domain = structHash('EIP712Domain', data, data.domain);
  const struct = structHash(data.primaryType, data, data.message);
  return keccak_256(concatBytes(Uint8Array.of(0x19, 0x01), domain, struct));
}

/** 0x and the digest in hex. */
export function typedDataHash(data: TypedData): string {
  return `0x${bytesToHex(typedDataDigest(data))}`;
}

/** Whether 32 bytes are a private key: from 1 to the order of the curve less 1. */
export function isPrivateKey(key: Uint8Array): boolean {
  return secp256k1.utils.isValidSecretKey(key);
}

/** The address of a private key, in lower case. */
export function addressOf(key: Uint8Array): string {
  const point = secp256k1.getPublicKey(key, false).subarray(1);
  return `0x${bytesToHex(keccak_256(point).subarray(-ADDRESS_BYTES))}`;
}

/** r, s and v (27 or 28) as 65 bytes of hex. The same digest always has the same signature. */
export function signDigest(digest: Uint8Array, key: Uint8Array): string {
  const signed = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' });
  const v = FIRST_V + (signed[0] ?? 0);
  return `0x${bytesToHex(signed.subarray(1))}${v.toString(16)}`;
}

/** The HMAC-SHA256 of a text. Not by WebCrypto, which plain http has on loopback only. */
export function hmacSha256(key: Uint8Array, text: string): Uint8Array {
  return hmac(sha256, key, utf8ToBytes(text));
}
