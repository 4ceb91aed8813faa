/**
 * Deposit wallets: their addresses, and what an owner signs to have a batch of calls carried out.
 * Both are as in the public SDK, `@polymarket/client` 0.2.0.
 */
import { strict as assert } from 'node:assert';
import { domainSeparator } from '../../http/signing/domain-table.ts';
import { bytesToHex, hexToBytes, keccak256, keccak256Text } from '../../http/signing/hash.ts';
import { typedDataDigest } from '../../http/signing/typed-data.ts';
import { addressWord, uintWord } from './abi.ts';

/** The contract that tells deposit wallets their code, on the public chain. */
export const WALLET_BEACON = '0x7a18edfe055488a3128f01f563e5b479d92ffc3a';

/** The creation code of a proxy that asks a beacon, with two words of arguments. */
const CODE_BEFORE_BEACON = '6100923d8160233d3973';
const CODE_AFTER_BEACON =
  '60195155f3363d3d373d3d363d602036600436635c60da' +
  '1b60e01b36527fa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6c' +
  'b3582b35133d50545afa5036515af43d6000803e604d573d6000fd5b3d6000f3';

/** keccak256 of hex digits without 0x, as such digits. */
function hashOf(...digits: readonly string[]): string {
  const bytes = hexToBytes(digits.join(''));
  assert(bytes !== undefined, 'only hex is hashed');
  return bytesToHex(keccak256(bytes)).slice(2);
}

/** The address that a factory creates for an owner (CREATE2). All addresses are lower case. */
export function depositWallet(owner: string, factory: string): string {
  const parts = addressWord(factory) + addressWord(owner);
  const code = hashOf(CODE_BEFORE_BEACON, WALLET_BEACON.slice(2), CODE_AFTER_BEACON, parts);
  return `0x${hashOf('ff', factory.slice(2), hashOf(parts), code).slice(24)}`;
}

export interface WalletCall {
  /** The contract that is called, a lower-case address. */
  readonly target: string;
  readonly value: bigint;
  /** 0x and digits. */
  readonly data: string;
}

export interface WalletBatch {
  readonly wallet: string;
  readonly nonce: bigint;
  /** Seconds since the epoch. */
  readonly deadline: bigint;
  readonly calls: readonly WalletCall[];
}

const CALL_TYPE = 'Call(address target,uint256 value,bytes data)';
const BATCH_TYPE = `Batch(address wallet,uint256 nonce,uint256 deadline,Call[] calls)${CALL_TYPE}`;
const [callTypeHash, batchTypeHash] = [CALL_TYPE, BATCH_TYPE].map((type) =>
  bytesToHex(keccak256Text(type)).slice(2),
);

function callHash({ target, value, data }: WalletCall): string {
  return hashOf(callTypeHash ?? '', addressWord(target), uintWord(value), hashOf(data.slice(2)));
}

/** The EIP-712 digest that the owner signs. */
export function batchDigest(batch: WalletBatch, chainId: number): Uint8Array {
  const { wallet, nonce, deadline, calls } = batch;
  const contract = wallet;
  const domain = domainSeparator({ name: 'DepositWallet', version: '1', chainId, contract });
  const hash = hashOf(
    batchTypeHash ?? '',
    addressWord(wallet),
    uintWord(nonce),
    uintWord(deadline),
    hashOf(...calls.map(callHash)),
  );
  return typedDataDigest(domain, Buffer.from(hash, 'hex'));
}
