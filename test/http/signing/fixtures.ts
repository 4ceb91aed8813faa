/** The vectors of the public clients (wire 12) and keys to sign with, for tests of this folder. */
import { readFileSync } from 'node:fs';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { SigningDomain } from '../../../http/signing/domains.ts';
import { bytesToHex, hexToBytes } from '../../../http/signing/hash.ts';
import type { SignedOrder } from '../../../http/signing/order-struct.ts';

export interface OrderVector {
  readonly label: string;
  readonly domain: {
    readonly name: string;
    readonly version: string;
    readonly chainId: number;
    readonly verifyingContract: string;
  };
  readonly domainSeparator: string;
  readonly order: Readonly<Record<string, string | number>>;
  readonly structHash: string;
  readonly orderHash: string;
  readonly signature: string;
  readonly recovered: string;
  readonly wrapped?: {
    readonly innerSignature: string;
    readonly appDomainSeparator: string;
    readonly contentsHash: string;
    readonly contentsType: string;
    readonly contentsTypeLength: number;
    readonly totalBytes: number;
    readonly typedDataSignStructHash: string;
    readonly innerDigest: string;
  };
}

export interface RecordedRequest {
  readonly call: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly headerNames: readonly string[];
  readonly body: string | null;
}

interface Vectors {
  readonly privateKey: string;
  readonly address: string;
  readonly fixedClockMs: number;
  readonly l1: readonly {
    readonly chainId: number;
    readonly timestamp: string;
    readonly nonce: string;
    readonly digest: string;
    readonly signature: string;
  }[];
  readonly l2Secret: { readonly base64url: string; readonly base64: string; readonly hex: string };
  readonly l2: readonly {
    readonly secret: string;
    readonly timestamp: string;
    readonly method: string;
    readonly path: string;
    readonly body: string | null;
    readonly signingString: string;
    readonly signatureBase64Url: string;
    readonly signatureBase64: string;
    readonly signatureHex: string;
  }[];
  readonly builderHeaders: readonly {
    readonly method: string;
    readonly path: string;
    readonly body: string | null;
    readonly headers: Readonly<Record<string, string>>;
  }[];
  readonly typeHashes: Readonly<
    Record<'order11' | 'order12' | 'domain' | 'typedDataSign', TypeHashVector>
  >;
  readonly orders: readonly OrderVector[];
  readonly amounts: {
    readonly limit: readonly (AmountVector & { readonly size: number })[];
    readonly market: readonly (AmountVector & { readonly amount: number })[];
  };
  readonly expirationNotSigned: {
    readonly sameSignature: boolean;
    readonly expirationOfOther: string;
  };
  readonly recorded: Readonly<Record<string, readonly RecordedRequest[]>>;
  readonly recordedCreds: {
    readonly key: string;
    readonly secret: string;
    readonly passphrase: string;
  };
}

interface AmountVector {
  readonly side: 'BUY' | 'SELL';
  readonly price: number;
  readonly tick: string;
  readonly makerAmount: string;
  readonly takerAmount: string;
}

interface TypeHashVector {
  readonly typeString: string;
  readonly length?: number;
  readonly typeHash: string;
}

const file = new URL('../../vectors.json', import.meta.url);
// Safe: the file is in the repository, and another shape fails the tests that read it.
export const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors;

/** The well-known address of the vectors' private key, lower case. */
export const VECTOR_ADDRESS = vectors.address.toLowerCase();

const ZERO_WORD = `0x${'0'.repeat(64)}`;

/** Converts an order from a request to the form that is verified, as the order route does. */
export function toSignedOrder(
  order: Readonly<Record<string, string | number>>,
  signature = String(order.signature),
): SignedOrder {
  const text = (name: string): string => String(order[name]);
  const base = {
    salt: text('salt'),
    maker: text('maker').toLowerCase(),
    signer: text('signer').toLowerCase(),
    tokenId: text('tokenId'),
    makerAmount: text('makerAmount'),
    takerAmount: text('takerAmount'),
    side: order.side === 'SELL' || order.side === 1 ? 1 : 0,
    // Safe: the vectors have no other types.
    signatureType: Number(order.signatureType) as 0 | 1 | 2 | 3,
    signature,
  } as const;
  if (order.taker === undefined) {
    const { metadata = ZERO_WORD, builder = ZERO_WORD } = order;
    return {
      ...base,
      struct: 'order11',
      timestamp: text('timestamp'),
      metadata: String(metadata),
      builder: String(builder),
    };
  }
  return {
    ...base,
    struct: 'order12',
    taker: text('taker').toLowerCase(),
    expiration: text('expiration'),
    nonce: text('nonce'),
    feeRateBps: text('feeRateBps'),
  };
}

/** The domain of an order vector as a configured domain, for both kinds of market. */
export function toSigningDomain(vector: OrderVector): SigningDomain {
  return {
    name: vector.domain.name,
    version: vector.domain.version,
    chainId: vector.domain.chainId,
    contract: vector.domain.verifyingContract.toLowerCase(),
    negRisk: null,
    struct: toSignedOrder(vector.order).struct,
  };
}

/** Bytes of a hex text that is known to be one. */
export function bytes(hex: string): Uint8Array {
  const parsed = hexToBytes(hex);
  if (parsed === undefined) throw new Error(`no hex: ${hex}`);
  return parsed;
}

/** The address of a private key, by the reference libraries alone. */
export function addressOf(privateKey: Uint8Array): string {
  return bytesToHex(keccak_256(secp256k1.getPublicKey(privateKey, false).subarray(1)).subarray(12));
}

/** r, s and v (27 or 28) by the reference library. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): Uint8Array {
  const signed = secp256k1.sign(digest, privateKey, { prehash: false, format: 'recovered' });
  return new Uint8Array([...signed.subarray(1), 27 + (signed[0] ?? 0)]);
}

export interface Signer {
  readonly privateKey: Uint8Array;
  /** Lower case. */
  readonly address: string;
  readonly sign: (digest: Uint8Array) => string;
}

/** A signer whose private key is `number`. */
export function makeSigner(number: number): Signer {
  const privateKey = new Uint8Array(32);
  privateKey[30] = number >> 8;
  privateKey[31] = number & 255;
  const sign = (digest: Uint8Array): string => bytesToHex(signDigest(digest, privateKey));
  return { privateKey, address: addressOf(privateKey), sign };
}
