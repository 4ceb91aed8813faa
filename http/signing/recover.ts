/**
 * ECDSA public key recovery: finds who signed a digest.
 *
 * Invariant: only the canonical form of a signature is accepted, so that a signed content has one
 * signature. Ethereum's ecrecover also accepts the mirrored form with a high s, but the exchange
 * contracts (by OpenZeppelin's ECDSA) refuse it, and no client makes it.
 */
import { createRequire } from 'node:module';
import secp256k1 from 'secp256k1';
import { bytesToHex, keccak256 } from './hash.ts';

/** r, s and v. */
export const SIGNATURE_BYTES = 65;

const RECOVERY_BYTE = 64;
function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex, 'hex');
}
/** The order n of the group, and half of it: the largest s of a canonical signature. */
const GROUP_ORDER = bytesOf('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141');
const HALF_ORDER = bytesOf('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0');

const requireFromHere = createRequire(import.meta.url);

/** Reused: recovery runs thousands of times a second. */
const publicKey = new Uint8Array(65);

/** The sign of a - b, for 32 big-endian bytes of the signature from `offset`. */
function compareWord(signature: Uint8Array, offset: number, bound: Uint8Array): number {
  for (let index = 0; index < 32; index++) {
    const difference = (signature[offset + index] ?? 0) - (bound[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function isZeroWord(signature: Uint8Array, offset: number): boolean {
  for (let index = 0; index < 32; index++) if (signature[offset + index] !== 0) return false;
  return true;
}

/** 0 or 1 from a v of 0, 1, 27 or 28; undefined for any other. */
function recoveryId(signature: Uint8Array): 0 | 1 | undefined {
  const v = signature[RECOVERY_BYTE];
  if (v === 27 || v === 0) return 0;
  return v === 28 || v === 1 ? 1 : undefined;
}

/** Why these bytes can't be a signature, in words; undefined if they can. */
export function signatureFault(signature: Uint8Array): string | undefined {
  if (signature.length !== SIGNATURE_BYTES) {
    return `it has ${signature.length} bytes, not ${SIGNATURE_BYTES}`;
  }
  if (recoveryId(signature) === undefined) {
    return `its v is ${signature[RECOVERY_BYTE]}, not 0, 1, 27 or 28`;
  }
  if (isZeroWord(signature, 0) || compareWord(signature, 0, GROUP_ORDER) >= 0) {
    return 'its r is not between 1 and the group order';
  }
  if (isZeroWord(signature, 32)) return 'its s is zero';
  if (compareWord(signature, 32, HALF_ORDER) > 0) {
    return 'its s is in the upper half of the group order';
  }
  return undefined;
}

/**
 * The lower-case address whose key signed these 32 bytes; undefined if the signature has a
 * `signatureFault` or no key can have made it (its r is not on the curve).
 */
export function recoverAddress(digest: Uint8Array, signature: Uint8Array): string | undefined {
  const id = recoveryId(signature);
  if (id === undefined || signatureFault(signature) !== undefined) return undefined;
  try {
    secp256k1.ecdsaRecover(signature.subarray(0, RECOVERY_BYTE), id, digest, false, publicKey);
  } catch {
    // An r that is not on the curve is ordinary input here.
    return undefined;
  }
  return bytesToHex(keccak256(publicKey.subarray(1)).subarray(12));
}

/** Throws if only the package's JavaScript fallback would run, which is 20 to 50 times slower. */
export function assertNativeSecp256k1(load: (id: string) => unknown = requireFromHere): void {
  try {
    load('secp256k1/bindings');
  } catch (cause) {
    throw new Error(
      'The native part of the package secp256k1 does not load, and without it checking ' +
        'signatures would be many times slower: reinstall the packages on this machine with ' +
        '"npm ci", and let the install script of secp256k1 run.',
      { cause },
    );
  }
}
