/**
 * Signature type 3, of deposit wallets: the hash that the owner signs instead of the order's
 * (ERC-7739), and the wrapped form in which the signature is sent (wire 3.5).
 */

import { strict as assert } from 'node:assert';
import secp256k1 from 'secp256k1';
import { bytesToHex, hexToBytes, keccak256, keccak256Text, writeHex } from './hash.ts';
import { ORDER_STRUCT_TYPES } from './order-struct.ts';
import { SIGNATURE_BYTES } from './recover.ts';
import { WORD_BYTES as WORD } from './typed-data.ts';
import { isPrivateKey, writeUint256 } from './uint256.ts';

// An externally owned account that signs orders and messages. Only the command line, the
// developer accounts and the sandbox's own traders use it; a production venue never signs.
//
// Invariant: the key stays in memory: nothing here logs or stores it.

export interface Wallet {
  /** 0x and 64 hex digits. */
  readonly privateKey: string;
  /** Lower case. */
  readonly address: string;
  /** Signs 32 bytes: 0x and 65 bytes of r, s and v (27 or 28), the same for the same digest. */
  readonly sign: (digest: Uint8Array) => string;
}

const V_BASE = 27;

/** The wallet of a valid private key. */
export function walletOf(privateKey: string): Wallet {
  const key = isPrivateKey(privateKey) ? hexToBytes(privateKey) : undefined;
  assert(key !== undefined, 'a wallet has a valid private key');
  const publicKey = secp256k1.publicKeyCreate(key, false);
  return {
    privateKey,
    address: bytesToHex(keccak256(publicKey.subarray(1)).subarray(12)),
    sign: (digest) => {
      const { signature, recid } = secp256k1.ecdsaSign(digest, key);
      return bytesToHex(Uint8Array.of(...signature, V_BASE + recid));
    },
  };
}

/** Type 3 exists only for the 11-field struct. */
const WRAPPED_TYPE = ORDER_STRUCT_TYPES.order11;
/** The EIP-712 type of the signed message. */
export const TYPED_DATA_SIGN_TYPE =
  'TypedDataSign(Order contents,string name,string version,uint256 chainId,' +
  `address verifyingContract,bytes32 salt)${WRAPPED_TYPE}`;

/** The words of TypedDataSign; the wallet's name, version and salt (zero) are constant. */
const nested = Buffer.alloc(7 * WORD);
nested.set(keccak256Text(TYPED_DATA_SIGN_TYPE), 0);
nested.set(keccak256Text('DepositWallet'), 2 * WORD);
nested.set(keccak256Text('1'), 3 * WORD);

/** The struct hash of TypedDataSign for a lower-case wallet address (wire 3.5). */
export function typedDataSignHash(
  contentsHash: Uint8Array,
  chainId: number,
  wallet: string,
): Uint8Array {
  nested.set(contentsHash, WORD);
  const isWritten =
    writeUint256(String(chainId), nested, 4 * WORD) && writeHex(wallet, nested, 5 * WORD + 12, 20);
  if (!isWritten) throw new Error(`no chain and wallet to sign for: ${chainId}, ${wallet}`);
  return keccak256(nested);
}

/** The parts of a type-3 signature; none of them is checked yet. */
export interface WrappedSignature {
  readonly inner: Uint8Array;
  /** The separator of the exchange's domain, 0x and 64 digits. */
  readonly separator: string;
  /** The struct hash of the order, 0x and 64 digits. */
  readonly contentsHash: string;
}

/** 65 + 32 + 32 bytes, the type string and its length: 317 bytes in all. */
export const WRAPPED_BYTES = SIGNATURE_BYTES + 2 * WORD + WRAPPED_TYPE.length + 2;
const WRAPPED_TAIL = Buffer.alloc(WRAPPED_TYPE.length + 2);
WRAPPED_TAIL.write(WRAPPED_TYPE);
WRAPPED_TAIL.writeUInt16BE(WRAPPED_TYPE.length, WRAPPED_TYPE.length);

/**
 * Parses a type-3 signature. Returns undefined if it is not hex, has another length, or contains
 * another type than the 11-field order.
 */
export function parseWrappedSignature(signature: string): WrappedSignature | undefined {
  const bytes = hexToBytes(signature);
  if (bytes === undefined || bytes.length !== WRAPPED_BYTES) return undefined;
  const tailStart = SIGNATURE_BYTES + 2 * WORD;
  if (WRAPPED_TAIL.compare(bytes, tailStart) !== 0) return undefined;
  return {
    inner: bytes.subarray(0, SIGNATURE_BYTES),
    separator: bytesToHex(bytes.subarray(SIGNATURE_BYTES, SIGNATURE_BYTES + WORD)),
    contentsHash: bytesToHex(bytes.subarray(SIGNATURE_BYTES + WORD, tailStart)),
  };
}
