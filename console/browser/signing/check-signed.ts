/** Finds out again what was signed and by whom, from the message and the signature alone. */
import type { TypedData } from './typed-data.ts';

export interface SignedFacts {
  /** 0x and the EIP-712 hash of the message. */
  readonly digest: string;
  /** Lower case; undefined if no key can have made the signature. */
  readonly signer: string | undefined;
}

/** r, s and v. The wrapped form of a deposit wallet begins with the signature of its owner. */
const SIGNATURE_DIGITS = 130;
const HEX = /^0x([0-9a-f]{2})*$/i;

/** Rejects if the message is not of the form that is signed here. */
export async function checkSigned(data: TypedData, signature: string): Promise<SignedFacts> {
  const { bytesOf, signerOf, typedDataDigest, typedDataHash, walletOrderDigest } = await import(
    './cryptography.ts'
  );
  const digest = typedDataHash(data);
  if (!HEX.test(signature)) return { digest, signer: undefined };
  const inner = bytesOf(signature.slice(0, 2 + SIGNATURE_DIGITS));
  const isWrapped = signature.length > 2 + SIGNATURE_DIGITS;
  const signed = isWrapped ? walletOrderDigest(data) : typedDataDigest(data);
  return { digest, signer: signerOf(signed, inner) };
}
