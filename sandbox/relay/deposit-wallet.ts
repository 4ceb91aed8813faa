/**
 * What the owner of a deposit wallet signs to have a batch of calls carried out, as in the public
 * SDK, `@polymarket/client` 0.2.0.
 */
import { strict as assert } from 'node:assert';
import { domainSeparator } from '../../http/signing/domain-table.ts';
import { bytesToHex, hexToBytes, keccak256, keccak256Text } from '../../http/signing/hash.ts';
import { typedDataDigest } from '../../http/signing/typed-data.ts';
import { addressWord, uintWord } from './abi.ts';

/** keccak256 of hex digits without 0x, as such digits. */
function hashOf(...digits: readonly string[]): string {
  const bytes = hexToBytes(digits.join(''));
  assert(bytes !== undefined, 'only hex is hashed');
  return bytesToHex(keccak256(bytes)).slice(2);
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
