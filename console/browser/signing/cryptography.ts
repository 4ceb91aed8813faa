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
/** What a deposit wallet adds to the struct that it signs. */
const WALLET_MEMBERS =
  'string name,string version,uint256 chainId,address verifyingContract,bytes32 salt';
const ADDRESS_BYTES = 20;
/** Added to the recovery bit, as wallets do. */
const FIRST_V = 27;
/** r, s and v. */
const SIGNATURE_BYTES = 65;

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

function textHash(text: string): Uint8Array {
  return keccak_256(utf8ToBytes(text));
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
      return textHash(String(value));
    default:
      throw new Error(`no struct that is signed here has a field of the type ${type}`);
  }
}

/** The type of a struct as EIP-712 hashes it. */
function structType(name: string, { types }: TypedData): string {
  const fields = types[name] ?? [];
  return `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`;
}

function structHash(
  name: string,
  data: TypedData,
  values: Readonly<Record<string, string | number>>,
): Uint8Array {
  const words = (data.types[name] ?? []).map((field) => {
    const value = values[field.name];
    if (value === undefined) throw new Error(`${name} has no value for ${field.name}`);
    return wordOf(field.type, value);
  });
  return keccak_256(concatBytes(textHash(structType(name, data)), ...words));
}

function digestOf(domain: Uint8Array, struct: Uint8Array): Uint8Array {
  return keccak_256(concatBytes(Uint8Array.of(0x19, 0x01), domain, struct));
}

/** The digest that an EIP-712 signature signs. For an order it is its id. */
export function typedDataDigest(data: TypedData): Uint8Array {
  const domain = structHash('EIP712Domain', data, data.domain);
  return digestOf(domain, structHash(data.primaryType, data, data.message));
}

/** The digest that the owner of a deposit wallet signs for an order of the wallet (wire 3.5). */
export function walletOrderDigest(data: TypedData): Uint8Array {
  const { domain, message, primaryType } = data;
  const contents = structType(primaryType, data);
  const type = `TypedDataSign(${primaryType} contents,${WALLET_MEMBERS})${contents}`;
  const struct = keccak_256(
    concatBytes(
      textHash(type),
      structHash(primaryType, data, message),
      textHash('DepositWallet'),
      textHash('1'),
      numberWord(domain.chainId, 256),
      hexWord(message.maker ?? '', ADDRESS_BYTES),
      new Uint8Array(WORD_DIGITS / 2),
    ),
  );
  return digestOf(structHash('EIP712Domain', data, domain), struct);
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
  return addressOfPoint(secp256k1.getPublicKey(key, false));
}

/** `point` is an uncompressed public key. */
function addressOfPoint(point: Uint8Array): string {
  return `0x${bytesToHex(keccak_256(point.subarray(1)).subarray(-ADDRESS_BYTES))}`;
}

/** r, s and v (27 or 28) as 65 bytes of hex. The same digest always has the same signature. */
export function signDigest(digest: Uint8Array, key: Uint8Array): string {
  const signed = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' });
  const v = FIRST_V + (signed[0] ?? 0);
  return `0x${bytesToHex(signed.subarray(1))}${v.toString(16)}`;
}

/** The lower-case address that signed a digest; undefined if no key can have made the signature. */
export function signerOf(digest: Uint8Array, signature: Uint8Array): string | undefined {
  const v = signature[SIGNATURE_BYTES - 1] ?? 0;
  const bit = v >= FIRST_V ? v - FIRST_V : v;
  if (signature.length !== SIGNATURE_BYTES || bit > 1) return undefined;
  const recoverable = concatBytes(Uint8Array.of(bit), signature.subarray(0, -1));
  try {
    const key = secp256k1.recoverPublicKey(recoverable, digest, { prehash: false });
    return addressOfPoint(secp256k1.Point.fromBytes(key).toBytes(false));
  } catch {
    // Its numbers are of no point of the curve.
    return undefined;
  }
}

export function textSha256(text: string): Uint8Array {
  return sha256(utf8ToBytes(text));
}

/** The HMAC-SHA256 of a text. Not by WebCrypto, which plain http has on loopback only. */
export function hmacSha256(key: Uint8Array, text: string): Uint8Array {
  return hmac(sha256, key, utf8ToBytes(text));
}

/** Hex digits without 0x. */
export function hexOf(bytes: Uint8Array): string {
  return bytesToHex(bytes);
}

/** From 0x and hex digits. */
export function bytesOf(hex: string): Uint8Array {
  return hexToBytes(hex.slice(2));
}
