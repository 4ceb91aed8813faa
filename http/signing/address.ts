/**
 * Addresses: their two accepted spellings, and the wallet contracts derived from an owner.
 *
 * Invariant: `parseAddress` returns lower case; checksums appear only in answers.
 */
import assert from 'node:assert/strict';
import { toChecksumAddress } from '../../persistence/shared/index.ts';
import { bytesToHex, keccak256, writeHex } from './hash.ts';

export { toChecksumAddress };

export type AddressFault = 'malformed' | 'checksum';
/** What the text of an address must be, for each fault. */
export const ADDRESS_IN_WORDS: Readonly<Record<AddressFault, string>> = {
  malformed: '0x and 40 hex digits',
  checksum: 'all lower case, or the EIP-55 checksum of these digits',
};

export type ParsedAddress =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly fault: AddressFault };

const ADDRESS_FORM = /^0x[0-9a-fA-F]{40}$/;
const LOWER_ADDRESS_FORM = /^0x[0-9a-f]{40}$/;

/**
 * Parses an address from a header or payload. All lower case and the exact EIP-55 spelling are
 * accepted. Any other mixture of cases is a 'checksum' fault: a digit may be mistyped.
 */
export function parseAddress(text: string): ParsedAddress {
  if (LOWER_ADDRESS_FORM.test(text)) return { ok: true, address: text };
  if (!ADDRESS_FORM.test(text)) return { ok: false, fault: 'malformed' };
  const address = text.toLowerCase();
  if (toChecksumAddress(address) !== text) return { ok: false, fault: 'checksum' };
  return { ok: true, address };
}

interface WalletFactory {
  /** The contract that creates the wallets. */
  readonly factory: string;
  /** keccak256 of the wallets' creation code. */
  readonly initHash: string;
  /** Length of the salt's preimage: the address, or the address padded to a word. */
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
function deriveWallet({ factory, initHash, saltBytes }: WalletFactory, owner: string): string {
  const salt = Buffer.alloc(saltBytes);
  assert(writeHex(owner, salt, saltBytes - 20, 20), 'a wallet is derived from an address');
  const preimage = Buffer.alloc(1 + 20 + 32 + 32, 0xff);
  assert(writeHex(factory, preimage, 1, 20));
  preimage.set(keccak256(salt), 21);
  assert(writeHex(initHash, preimage, 53, 32));
  return bytesToHex(keccak256(preimage).subarray(12));
}

/** The lower-case address of an owner's proxy wallet (signature type 1, wire 3.4). */
export function proxyWallet(owner: string): string {
  return deriveWallet(PROXY_FACTORY, owner);
}

/** The lower-case address of an owner's Safe (signature type 2, wire 3.4). */
export function safeWallet(owner: string): string {
  return deriveWallet(SAFE_FACTORY, owner);
}
