/**
 * Addresses in their two accepted spellings.
 *
 * Invariant: `parseAddress` returns lower case; checksums appear only in answers.
 */
import { checksumsReady, toChecksumAddress } from '../../persistence/shared/index.ts';

// What uses this room may spell addresses before an exchange is open.
await checksumsReady;

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
