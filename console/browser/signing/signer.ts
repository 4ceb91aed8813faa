/** What signs: a private key in memory or a wallet of the browser. */
import type { TypedData } from './typed-data.ts';

/** Finds out again what was signed and by whom, from the message and the signature alone. */
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

// The id and the transaction hash of a trade, from its content (http/orders/receipts.md).

/** What happened, with its place in the journal. */
export interface TradeContent {
  readonly seq: number;
  readonly timeMs: number;
  readonly takerOrderId: string;
  readonly bucketIndex: number;
  /** The trade's own price: the taker's. */
  readonly priceTicks: number;
  /** In the order of their fills. */
  readonly makers: readonly { readonly orderId: string; readonly lots: number }[];
}

export interface Receipt {
  /** The lines of the content, without their line feeds. */
  readonly lines: readonly string[];
  readonly id: string;
  readonly transactionHash: string;
}

const UUID_BYTES = 16;
const VERSION_BYTE = 6;
const VERSION = 0x80;
const VARIANT_BYTE = 8;
const VARIANT = 0x80;

export async function receiptOf(content: TradeContent): Promise<Receipt> {
  const { hexOf, textSha256 } = await import('./cryptography.ts');
  const { seq, timeMs, takerOrderId, bucketIndex, priceTicks, makers } = content;
  const lines = [
    `${seq} ${timeMs} ${takerOrderId} ${bucketIndex}`,
    ...makers.map(({ orderId, lots }) => `${orderId} ${priceTicks} ${lots}`),
  ];
  const text = lines.map((line) => `${line}\n`).join('');
  const hash = textSha256(`outcome-exchange transaction hash 1\n${text}`);
  const id = textSha256(`outcome-exchange trade id 1\n${text}`).slice(0, UUID_BYTES);
  // A UUID of version 8 (RFC 9562).
  id[VERSION_BYTE] = ((id[VERSION_BYTE] ?? 0) & 0x0f) | VERSION;
  id[VARIANT_BYTE] = ((id[VARIANT_BYTE] ?? 0) & 0x3f) | VARIANT;
  const groups = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(hexOf(id));
  return { lines, id: (groups ?? []).slice(1).join('-'), transactionHash: `0x${hexOf(hash)}` };
}

export interface Signer {
  /** Lower case. */
  readonly address: string;
  /** A wallet asks its user each time; a key signs at once. */
  readonly kind: 'key' | 'wallet';
  /** 65 bytes of hex. Rejects with a `SigningError`. */
  signTypedData(data: TypedData): Promise<string>;
}

export type SigningFault =
  /** The text is not a private key. */
  | 'malformed_key'
  /** This page may not take private keys. */
  | 'keys_not_accepted'
  /** The exchange has no domain for the order. */
  | 'invalid_order'
  /** The user said no in the wallet. */
  | 'rejected'
  /** The wallet is on another chain and stays there. */
  | 'wrong_chain'
  /** The wallet failed, or gave an answer that is no signature of an address. */
  | 'wallet_failed'
  /** The exchange gave no API key. */
  | 'no_api_key'
  /** Nobody is signed in, or no longer the one for whom this was to be signed. */
  | 'signed_out';

/** Its message is a whole sentence for the user and has no secret. */
export class SigningError extends Error {
  readonly code: SigningFault;

  constructor(code: SigningFault, message: string) {
    super(message);
    this.name = 'SigningError';
    this.code = code;
  }
}

/**
 * Signs with a private key. Invariant: the key stays in this module's memory. No property, error or
 * text of a signer has it.
 */
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
