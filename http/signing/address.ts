/**
 * Addresses: their two accepted spellings, and the contract wallets an owner has by derivation.
 *
 * Invariant: everything past `parseAddress` is lower case; checksums are for the way out.
 * Bound: CHECKSUM_CACHE_ENTRIES spellings are remembered.
 */
import assert from 'node:assert/strict';
import { remember } from './bounded-map.ts';
import { bytesToHex, keccak256, writeHex } from './hash.ts';

export type AddressFault = 'malformed' | 'checksum';
export type ParsedAddress =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly fault: AddressFault };

const CHECKSUM_CACHE_ENTRIES = 16_384;
const LETTER_A = 0x61;
const TO_UPPER_CASE = 0x20;
const ADDRESS_FORM = /^0x[0-9a-fA-F]{40}$/;
const LOWER_ADDRESS_FORM = /^0x[0-9a-f]{40}$/;

const checksums = new Map<string, string>();

/** EIP-55: a letter is upper case where the hash of the lower-case digits has a digit of 8 up. */
const computeChecksum = (address: string): string => {
  const text = Buffer.from(address, 'latin1');
  const hash = keccak256(text.subarray(2));
  for (let index = 0; index < 40; index++) {
    const byte = hash[index >> 1] ?? 0;
    const digit = (index & 1) === 0 ? byte >> 4 : byte & 15;
    const letter = text[2 + index] ?? 0;
    if (digit >= 8 && letter >= LETTER_A) text[2 + index] = letter - TO_UPPER_CASE;
  }
  return text.toString('latin1');
};

/** The EIP-55 spelling of a lower-case address (0x and 40 digits). */
export const toChecksumAddress = (lowerHex: string): string => {
  const known = checksums.get(lowerHex);
  if (known !== undefined) return known;
  assert(LOWER_ADDRESS_FORM.test(lowerHex), 'only a lower-case address has a checksum spelling');
  const checksum = computeChecksum(lowerHex);
  remember(checksums, lowerHex, checksum, CHECKSUM_CACHE_ENTRIES);
  return checksum;
};

/**
 * A lower-case address from a header or payload. Accepted are all lower case and the exact EIP-55
 * spelling; any other mixture of cases is refused as 'checksum' (a mistyped digit changes it).
 */
export const parseAddress = (text: string): ParsedAddress => {
  if (LOWER_ADDRESS_FORM.test(text)) return { ok: true, address: text };
  if (!ADDRESS_FORM.test(text)) return { ok: false, fault: 'malformed' };
  const address = text.toLowerCase();
  if (toChecksumAddress(address) !== text) return { ok: false, fault: 'checksum' };
  return { ok: true, address };
};

interface WalletFactory {
  /** The contract that creates the wallets. */
  readonly factory: string;
  /** keccak256 of the wallets' creation code. */
  readonly initHash: string;
  /** How many bytes of the owner the salt hashes: the bare address, or it padded to a word. */
  readonly saltBytes: 20 | 32;
}

// Wire 3.4; the same on both public chains.
const PROXY_FACTORY: WalletFactory = {
  factory: '0xfe30ff32e8fcb617e4665c5c94749ecc0808a6c9',
  initHash: '0x1f566e4d6fc92316ca3a8303965679f5ca265da52fec11f520dfd90ee773226f',
  saltBytes: 20,
};
const SAFE_FACTORY: WalletFactory = {
  factory: '0xa28927f4a23f52d0b7253c5e3d09a1fdb22977c4',
  initHash: '0x61e47bf36784271f639db33bb53fdc7fc843765357f63277759b9bb2ffdadaff',
  saltBytes: 32,
};

/** CREATE2 (EIP-1014): the last 20 bytes of keccak256(0xff, factory, salt, initHash). */
const deriveWallet = ({ factory, initHash, saltBytes }: WalletFactory, owner: string): string => {
  const salt = Buffer.alloc(saltBytes);
  assert(writeHex(owner, salt, saltBytes - 20, 20), 'a wallet is derived from an address');
  const preimage = Buffer.alloc(1 + 20 + 32 + 32, 0xff);
  assert(writeHex(factory, preimage, 1, 20));
  preimage.set(keccak256(salt), 21);
  assert(writeHex(initHash, preimage, 53, 32));
  return bytesToHex(keccak256(preimage).subarray(12));
};

/** The lower-case address of an owner's proxy wallet (signature type 1, wire 3.4). */
export const proxyWallet = (owner: string): string => deriveWallet(PROXY_FACTORY, owner);

/** The lower-case address of an owner's Safe (signature type 2, wire 3.4). */
export const safeWallet = (owner: string): string => deriveWallet(SAFE_FACTORY, owner);
