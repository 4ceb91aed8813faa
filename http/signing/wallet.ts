/**
 * An externally owned account that signs orders and messages. Only the command line, the
 * developer accounts and the sandbox's own traders use it; a production venue never signs.
 *
 * Invariant: the key stays in memory: nothing here logs or stores it.
 */
import { strict as assert } from 'node:assert';
import secp256k1 from 'secp256k1';
import { bytesToHex, hexToBytes, keccak256 } from './hash.ts';

export interface Wallet {
  /** 0x and 64 hex digits. */
  readonly privateKey: string;
  /** Lower case. */
  readonly address: string;
  /** Signs 32 bytes: 0x and 65 bytes of r, s and v (27 or 28), the same for the same digest. */
  readonly sign: (digest: Uint8Array) => string;
}

const V_BASE = 27;
const PRIVATE_KEY_FORM = /^0x[0-9a-fA-F]{64}$/;

function keyBytes(privateKey: string): Uint8Array | undefined {
  const bytes = PRIVATE_KEY_FORM.test(privateKey) ? hexToBytes(privateKey) : undefined;
  return bytes !== undefined && secp256k1.privateKeyVerify(bytes) ? bytes : undefined;
}

/** Whether a text is 0x and 64 hex digits of a valid key. */
export function isPrivateKey(text: string): boolean {
  return keyBytes(text) !== undefined;
}

/** The wallet of a valid private key. */
export function walletOf(privateKey: string): Wallet {
  const key = keyBytes(privateKey);
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
