/**
 * L1 authentication: an EIP-712 signature that proves control of a wallet (wire 2.2). The headers
 * do not name the chain, so each configured chain id is tried.
 *
 * Bound: one recovery (some 45 us) for each chain id.
 */
import assert from 'node:assert/strict';
import { ADDRESS_IN_WORDS, parseAddress } from './address.ts';
import { type AuthRefusal, checkTimestamp, type FreshnessWindow, missing } from './auth-headers.ts';
import { hexToBytes, keccak256, keccak256Text, writeHex } from './hash.ts';
import { CLOB_AUTH } from './order-struct.ts';
import { recoverAddress, signatureFault } from './recover.ts';
import { typedDataDigest, WORD_BYTES as WORD } from './typed-data.ts';
import { isUint256, writeUint256 } from './uint256.ts';

/** The headers without their prefix; undefined where a header is absent. */
export interface L1Headers {
  /** The wallet: all lower case or with a correct EIP-55 checksum. */
  readonly address: string | undefined;
  /** Unix seconds, decimal; the text itself is signed. */
  readonly timestamp: string | undefined;
  /** Decimal uint256; 0 when absent. */
  readonly nonce: string | undefined;
  /** 65 bytes of hex, with or without 0x. */
  readonly signature: string | undefined;
}

export interface L1Options extends FreshnessWindow {
  readonly chainIds: readonly number[];
}

export interface RecoveredOnChain {
  readonly chainId: number;
  /** Lower-case address; null if no key can have made the signature on this chain. */
  readonly recovered: string | null;
}

export type L1Verification =
  | {
      readonly ok: true;
      /** Lower case. */
      readonly address: string;
      /** Plain decimal. */
      readonly nonce: string;
      readonly chainId: number;
    }
  | (AuthRefusal & { readonly recovered: readonly RecoveredOnChain[] });

const DEFAULT_NONCE = '0';
const MESSAGE_HASH = keccak256Text(CLOB_AUTH.message);
const NAME_HASH = keccak256Text(CLOB_AUTH.domain.name);
const VERSION_HASH = keccak256Text(CLOB_AUTH.domain.version);
const DOMAIN_TYPE_HASH = keccak256Text(CLOB_AUTH.domainStruct);
const CLOB_AUTH_TYPE_HASH = keccak256Text(CLOB_AUTH.struct);

function authDomainSeparator(chainId: number): Uint8Array {
  const encoded = Buffer.alloc(4 * WORD);
  encoded.set(DOMAIN_TYPE_HASH, 0);
  encoded.set(NAME_HASH, WORD);
  encoded.set(VERSION_HASH, 2 * WORD);
  assert(writeUint256(String(chainId), encoded, 3 * WORD), 'a chain id is a whole number');
  return keccak256(encoded);
}

/** The message that a wallet signs to prove control. */
export interface ClobAuth {
  /** Lower case. */
  readonly address: string;
  readonly timestamp: string;
  /** Plain decimal uint256. */
  readonly nonce: string;
}

/** The EIP-712 digest of ClobAuth on a chain (wire 2.2). */
export function clobAuthDigest(auth: ClobAuth, chainId: number): Uint8Array {
  const encoded = Buffer.alloc(5 * WORD);
  encoded.set(CLOB_AUTH_TYPE_HASH, 0);
  assert(writeHex(auth.address, encoded, WORD + 12, 20), 'a wallet is an address');
  encoded.set(keccak256Text(auth.timestamp), 2 * WORD);
  assert(writeUint256(auth.nonce, encoded, 3 * WORD), 'a nonce is a uint256');
  encoded.set(MESSAGE_HASH, 4 * WORD);
  return typedDataDigest(authDomainSeparator(chainId), keccak256(encoded));
}

function refuse(refusal: AuthRefusal, recovered: readonly RecoveredOnChain[] = []): L1Verification {
  return { ...refusal, recovered };
}

function malformed(field: AuthRefusal['field'], actual: string, expected: string): L1Verification {
  return refuse({ ok: false, code: 'malformed', field, actual, expected });
}

/** Finds the chain on which the signature is the wallet's. */
function recoverOnChains(
  auth: ClobAuth,
  signature: Uint8Array,
  chainIds: readonly number[],
): L1Verification {
  const recoveries: RecoveredOnChain[] = [];
  for (const chainId of chainIds) {
    const recovered = recoverAddress(clobAuthDigest(auth, chainId), signature);
    if (recovered === auth.address) {
      return { ok: true, address: auth.address, nonce: auth.nonce, chainId };
    }
    recoveries.push({ chainId, recovered: recovered ?? null });
  }
  const actual = 'recovers to other addresses on every chain';
  const code = 'signature_mismatch';
  return refuse(
    { ok: false, code, field: 'signature', actual, expected: auth.address },
    recoveries,
  );
}

/**
 * Verifies the headers of a credential request, in this order: missing headers (address, timestamp,
 * signature), the form of address, nonce and signature, the timestamp's form and freshness, and the
 * signer on each chain.
 */
export function verifyL1(headers: L1Headers, options: L1Options): L1Verification {
  const { address, timestamp, signature, nonce = DEFAULT_NONCE } = headers;
  if (address === undefined) return refuse(missing('address'));
  if (timestamp === undefined) return refuse(missing('timestamp'));
  if (signature === undefined) return refuse(missing('signature'));
  const wallet = parseAddress(address);
  if (!wallet.ok) return malformed('address', address, ADDRESS_IN_WORDS[wallet.fault]);
  if (!isUint256(nonce)) return malformed('nonce', nonce, 'a plain decimal below 2^256');
  const bytes = hexToBytes(signature);
  const fault = bytes === undefined ? 'it is not hex' : signatureFault(bytes);
  if (bytes === undefined || fault !== undefined) {
    return malformed('signature', fault ?? '', '65 bytes of hex with canonical r, s and v');
  }
  const stale = checkTimestamp(timestamp, options);
  if (stale !== undefined) return refuse(stale);
  return recoverOnChains({ address: wallet.address, timestamp, nonce }, bytes, options.chainIds);
}
