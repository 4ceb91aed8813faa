/** The digest that every EIP-712 signature signs. */
import { keccak256 } from './hash.ts';

/** EIP-712 encodes every member of a struct as one word. */
export const WORD_BYTES = 32;

/** 0x19 0x01, a domain separator, a struct hash. Reused by every call. */
const preimage = Buffer.alloc(2 + 2 * WORD_BYTES);
preimage.set([0x19, 0x01]);

/** keccak256(0x1901, separator, structHash). For an order it is the order's id. */
export function typedDataDigest(separator: Uint8Array, structHash: Uint8Array): Uint8Array {
  preimage.set(separator, 2);
  preimage.set(structHash, 2 + WORD_BYTES);
  return keccak256(preimage);
}
