/**
 * Signs with a private key. Invariant: the key stays in this module's memory. No property, error or
 * text of a signer has it.
 */
import { type Signer, SigningError } from './signer.ts';

const KEY_DIGITS = 64;

function malformed(why: string): SigningError {
  return new SigningError('malformed_key', `The private key ${why}.`);
}

function keyBytes(text: string): Uint8Array {
  const key = text.trim();
  if (key === '') throw malformed('is empty. It must be 0x and 64 hex digits');
  if (!key.startsWith('0x')) throw malformed('does not begin with 0x');
  const digits = key.slice(2);
  if (!/^[0-9a-fA-F]*$/.test(digits)) {
    throw malformed('has a character that is not a hex digit (0-9, a-f)');
  }
  if (digits.length !== KEY_DIGITS) {
    throw malformed(`has ${digits.length} hex digits after 0x. It must have ${KEY_DIGITS}`);
  }
  return Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/** A signer with a private key: 0x and 64 hex digits. Rejects with `malformed_key`. */
export async function keySigner(privateKey: string): Promise<Signer> {
  const key = keyBytes(privateKey);
  const { addressOf, isPrivateKey, signDigest, typedDataDigest } = await import(
    './cryptography.ts'
  );
  if (!isPrivateKey(key)) {
    throw malformed("is out of range. It must be from 1 to the order of the curve's group less 1");
  }
  return {
    address: addressOf(key),
    kind: 'key',
    signTypedData: async (data) => signDigest(typedDataDigest(data), key),
  };
}
